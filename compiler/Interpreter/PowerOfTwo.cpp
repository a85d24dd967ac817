// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In fp64 x is a whole number, which goes to the exponent, and a rest between -1/2 and 1/2, whose power is a polynomial
// through the Chebyshev nodes, at most 2.6e-9 off. Without branches, so that the loop vectorises.
#include "compiler/Interpreter/PowerOfTwo.h"

#include "compiler/Interpreter/Loops.h"

#include <bit>

namespace tilescope::interp {
namespace {

inline float powerOfTwo(float x) {
  constexpr double RoundsToWhole = 0x1.8p52, Beyond = 200;
  // NaN goes through all of it: a double that was a float ends in zeros, which add nothing to the exponent.
  double inRange = x;
  inRange = inRange > Beyond ? Beyond : inRange;
  inRange = inRange < -Beyond ? -Beyond : inRange;
  const double shifted = inRange + RoundsToWhole;
  const double rest = inRange - (shifted - RoundsToWhole);
  constexpr double Factors[] = {0x1.443fff956f27ap-13, 0x1.5f48c04f8891ep-10, 0x1.3b2a1b71994c2p-7, 0x1.c6aecc669acacp-5,
                                0x1.ebfbe045f4760p-3,  0x1.62e430d034710p-1,  0x1.0000000000002p+0};
  double power = Factors[0];
  for (int i = 1; i <= 6; ++i)
    power = power * rest + Factors[i];
  const uint64_t exponent = std::bit_cast<uint64_t>(shifted) << 52;
  return float(std::bit_cast<double>(std::bit_cast<uint64_t>(power) + exponent));
}

} // namespace

TILESCOPE_WIDE_VECTORS void powersOfTwo(const float *x, float *result, size_t count) {
  TILESCOPE_INDEPENDENT
  for (size_t i = 0; i < count; ++i)
    result[i] = powerOfTwo(x[i]);
}

} // namespace tilescope::interp
