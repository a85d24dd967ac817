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

/// The lines of the indented block that follows `<!-- table: name -->` in the page, less its indentation.
std::string tableOfPage(const std::string &name) {
  std::ifstream page(TILESCOPE_SOURCE_DIR "/compiler/docs/layout.md");
  std::string text;
  bool isIn = false;
  for (std::string line; std::getline(page, line);) {
    if (isIn && !line.starts_with("    "))
      break;
    if (isIn)
      text += line.substr(4) + "\n";
    isIn = isIn || line == "<!-- table: " + name + " -->";
  }
  return text;
}

std::string firstLines(const std::string &text, int count) {
  std::size_t end = 0;
  while (count-- > 0)
    end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

TEST(Text, TheTablesOfThePageAreRight) {
  EXPECT_EQ(tableOfPage("blocked"), table(blocked(Sizes{4, 8}, {{1, 2}, {4, 8}, {1, 1}, {1, 0}})));
  EXPECT_EQ(tableOfPage("mma"), firstLines(table(mmaAccumulator(Sizes{16, 8}, {})), 8));
  EXPECT_EQ(tableOfPage("shared"), table(sharedLayout(Sizes{4, 8}, std::vector<unsigned>{1, 0}, {2, 1, 4})));
  const Coordinate place[] = {{Dim::Register, 3}, {Dim::Lane, 6}};
  EXPECT_EQ(mmaAccumulator(Sizes{16, 8}, {}).apply(place),
            (std::vector<Coordinate>{{tileDim(0), 9}, {tileDim(1), 5}}));
}

} // namespace
} // namespace tilescope::layout
