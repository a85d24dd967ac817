// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of 8 and 16 bits against a slow oracle: every pattern, and every midpoint between neighbours.
#include "compiler/Interpreter/NarrowFloat.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace tilescope::interp {
namespace {

struct Oracle {
  ElementType type;
  int exponentBits, mantissaBits, bias;
  bool infinities;  ///< the greatest exponent is for infinity and NaN
  bool unsignedNan; ///< FNUZ: only 0x80 is NaN

  /// The value of a pattern, by the definition of the format.
  double value(uint32_t bits) const {
    const int exponent = int(bits >> mantissaBits) & ((1 << exponentBits) - 1);
    const int mantissa = int(bits) & ((1 << mantissaBits) - 1);
    const int width = 1 + exponentBits + mantissaBits, greatest = (1 << exponentBits) - 1;
    const double sign = bits >> (width - 1) & 1 ? -1.0 : 1.0;
    if (unsignedNan && bits == 1u << (width - 1))
      return NAN;
    if (infinities && exponent == greatest)
      return mantissa ? NAN : sign * INFINITY;
    if (!infinities && !unsignedNan && exponent == greatest && mantissa == (1 << mantissaBits) - 1)
      return NAN;
    return sign * (exponent == 0
                       ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                       : std::ldexp((1 << mantissaBits) + mantissa, exponent - bias - mantissaBits));
  }
  unsigned bytes() const { return (1 + exponentBits + mantissaBits) / 8; }
  uint32_t patterns() const { return 1u << (8 * bytes()); }
};

class Formats : public testing::TestWithParam<Oracle> {
protected:
  const Oracle &oracle() const { return GetParam(); }
  const FloatFormat &format() const { return FloatFormat::of(GetParam().type); }
  float decoded(uint32_t bits) const {
    float result;
    decode(format(), reinterpret_cast<const std::byte *>(&bits), &result, 1);
    return result;
  }
  uint32_t encoded(float value) const {
    uint32_t result = 0;
    encode(format(), &value, reinterpret_cast<std::byte *>(&result), 1);
    return result;
  }
  float rounded(float value, bool towardZero = false) const {
    roundTo(format(), towardZero, false, &value, &value, 1);
    return value;
  }
  /// Finite values that are not negative, in their order.
  std::vector<float> finite() const {
    std::vector<float> result;
    for (uint32_t bits = 0; bits < oracle().patterns() / 2; ++bits)
      if (std::isfinite(oracle().value(bits)))
        result.push_back(static_cast<float>(oracle().value(bits)));
    return result;
  }
};

TEST_P(Formats, EveryPatternHasItsValueAndComesBack) {
  for (uint32_t bits = 0; bits < oracle().patterns(); ++bits) {
    const double expected = oracle().value(bits);
    const float actual = decoded(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(actual)) << bits;
      ASSERT_TRUE(std::isnan(oracle().value(encoded(actual)))) << bits;
    } else {
      ASSERT_EQ(actual, expected) << bits;
      ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << bits;
      ASSERT_EQ(encoded(actual), bits);
      ASSERT_EQ(rounded(actual), actual) << bits;
    }
  }
}

TEST_P(Formats, RoundsToNearestWithTiesToEven) {
  const std::vector<float> values = finite();
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    const double low = values[i], high = values[i + 1], middle = (low + high) / 2;
    const auto exact = static_cast<float>(middle);
    if (exact != middle)
      continue; // bf16's least: fp32 has no such number
    const float even = i % 2 == 0 ? values[i] : values[i + 1];
    ASSERT_EQ(rounded(exact), even) << middle;
    ASSERT_EQ(rounded(-exact), -even) << middle;
    ASSERT_EQ(rounded(std::nextafter(exact, 0.0f)), values[i]) << middle;
    ASSERT_EQ(rounded(std::nextafter(exact, INFINITY)), values[i + 1]) << middle;
    ASSERT_EQ(rounded(exact, /*towardZero=*/true), values[i]) << middle;
    ASSERT_EQ(rounded(-exact, /*towardZero=*/true), -values[i]) << middle;
  }
}

TEST_P(Formats, PastTheRange) {
  const float greatest = finite().back();
  float past = greatest * 1.5f, saturated;
  roundTo(format(), false, /*saturate=*/true, &past, &saturated, 1);
  EXPECT_EQ(saturated, greatest);
  if (oracle().infinities)
    EXPECT_EQ(rounded(greatest * 1.5f), INFINITY);
  else
    EXPECT_TRUE(std::isnan(rounded(greatest * 1.5f)));
  EXPECT_TRUE(std::isnan(rounded(NAN)));
}

INSTANTIATE_TEST_SUITE_P(All, Formats,
                         testing::Values(Oracle{ElementType::Float16, 5, 10, 15, true, false},
                                         Oracle{ElementType::BFloat16, 8, 7, 127, true, false},
                                         Oracle{ElementType::Float8E4M3FN, 4, 3, 7, false, false},
                                         Oracle{ElementType::Float8E5M2, 5, 2, 15, true, false},
                                         Oracle{ElementType::Float8E4M3FNUZ, 4, 3, 8, false, true},
                                         Oracle{ElementType::Float8E5M2FNUZ, 5, 2, 16, false, true}));

} // namespace
} // namespace tilescope::interp
