// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of layouts: each constructor's is recognised, and what is recognised as blocked can be made again.
#include "compiler/Layout/Kind.h"

#include "tests/Layout/PointTable.h"

#include <gtest/gtest.h>

namespace tilescope::layout {
namespace {

using Sizes = std::vector<int64_t>;

int64_t product(const Sizes &sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

TEST(Kind, OfBlockedLayouts) {
  RandomLayouts random(31);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rank = 1 + random.below(3);
    auto split = [&](int bits) {
      Sizes sizes(rank, 1);
      for (int bit = 0; bit < bits; ++bit)
        sizes[random.below(rank)] *= 2;
      return sizes;
    };
    Blocked parameters{split(int(random.below(3))), split(5), split(int(random.below(4))), {0}};
    for (unsigned dim = 1; dim < rank; ++dim)
      parameters.order.push_back(dim);
    random.shuffle(parameters.order);
    const Sizes shape = split(int(random.below(12)));
    const LinearLayout layout = blocked(shape, parameters);
    const auto found = asBlocked(layout);
    ASSERT_TRUE(found);
    EXPECT_EQ(blocked(shape, *found), layout);
    EXPECT_EQ(product(found->threadsPerWarp), 32);
    EXPECT_EQ(product(found->warps), product(parameters.warps));
  }
}

// A tile that is larger than what the program holds at once leaves no choice of parameters.
TEST(Kind, BlockedParametersOfALargeTile) {
  const Blocked parameters{{2, 4}, {4, 8}, {2, 2}, {1, 0}};
  const auto found = asBlocked(blocked(Sizes{64, 256}, parameters));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sizePerThread, parameters.sizePerThread);
  EXPECT_EQ(found->threadsPerWarp, parameters.threadsPerWarp);
  EXPECT_EQ(found->warps, parameters.warps);
  EXPECT_EQ(found->order, parameters.order);
}

TEST(Kind, OfTensorCores) {
  for (TensorCore warps : {TensorCore{1, 1}, {2, 2}, {4, 1}, {1, 4}, {8, 1}, {2, 4}}) {
    for (const Sizes &shape : {Sizes{16, 8}, {64, 64}, {128, 32}, {32, 256}})
      EXPECT_EQ(kind(mmaAccumulator(shape, warps)), "mma");
    for (unsigned bits : {8, 16, 32}) {
      // An accumulator whose warps share no rows is already what the next product reads as 16-bit rows.
      const bool isBoth = bits == 16 && warps.warpsN == 1;
      EXPECT_EQ(kind(mmaOperand(Sizes{128, 64}, warps, 0, bits)), isBoth ? "mma" : "operand");
      // Columns lie in lanes as in Triton's blocked layouts of order [0, 1].
      EXPECT_EQ(kind(mmaOperand(Sizes{64, 128}, warps, 1, bits)), warps.warpsM == 1 ? "blocked" : "operand");
    }
  }
  EXPECT_EQ(kind(mmaAccumulator(Sizes{4, 32, 32}, {2, 1, 2})), "mma");
  EXPECT_EQ(kind(mmaOperand(Sizes{4, 32, 32}, {2, 1, 2}, 0, 32)), "operand");
  for (unsigned n : {8, 32, 256}) {
    EXPECT_EQ(kind(wgmmaAccumulator(Sizes{128, 256}, {4, 1}, n)), "mma");
    EXPECT_EQ(kind(wgmmaAccumulator(Sizes{64, 256}, {4, 2}, n)), "mma");
  }
  EXPECT_EQ(kind(wgmmaOperand(Sizes{128, 64}, {4, 2}, 8)), "operand");
}

TEST(Kind, OfSharedMemory) {
  const unsigned order[] = {1, 0};
  EXPECT_EQ(kind(sharedLayout(Sizes{64, 64}, order)), "shared");
  EXPECT_EQ(kind(sharedLayout(Sizes{64, 64}, order, {8, 1, 8})), "shared");
  EXPECT_EQ(kind(nvmmaShared(Sizes{64, 128}, 16, 128)), "shared");
}

TEST(Kind, OfWhatReductionsAndBroadcastsLeave) {
  const LinearLayout rows = blocked(Sizes{64, 32}, {{1, 4}, {4, 8}, {4, 1}, {1, 0}});
  EXPECT_EQ(kind(slice(rows, 1)), "slice");
  EXPECT_EQ(kind(slice(mmaAccumulator(Sizes{64, 64}, {4, 1}), 1)), "slice");
  // Along rows alone the copies come last, as they do in a small blocked tile.
  EXPECT_EQ(kind(slice(rows, 0)), "blocked");
  EXPECT_EQ(kind(squeezed(rows, {{1}})), "blocked");
}

TEST(Kind, OfProductsWithoutTensorCores) {
  EXPECT_EQ(kind(fmaOperand(Sizes{64, 16}, {{2, 2}, {4, 8}, {2, 2}, {1, 0}}, 0)), "blocked");
}

TEST(Kind, OfAnythingElse) {
  EXPECT_EQ(kind(LinearLayout({{Dim::Register, 0}, {Dim::Lane, 5}, {Dim::Warp, 0}}, {{tileDim(0), 5}},
                              {1, 2, 4, 8, 31})),
            "linear");
  // Bits in another order than any blocked layout has them.
  EXPECT_EQ(kind(LinearLayout({{Dim::Register, 0}, {Dim::Lane, 5}, {Dim::Warp, 0}}, {{tileDim(0), 5}},
                              {2, 1, 4, 8, 16})),
            "linear");
}

} // namespace
} // namespace tilescope::layout
