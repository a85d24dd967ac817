// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole launches, against what Nsight Compute counted on an H200 and the figures of the mock-ups.
#include "compiler/Layout/Constructors.h"
#include "compiler/Model/DistinctSectors.h"
#include "compiler/Model/TileTraffic.h"

#include <gtest/gtest.h>

namespace tilescope::model {
namespace {

/// A tensor of floats, at an address as allocators give them, read in tiles of 1024 by 4 warps.
struct Launch {
  int64_t perThread;       ///< neighbours of a thread; as many are aligned
  int64_t programs, pitch; ///< floats from one program to the next
  int64_t length;          ///< of a row, or of the whole tensor where there are no rows
  bool hasRows;

  TileCounts counts;
  int64_t distinct = 0;

  void run() {
    constexpr uint64_t base = 0x7f4a'0000'0200;
    TileTraffic traffic(planAccess(layout::blocked(std::vector<int64_t>{1024}, {{perThread}, {32}, {4}, {0}}),
                                   4, AccessKind::Load, 0, unsigned(perThread)));
    DistinctSectors sectors;
    for (int64_t program = 0; program < programs; ++program) {
      const int64_t left = hasRows ? length : length - program * pitch;
      const RegularTile tile{.start = base + uint64_t(program * pitch * 4),
                             .axes = {{{4, 0, std::min<int64_t>(left, 1024)}}},
                             .rank = 1};
      counts += traffic.count(tile);
      sectors.add(tile, 4);
    }
    distinct = sectors.count();
  }
};

Launch softmax(int64_t rows, int64_t columns, int64_t perThread) {
  Launch launch{perThread, rows, columns, columns, true};
  launch.run();
  return launch;
}

// Rows start unaligned: 4-byte loads.
TEST(LaunchTraffic, SoftmaxOf1823Rows) {
  const Launch launch = softmax(1823, 781, 1);
  EXPECT_EQ(launch.counts.instructions, 1823 * 32);
  EXPECT_EQ(launch.counts.global.requests, 45'575);
  EXPECT_EQ(launch.counts.global.sectors, 217'846);
  EXPECT_EQ(launch.counts.global.bytesUsed, 1823 * 781 * 4);
  EXPECT_EQ(launch.distinct, 177'971);
}

TEST(LaunchTraffic, SoftmaxOf256RowsMeasured) {
  const Launch launch = softmax(256, 781, 1);
  EXPECT_EQ(launch.counts.global.requests, 6'400);
  EXPECT_EQ(launch.counts.global.sectors, 30'592);
}

// Rows of 1024 are aligned: nothing is asked for twice.
TEST(LaunchTraffic, AlignedRowsAskForNothingTwice) {
  const Launch launch = softmax(100, 1024, 4);
  EXPECT_EQ(launch.counts.global.sectors, 100 * 1024 * 4 / 32);
  EXPECT_EQ(launch.distinct, launch.counts.global.sectors);
}

TEST(LaunchTraffic, VectorAddMeasured) {
  Launch launch{4, 97, 1024, 98'432, false};
  launch.run();
  EXPECT_EQ(launch.counts.global.requests, 769);
  EXPECT_EQ(launch.counts.global.sectors, 12'304);
  EXPECT_EQ(launch.distinct, 12'304);
}

} // namespace
} // namespace tilescope::model
