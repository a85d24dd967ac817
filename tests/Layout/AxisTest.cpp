// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Axis.h"

#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

namespace tilescope::layout {
namespace {

/// Every place of a tile, from the runs: who holds it along the axis.
TEST(AxisRuns, SayWhoHoldsEachIndex) {
  const std::vector<int64_t> shape = {64, 64};
  for (const LinearLayout &map : {blocked(shape, {{2, 4}, {4, 8}, {2, 2}, {1, 0}}), blocked(shape, {{1, 1}, {32, 1}, {1, 4}, {0, 1}}),
                                  mmaAccumulator(shape, {2, 2}), mmaOperand(shape, {4, 1}, 0, 16)})
    for (unsigned axis : {0u, 1u}) {
      const auto runs = axisRuns(map, axis);
      ASSERT_TRUE(runs);
      for (uint64_t index = 0; index < 64; ++index) {
        std::vector<Coordinate> inputs = {{Dim::Register, 0}, {Dim::Lane, 0}, {Dim::Warp, 0}};
        for (const AxisRun &run : *runs)
          for (Coordinate &input : inputs)
            if (input.dim == run.dim)
              input.value |= run.holderOf(index >> run.first & (run.size() - 1));
        EXPECT_EQ(map.apply(inputs)[axis].value, index);
        EXPECT_EQ(map.apply(inputs)[1 - axis].value, 0u);
      }
    }
}

TEST(AxisRuns, FollowEachOther) {
  const auto runs = axisRuns(blocked(std::vector<int64_t>{1024}, {{4}, {32}, {2}, {0}}), 0);
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 4u);
  const Dim dims[] = {Dim::Register, Dim::Lane, Dim::Warp, Dim::Register};
  const unsigned firsts[] = {0, 2, 7, 8};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*runs)[i].dim, dims[i]);
    EXPECT_EQ((*runs)[i].first, firsts[i]);
  }
}

TEST(AxisRuns, AreNotThereForSums) {
  const LinearLayout sums({{Dim::Register, 1}, {Dim::Lane, 1}, {Dim::Warp, 0}}, {{tileDim(0), 2}}, {1, 3});
  EXPECT_FALSE(axisRuns(sums, 0));
}

} // namespace
} // namespace tilescope::layout
