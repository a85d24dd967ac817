// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/TileMap.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope::viz;
using tilescope::protocol::TilePage;

namespace {

TilePage page(int64_t first, std::vector<TileRect> tiles) {
  TilePage page;
  page.first = first;
  for (const TileRect &tile : tiles)
    page.tiles.values.insert(page.tiles.values.end(),
                             {tile.rowBegin, tile.rowEnd, tile.columnBegin, tile.columnEnd});
  return page;
}

TEST(TileMap, KnowsWhatHasComeAndWhatIsMissing) {
  TileMap map(4, 4, 4);
  map.add(page(2, {{2, 4, 0, 2}, {}}));
  EXPECT_EQ(map.known(), 2);
  EXPECT_EQ(map.firstUnknown(), 0);
  EXPECT_EQ(map.idlePrograms(), 1);
  map.add(page(0, {{0, 2, 0, 2}, {0, 2, 2, 4}}));
  EXPECT_TRUE(map.complete());
  EXPECT_EQ(map.firstUnknown(), 4);
  EXPECT_EQ(map.programAt(0, 0), 0);
  EXPECT_EQ(map.programAt(1.5, 2), 1);
  EXPECT_EQ(map.programAt(3, 1), 2);
  EXPECT_EQ(map.programAt(3, 3), -1) << "nobody wrote there";
  EXPECT_EQ(map.programAt(-1, 0), -1);
  EXPECT_EQ(map.programAt(4, 0), -1);
}

TEST(TileMap, IgnoresWhatIsOutsideTheGrid) {
  TileMap map(2, 2, 1);
  map.add(page(-1, {{0, 1, 0, 1}, {0, 2, 0, 2}, {0, 1, 0, 1}}));
  EXPECT_EQ(map.known(), 1);
  EXPECT_EQ(map.tile(0), (TileRect{0, 2, 0, 2}));
  EXPECT_TRUE(map.tile(1).empty());
}

TEST(TileMap, AgreesWithAPictureElementByElement) {
  std::mt19937 random(7);
  auto below = [&](int limit) { return static_cast<int32_t>(random() % static_cast<uint32_t>(limit)); };
  for (int round = 0; round < 50; ++round) {
    std::vector<int32_t> expected(20 * 30, -1);
    std::vector<TileRect> tiles;
    for (int32_t program = 0; program < 12; ++program) {
      TileRect tile{below(20), 0, below(30), 0};
      tile.rowEnd = tile.rowBegin + 1 + below(20 - tile.rowBegin);
      tile.columnEnd = tile.columnBegin + 1 + below(30 - tile.columnBegin);
      tiles.push_back(tile);
      for (int row = tile.rowBegin; row < tile.rowEnd; ++row)
        for (int column = tile.columnBegin; column < tile.columnEnd; ++column)
          expected[static_cast<size_t>(row * 30 + column)] = program;
    }
    TileMap map(20, 30, 12);
    map.add(page(0, tiles));
    for (int row = 0; row < 20; ++row)
      for (int column = 0; column < 30; ++column)
        ASSERT_EQ(map.programAt(row + 0.5, column + 0.5), expected[static_cast<size_t>(row * 30 + column)]);
  }
}

TEST(TileMap, CountsCellsThatSeveralWrote) {
  TileMap map(2, 4, 3);
  map.add(page(0, {{0, 2, 0, 2}, {0, 2, 2, 4}, {1, 2, 0, 4}}));
  EXPECT_EQ(map.sharedCells(), 2);
}

TEST(TileMap, FoldsAOneDimensionalTensorIntoRows) {
  TileMap map(1, 10, 3);
  map.add(page(0, {{0, 1, 0, 4}, {0, 1, 4, 8}, {0, 1, 8, 10}}));
  map.foldInto(4);
  EXPECT_EQ(map.shownRows(), 3);
  EXPECT_EQ(map.shownColumns(), 4);
  EXPECT_EQ(map.programAt(1, 3), 1);
  EXPECT_EQ(map.programAt(2, 1), 2);
  EXPECT_EQ(map.programAt(2, 3), -1) << "after the last element";
  map.foldInto(3);
  EXPECT_EQ(map.pieces(map.tile(1)), (std::vector<TileRect>{{1, 2, 1, 3}, {2, 3, 0, 2}}))
      << "split at a row's end";
}

TEST(TileMap, StaysWithinItsCellsForScatteredTiles) {
  constexpr int64_t Programs = 5000;
  TileMap map(10 * Programs, 10 * Programs, Programs);
  std::vector<TileRect> tiles;
  for (int32_t program = 0; program < Programs; ++program)
    tiles.push_back({10 * program, 10 * program + 5, 10 * program, 10 * program + 5});
  map.add(page(0, tiles));
  EXPECT_LE(map.cellRows() * map.cellColumns(), TileMap::MaxCells);
  EXPECT_GT(map.cellRows() * map.cellColumns(), TileMap::MaxCells / 8);
}

} // namespace
