// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognising regular addresses: what is regular is found again, what is not is refused.
#include "compiler/Model/RegularTile.h"

#include "tests/Model/TileElements.h"

#include <gtest/gtest.h>

namespace tilescope::model {
namespace {

TEST(RegularTile, ARowMaskedOffAtItsEnd) {
  const std::vector<uint64_t> addresses = {100, 104, 108, 112, 116, 120, 0, 0};
  const auto tile = regular(addresses, std::vector<uint8_t>{1, 1, 1, 1, 1, 1, 0, 0}, std::vector<int64_t>{8});
  ASSERT_TRUE(tile.has_value());
  EXPECT_EQ(*tile, (RegularTile{.start = 100, .axes = {{{4, 0, 6}}}, .rank = 1}));
  EXPECT_FALSE(regular(addresses, {}, std::vector<int64_t>{8}).has_value());
}

TEST(RegularTile, AScalarIsATileOfOneElement) {
  EXPECT_EQ(regular(std::vector<uint64_t>{64}, {}, {}),
            (RegularTile{.start = 64, .axes = {{{0, 0, 1}}}, .rank = 1}));
  EXPECT_TRUE(regular(std::vector<uint64_t>{64}, std::vector<uint8_t>{0}, {})->isEmpty());
}

TEST(RegularTile, HolesAndGathersAreNotRegular) {
  const std::vector<int64_t> shape = {4};
  EXPECT_FALSE(regular(std::vector<uint64_t>{0, 4, 8, 12}, std::vector<uint8_t>{1, 0, 1, 1}, shape));
  EXPECT_FALSE(regular(std::vector<uint64_t>{0, 4, 12, 8}, {}, shape));
  // A triangle has elements off in the box around it.
  EXPECT_FALSE(regular(std::vector<uint64_t>{0, 4, 8, 12}, std::vector<uint8_t>{1, 0, 1, 1},
                       std::vector<int64_t>{2, 2}));
}

std::vector<int64_t> randomShape(std::mt19937 &random) {
  std::vector<int64_t> shape(1 + random() % 4);
  for (int64_t &size : shape)
    size = int64_t(1) << random() % 5;
  return shape;
}

/// The same mask, and the same addresses where it is on.
bool isSame(const TileElements &a, const TileElements &b) {
  bool same = a.mask == b.mask;
  for (size_t i = 0; same && i < a.mask.size(); ++i)
    same = !a.mask[i] || a.addresses[i] == b.addresses[i];
  return same;
}

TEST(RegularTile, WhatIsRegularIsFoundAgain) {
  std::mt19937 random(3);
  for (int round = 0; round < 1000; ++round) {
    const std::vector<int64_t> shape = randomShape(random);
    TileElements elements(shape, randomTile(random, shape, 4));
    for (size_t i = 0; i < elements.mask.size(); ++i)
      if (!elements.mask[i])
        elements.addresses[i] = random(); // masked off: may be anything
    const auto tile = regular(elements.addresses, elements.mask, shape);
    ASSERT_TRUE(tile.has_value());
    ASSERT_TRUE(isSame(elements, TileElements(shape, *tile)));
  }
}

TEST(RegularTile, OneElementElsewhereIsNoticed) {
  std::mt19937 random(5);
  int refused = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::vector<int64_t> shape = {4, 1 << random() % 4, 8};
    TileElements elements(shape, randomTile(random, shape, 4));
    const size_t i = random() % elements.addresses.size();
    elements.addresses[i] += 4;
    const auto tile = regular(elements.addresses, elements.mask, shape);
    if (!tile) {
      ++refused;
      continue;
    }
    // It can still be regular: the one that moved is off, or another stride explains it.
    ASSERT_TRUE(isSame(elements, TileElements(shape, *tile)));
  }
  EXPECT_GT(refused, 250);
}

} // namespace
} // namespace tilescope::model
