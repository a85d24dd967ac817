// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/GpuComparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilescope::service {
namespace {

template <typename T> TensorComparison compared(ElementType type, const std::vector<T> &gpu, const std::vector<T> &ours) {
  return compareElements(type, std::as_bytes(std::span(gpu)), std::as_bytes(std::span(ours)));
}

TEST(GpuComparison, NothingDiffers) {
  const float nan = std::nanf("1"), other = -std::nanf("2");
  const TensorComparison found = compared<float>(ElementType::Float32, {1, nan, -0.0f}, {1, other, -0.0f});
  EXPECT_EQ(found.elements, 3u);
  EXPECT_EQ(found.different, 0u);
}

TEST(GpuComparison, CountsPlacesBetweenFloats) {
  const float next = std::nextafter(1.0f, 2.0f);
  const TensorComparison found = compared<float>(ElementType::Float32, {5, next, 2}, {5, 1, std::nextafter(std::nextafter(2.0f, 3.0f), 3.0f)});
  EXPECT_EQ(found.different, 2u);
  EXPECT_EQ(found.first, 1u);
  EXPECT_EQ(found.gpu, next);
  EXPECT_EQ(found.interpreter, 1);
  EXPECT_EQ(found.ulps, 2u);
  // Across zero: the least numbers of both signs, and the two zeros.
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(compared<float>(ElementType::Float32, {least}, {-least}).ulps, 3u);
  EXPECT_EQ(compared<float>(ElementType::Float32, {0.0f}, {-0.0f}).ulps, 1u);
}

TEST(GpuComparison, NanAgainstANumberIsTheMost) {
  const TensorComparison found = compared<float>(ElementType::Float32, {std::nanf("")}, {1});
  EXPECT_EQ(found.ulps, std::numeric_limits<uint64_t>::max());
  EXPECT_TRUE(std::isinf(found.absolute));
}

TEST(GpuComparison, Integers) {
  const TensorComparison found = compared<int8_t>(ElementType::Int8, {-128, 3}, {127, 3});
  EXPECT_EQ(found.ulps, 255u);
  EXPECT_EQ(found.gpu, -128);
  EXPECT_EQ(found.absolute, 255);
  // fp16: 1 and its next, by their bits.
  EXPECT_EQ(compared<uint16_t>(ElementType::Float16, {0x3c01}, {0x3c00}).ulps, 1u);
}

} // namespace
} // namespace tilescope::service
