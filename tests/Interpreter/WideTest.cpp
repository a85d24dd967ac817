// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What uses the processor's vectors gives the bits that one element at a time gives.
#include "compiler/Interpreter/MatrixProduct.h"
#include "compiler/Interpreter/PowerOfTwo.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace tilescope::interp {
namespace {

std::vector<float> randomNumbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> between(-1, 1);
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = between(random);
  return numbers;
}

TEST(MatrixProduct, AddsInOrderOfK) {
  for (auto [m, n, k] : {std::array<size_t, 3>{64, 64, 32}, {16, 16, 16}, {1, 1, 1}, {7, 37, 5}, {13, 4, 100}, {32, 3, 8}}) {
    const std::vector<float> a = randomNumbers(m * k, 1), b = randomNumbers(k * n, 2);
    std::vector<float> sum = randomNumbers(m * n, 3), expected = sum;
    addProduct(MatrixProduct{sum.data(), a.data(), b.data(), m, n, k});
    for (size_t row = 0; row < m; ++row)
      for (size_t column = 0; column < n; ++column)
        for (size_t i = 0; i < k; ++i) {
          volatile float product = a[row * k + i] * b[i * n + column]; // rounded before it is added
          expected[row * n + column] += product;
        }
    EXPECT_EQ(sum, expected) << m << "x" << n << "x" << k;
  }
}

TEST(PowerOfTwo, IsWithinHalfAUnit) {
  std::vector<float> x;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 99'991)
    x.push_back(std::bit_cast<float>(uint32_t(bits)));
  std::vector<float> result(x.size());
  powersOfTwo(x.data(), result.data(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp2(double(x[i]));
    if (std::isnan(x[i])) {
      EXPECT_TRUE(std::isnan(result[i]));
    } else if (float(exact) == 0 || std::isinf(float(exact))) {
      EXPECT_EQ(result[i], float(exact)) << x[i];
    } else {
      const double unit = std::ldexp(1.0, std::max(std::ilogb(exact) - 23, -149));
      EXPECT_LE(std::abs(result[i] - exact), 0.54 * unit) << x[i];
    }
  }
}

TEST(PowerOfTwo, OfWholeNumbersIsExact) {
  std::vector<float> x;
  for (int i = -149; i < 128; ++i)
    x.push_back(float(i));
  std::vector<float> result(x.size());
  powersOfTwo(x.data(), result.data(), x.size());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(result[i], std::ldexp(1.0f, int(x[i]))) << x[i];
}

} // namespace
} // namespace tilescope::interp
