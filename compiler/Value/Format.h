// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces of format() and of `text % arguments`; a part of Operators.h that only this folder includes.
#pragma once

#include "compiler/Value/Arithmetic.h"

namespace tilescope::detail {

/// [[fill]align][sign][z][#][0][width][grouping][.precision][type]; 0 where nothing is said.
struct FormatSpec {
  std::string fill; ///< one code point; empty means a space
  char align = 0, sign = 0, grouping = 0, type = 0;
  bool noNegativeZero = false, alternate = false, zeroPadded = false;
  int64_t width = 0, precision = -1;
};

Result<std::string> formatInteger(const Integer &value, const FormatSpec &spec);
Result<std::string> formatFloat(double value, const FormatSpec &spec);
std::string formatText(std::string_view text, const FormatSpec &spec);

constexpr int64_t MaxWidth = MaxStringBytes;
constexpr int64_t MaxPrecision = 100'000;

} // namespace tilescope::detail
