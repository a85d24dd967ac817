// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Swizzles that are chosen: no conflict where there need be none, by the slow count.
#include "compiler/Layout/Swizzling.h"

#include "tests/Layout/PointTable.h"
#include "tests/Layout/SlowCount.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tilescope::layout {
namespace {

using Sizes = std::vector<int64_t>;

unsigned slowWavefronts(const SharedUse &use, const LinearLayout &shared, unsigned bits) {
  const unsigned vector = sharedAccess(use.registers, shared, bits, use.direction).vector;
  const std::vector<unsigned> wavefronts =
      SlowCount(use.registers, shared, bits).wavefronts(vector, use.direction);
  return std::accumulate(wavefronts.begin(), wavefronts.end(), 0u);
}

SwizzleChoice choose(const Sizes &shape, unsigned bits, const std::vector<SharedUse> &uses) {
  const SwizzleChoice choice = chooseSwizzle(shape, bits, uses);
  const LinearLayout shared = sharedLayout(shape, choice.order, choice.swizzle);
  unsigned slow = 0;
  for (const SharedUse &use : uses)
    slow += slowWavefronts(use, shared, bits);
  EXPECT_EQ(choice.wavefronts, slow);
  return choice;
}

TEST(Swizzling, NoneForWhatIsReadAsItWasWritten) {
  const LinearLayout rows = blocked(Sizes{64, 64}, {{1, 8}, {4, 8}, {4, 1}, {1, 0}});
  const SwizzleChoice choice = choose({64, 64}, 16, {{rows, Direction::Store}, {rows, Direction::Load}});
  EXPECT_EQ(choice.order, (std::vector<unsigned>{1, 0}));
  EXPECT_EQ(choice.swizzle, Swizzle{});
  EXPECT_EQ(choice.wavefronts, 2 * 64 * 64 * 2 / 128 / 4u); // each of four warps a quarter of the tile, twice
}

TEST(Swizzling, ColumnsAreTheFastestWhereColumnsAreUsed) {
  const LinearLayout columns = blocked(Sizes{64, 64}, {{8, 1}, {8, 4}, {1, 4}, {0, 1}});
  const SwizzleChoice choice =
      choose({64, 64}, 16, {{columns, Direction::Store}, {columns, Direction::Load}});
  EXPECT_EQ(choice.order, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(choice.swizzle, Swizzle{});
}

// A transpose of words: each lane's row is exchanged by its own phase.
TEST(Swizzling, RowsReadAsColumns) {
  const LinearLayout rows = blocked(Sizes{32, 32}, {{1, 1}, {1, 32}, {4, 1}, {1, 0}}),
                     columns = blocked(Sizes{32, 32}, {{1, 1}, {32, 1}, {1, 4}, {0, 1}});
  const SwizzleChoice choice = choose({32, 32}, 32, {{rows, Direction::Store}, {columns, Direction::Load}});
  EXPECT_EQ(choice.swizzle, (Swizzle{1, 1, 32}));
  EXPECT_EQ(choice.wavefronts, 2 * 8u);
  EXPECT_EQ(choice.ideal, choice.wavefronts);
  // Without swizzling all lanes of a column are in one bank.
  const LinearLayout plain = sharedLayout(Sizes{32, 32}, choice.order);
  EXPECT_EQ(slowWavefronts({columns, Direction::Load}, plain, 32), 8 * 32u);
}

// Rows of 128 bytes come in 16 bytes a lane, and operands of products read 4 bytes a lane from eight rows.
TEST(Swizzling, OperandsOfProducts) {
  const LinearLayout rows = blocked(Sizes{64, 64}, {{1, 8}, {4, 8}, {4, 1}, {1, 0}});
  const LinearLayout operand = mmaOperand(Sizes{64, 64}, {2, 2}, 0, 16);
  const SwizzleChoice choice = choose({64, 64}, 16, {{rows, Direction::Store}, {operand, Direction::Load}});
  EXPECT_EQ(choice.swizzle, (Swizzle{8, 1, 8}));
  EXPECT_EQ(choice.ideal, choice.wavefronts);
}

TEST(Swizzling, KeepsAnOrderThatIsAskedFor) {
  const LinearLayout rows = blocked(Sizes{32, 32}, {{1, 1}, {1, 32}, {4, 1}, {1, 0}});
  const SharedUse uses[] = {{rows, Direction::Load}};
  const unsigned order[] = {0, 1};
  const SwizzleChoice choice = chooseSwizzle(Sizes{32, 32}, 32, uses, order);
  EXPECT_EQ(choice.order, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(choice.wavefronts, 8u);
}

TEST(Swizzling, TilesOfOneAndThreeDimensions) {
  const LinearLayout line = blocked(Sizes{512}, {{4}, {32}, {4}, {0}});
  EXPECT_EQ(choose({512}, 32, {{line, Direction::Store}}).order, (std::vector<unsigned>{0}));
  const LinearLayout front = blocked(Sizes{32, 4, 8}, {{1, 1, 1}, {32, 1, 1}, {1, 4, 1}, {0, 1, 2}}),
                     back = blocked(Sizes{32, 4, 8}, {{1, 1, 1}, {1, 4, 8}, {4, 1, 1}, {2, 1, 0}});
  const SwizzleChoice choice = choose({32, 4, 8}, 32, {{front, Direction::Store}, {back, Direction::Load}});
  EXPECT_EQ(choice.order.size(), 3u);
  EXPECT_LT(choice.wavefronts, 8 * 32u);
}

/// Blocked layouts of a tile for four warps.
LinearLayout someBlocked(RandomLayouts &random, const Sizes &shape) {
  auto split = [&](unsigned bits) {
    Sizes sizes(shape.size(), 1);
    for (unsigned bit = 0; bit < bits; ++bit)
      sizes[random.below(shape.size())] *= 2;
    return sizes;
  };
  Blocked parameters{split(unsigned(random.below(4))), split(5), split(2), {}};
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    parameters.order.push_back(dim);
  random.shuffle(parameters.order);
  return blocked(shape, parameters);
}

TEST(ExchangeLayout, HasNoConflictsAndIsNoWorseThanAnySwizzle) {
  RandomLayouts random(61);
  for (const Sizes &shape : {Sizes{1024}, {32, 64}, {4, 16, 16}, {8, 4}})
    for (int round = 0; round < 12; ++round) {
      const unsigned bits = 8u << random.below(4);
      const LinearLayout stored = someBlocked(random, shape), loaded = someBlocked(random, shape);
      const LinearLayout shared = exchangeLayout(stored, loaded, bits);
      EXPECT_TRUE(shared.isInjective() && shared.isSurjective());
      const SharedAccess store = sharedAccess(stored, shared, bits, Direction::Store),
                         load = sharedAccess(loaded, shared, bits, Direction::Load);
      EXPECT_EQ(store.conflicts() + load.conflicts(), 0u);
      const unsigned slow = slowWavefronts({stored, Direction::Store}, shared, bits) +
                            slowWavefronts({loaded, Direction::Load}, shared, bits);
      EXPECT_EQ(store.totalWavefronts() + load.totalWavefronts(), slow);
      const SharedUse uses[] = {{stored, Direction::Store}, {loaded, Direction::Load}};
      EXPECT_LE(slow, chooseSwizzle(shape, bits, uses).wavefronts);
    }
}

TEST(ExchangeLayout, KeepsWideAccessesOfBothSides) {
  const LinearLayout rows = blocked(Sizes{64, 64}, {{1, 8}, {4, 8}, {4, 1}, {1, 0}}),
                     wide = blocked(Sizes{64, 64}, {{1, 8}, {32, 1}, {1, 4}, {0, 1}});
  const LinearLayout shared = exchangeLayout(rows, wide, 16);
  for (const LinearLayout &registers : {rows, wide}) {
    const SharedAccess access = sharedAccess(registers, shared, 16, Direction::Store);
    EXPECT_EQ(access.vector, 8u);
    EXPECT_EQ(access.totalWavefronts(), 64 * 64 * 2 / 128 / 4u);
  }
}

} // namespace
} // namespace tilescope::layout
