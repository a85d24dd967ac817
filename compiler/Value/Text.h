// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and strings as text; a part of Operators.h that only this folder includes.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::detail {

/// d.ddd × 10^exponent: "digits" without the point.
struct Digits {
  std::string digits;
  int exponent = 0;
};
/// The fewest digits that read back as `magnitude` (finite, not negative).
Digits shortestDigits(double magnitude);
/// "123.45", without an exponent; no point if there are no fractional digits.
std::string positional(const Digits &value);
/// "1.2345e+02".
std::string scientific(const Digits &value);

/// A str as repr() shows it, in quotes and with escapes.
std::string quoted(std::string_view text);

} // namespace tilescope::detail
