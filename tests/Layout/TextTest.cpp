// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts as text, and the tables of compiler/docs/layout.md.
#include "compiler/Layout/Text.h"

#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tilescope::layout {
namespace {

using Sizes = std::vector<int64_t>;

TEST(Text, SaysWhatEachBitAdds) {
  EXPECT_EQ(
      text(mmaAccumulator(Sizes{16, 16}, {})),
      "{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []}");
  EXPECT_EQ(text(sharedLayout(Sizes{4}, std::vector<unsigned>{0})), "{offset = [[1], [2]]}");
  EXPECT_EQ(text(LinearLayout()), "{}");
}

TEST(Text, TablesShowTheFirstHolderOfEachElement) {
  // Lanes 0 to 3 hold two neighbours each; lanes from 4 on hold copies.
  EXPECT_EQ(table(blocked(Sizes{8}, {{2}, {32}, {1}, {0}})), " 0:0  0:1  1:0  1:1  2:0  2:1  3:0  3:1\n");
  EXPECT_EQ(table(blocked(Sizes{2, 32}, {{1, 1}, {1, 32}, {2, 1}, {1, 0}})).substr(0, 14), " 0/0:0  0/1:0 ");
  EXPECT_EQ(table(sharedLayout(Sizes{2, 4}, std::vector<unsigned>{1, 0}, {2, 1, 2})), "0 1 2 3\n6 7 4 5\n");
  EXPECT_EQ(table(sharedLayout(Sizes{2, 2}, std::vector<unsigned>{0, 1})), "0 2\n1 3\n");
  // An element that nobody holds.
  EXPECT_EQ(table(LinearLayout({{Dim::Offset, 1}}, {{tileDim(0), 2}}, {2})), "0 - 1 -\n");
}

} // namespace
} // namespace tilescope::layout
