// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The floats of 8 and 16 bits. In slots they are fp32 numbers that happen to have few digits; here is how
// such a number is rounded to a format, and how a format's bits become one and back.
//
// Sources: IEEE 754 (fp16), the OCP 8-bit floating point specification (E4M3, E5M2), the FNUZ formats of
// arXiv 2206.02915, PTX ISA "cvt" (to 8 bits always saturating).
#pragma once

#include "compiler/Value/ElementType.h"

#include <cstddef>
#include <cstdint>

namespace tilescope::interp {

struct FloatFormat {
  unsigned bytes;
  unsigned mantissa; ///< stored digits
  int leastExponent; ///< of a normal number: its value is 2^leastExponent
  float greatest;    ///< finite value
  uint32_t infinity; ///< bits; those of NaN where the format has no infinity
  uint32_t nan;      ///< bits of the NaN that is made
  bool negativeZero; ///< the FNUZ formats have none: its bits are NaN
  bool hasInfinity;

  static const FloatFormat &of(ElementType type); ///< of a narrow float
};

/// Rounds to the format's values: to nearest, ties to even, or towards zero. Past the range to infinity (NaN
/// where there is none), or with `saturate` to the greatest finite value; an infinity saturates too. NaN
/// stays.
void roundTo(const FloatFormat &format, bool towardZero, bool saturate, const float *from, float *to,
             size_t count);

/// Bits of values that the format has. One after another, in `bytes` each.
void encode(const FloatFormat &format, const float *from, std::byte *to, size_t count);
void decode(const FloatFormat &format, const std::byte *from, float *to, size_t count);

} // namespace tilescope::interp
