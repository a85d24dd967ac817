// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one warp's access costs: every row that Nsight Compute counted on an H200 (compute capability 9.0,
// `--clock-control none`, kernels of one warp and one access), then masks.
#include "compiler/Layout/Conflicts.h"
#include "compiler/Layout/Constructors.h"
#include "compiler/Model/AccessPlan.h"
#include "compiler/Model/GlobalAccess.h"
#include "compiler/Model/SharedAccess.h"
#include "tests/Layout/PointTable.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

namespace tilescope::model {
namespace {

struct Measured {
  const char *pattern;
  std::function<uint64_t(uint64_t l, uint64_t W)> offset;
  unsigned width;
  int64_t sectors, loadWavefronts, storeWavefronts;
};

void PrintTo(const Measured &row, std::ostream *out) { *out << row.pattern << ", " << row.width << " bytes"; }

std::vector<Measured> measuredRows() {
  struct Pattern {
    const char *text;
    std::function<uint64_t(uint64_t, uint64_t)> offset;
    std::vector<int64_t> sectors, loads, stores; ///< of 4, 8 and 16 bytes
  };
  const Pattern patterns[] = {
      {"o = l*W", [](auto l, auto W) { return l * W; }, {4, 8, 16}, {1, 2, 4}, {1, 2, 4}},
      {"o = 2*l*W", [](auto l, auto W) { return 2 * l * W; }, {8, 16, 32}, {2, 4, 8}, {2, 4, 8}},
      {"o = 128*l", [](auto l, auto) { return 128 * l; }, {32, 32, 32}, {32, 32, 32}, {32, 32, 32}},
      {"o = 0", [](auto, auto) { return uint64_t(0); }, {1, 1, 1}, {1, 1, 1}, {1, 2, 4}},
      {"o = (l/2)*W", [](auto l, auto W) { return l / 2 * W; }, {2, 4, 8}, {1, 1, 2}, {1, 2, 4}},
      {"o = 144*l", [](auto l, auto) { return 144 * l; }, {32, 32, 32}, {4, 4, 4}, {4, 4, 4}},
      {"o = 128*(l%8) + 16*((l/8)^(l%8))",
       [](auto l, auto) { return 128 * (l % 8) + 16 * ((l / 8) ^ (l % 8)); },
       {16, 16, 16},
       {4, 4, 4},
       {4, 4, 4}},
      {"o = (l%16)*W + (l/16)*32*W",
       [](auto l, auto W) { return l % 16 * W + l / 16 * 32 * W; },
       {4, 8, 16},
       {2, 2, 4},
       {2, 2, 4}},
      {"o = l*W + W", [](auto l, auto W) { return l * W + W; }, {5, 9, 17}, {1, 2, 4}, {1, 2, 4}},
      {"o = 512*l", [](auto l, auto) { return 512 * l; }, {32}, {32}, {32}},
  };
  std::vector<Measured> rows;
  for (const Pattern &pattern : patterns)
    for (size_t i = 0; i < pattern.sectors.size(); ++i)
      rows.push_back(
          {pattern.text, pattern.offset, 4u << i, pattern.sectors[i], pattern.loads[i], pattern.stores[i]});
  return rows;
}

class H200 : public testing::TestWithParam<Measured> {
protected:
  WarpAccess access(uint64_t base = 0) const {
    WarpAccess access{.widthBytes = GetParam().width};
    for (unsigned lane = 0; lane < 32; ++lane)
      access.set(lane, base + GetParam().offset(lane, GetParam().width));
    return access;
  }
};

TEST_P(H200, GlobalRequestsAndSectors) {
  for (uint64_t base : {uint64_t(0), uint64_t(0x7f0000000400)}) {
    const GlobalCounts counts = globalAccess(access(base));
    EXPECT_EQ(counts.requests, 1);
    EXPECT_EQ(counts.sectors, GetParam().sectors);
  }
}

TEST_P(H200, SharedWavefronts) {
  EXPECT_EQ(sharedAccess(access(), SharedDirection::Load).wavefronts, GetParam().loadWavefronts);
  EXPECT_EQ(sharedAccess(access(), SharedDirection::Store).wavefronts, GetParam().storeWavefronts);
}

INSTANTIATE_TEST_SUITE_P(GroundTruth, H200, testing::ValuesIn(measuredRows()));

TEST(GlobalAccess, LanesThatAreOffDoNotCount) {
  WarpAccess access;
  EXPECT_EQ(globalAccess(access), GlobalCounts{});
  access.set(5, 4096);
  access.set(9, 4100);
  access.addresses[20] = 1 << 20;
  EXPECT_EQ(globalAccess(access), (GlobalCounts{.requests = 1, .sectors = 1, .bytesUsed = 8}));
}

TEST(GlobalAccess, UsedBytesAreCountedOnce) {
  WarpAccess access{.widthBytes = 8};
  for (unsigned lane = 0; lane < 32; ++lane)
    access.set(lane, lane / 4 * 64);
  const GlobalCounts counts = globalAccess(access);
  EXPECT_EQ(counts.bytesUsed, 8 * 8);
  EXPECT_EQ(counts.bytesRequested(), 8 * 32);
}

// Any addresses, any mask: sectors and bytes as sets.
TEST(GlobalAccess, AgreesWithSetsOfBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    WarpAccess access{.widthBytes = 1u << random() % 5};
    const uint64_t range = 16ull << random() % 10;
    std::set<uint64_t> sectors, bytes;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (random() % 4 == 0)
        continue;
      access.set(lane, random() % range * access.widthBytes);
      for (uint64_t byte = 0; byte < access.widthBytes; ++byte) {
        bytes.insert(access.addresses[lane] + byte);
        sectors.insert((access.addresses[lane] + byte) / 32);
      }
    }
    const GlobalCounts counts = globalAccess(access);
    ASSERT_EQ(counts.sectors, std::ssize(sectors));
    ASSERT_EQ(counts.bytesUsed, std::ssize(bytes));
  }
}

TEST(SharedAccess, ConflictsAreWavefrontsBeyondOneAPhase) {
  WarpAccess access{.widthBytes = 16};
  for (unsigned lane = 0; lane < 32; ++lane)
    access.set(lane, lane * 16);
  EXPECT_EQ(sharedAccess(access, SharedDirection::Load).ideal, 4);
  EXPECT_EQ(sharedAccess(access, SharedDirection::Load).conflicts(), 0);
  for (unsigned lane = 0; lane < 32; ++lane)
    access.set(lane, lane * 32);
  EXPECT_EQ(sharedAccess(access, SharedDirection::Store).conflicts(), 4);
  access.active = 0xff; // one phase
  EXPECT_EQ(sharedAccess(access, SharedDirection::Store), (SharedCounts{1, 2, 1}));
  access.active = 0;
  EXPECT_EQ(sharedAccess(access, SharedDirection::Load), SharedCounts{});
}

// The mock-up's conflict: one phase of 8 lanes whose rows of 128 bytes all start in bank 0.
TEST(SharedAccess, RowsOf128BytesStackInOnePhase) {
  WarpAccess access{.widthBytes = 16};
  for (unsigned lane = 0; lane < 8; ++lane)
    access.set(lane, lane * 128);
  EXPECT_EQ(sharedAccess(access, SharedDirection::Load), (SharedCounts{1, 8, 1}));
  for (unsigned lane = 0; lane < 8; ++lane)
    access.set(lane, lane * 128 + lane * 16); // swizzled
  EXPECT_EQ(sharedAccess(access, SharedDirection::Load), (SharedCounts{1, 1, 1}));
}

// Lane by lane is what the layouts say by linear algebra.
TEST(SharedAccess, AgreesWithConflictsOfLayouts) {
  using namespace layout;
  RandomLayouts random(11);
  const std::vector<int64_t> shape = {32, 64};
  for (int round = 0; round < 100; ++round) {
    const int64_t perThread = int64_t(1) << random.below(4), across = int64_t(1) << random.below(6);
    const LinearLayout registers = blocked(shape, {{1, perThread}, {32 / across, across}, {1, 1}, {1, 0}});
    const LinearLayout shared =
        sharedLayout(shape, std::vector<unsigned>{1, 0},
                     {1u << random.below(4), 1u << random.below(3), 1u << random.below(4)});
    const LinearLayout inverse = shared.inverse();
    for (Direction direction : {Direction::Load, Direction::Store}) {
      const layout::SharedAccess wanted = layout::sharedAccess(registers, shared, 16, direction);
      const auto plan = planAccessOfWidth(registers, 2, AccessKind::Load, 1, wanted.vector);
      ASSERT_TRUE(plan.has_value());
      WarpAccess access{.widthBytes = plan->widthBytes()};
      for (unsigned lane = 0; lane < 32; ++lane)
        access.set(lane, 2 * inverse.packOutput(
                                 inverse.apply(shared.unpackOutput(plan->elements(0, 0, lane)->first()))));
      const SharedCounts counts = model::sharedAccess(
          access, direction == Direction::Load ? SharedDirection::Load : SharedDirection::Store);
      EXPECT_EQ(counts.wavefronts, wanted.wavefronts);
      EXPECT_EQ(counts.ideal, wanted.ideal);
    }
  }
}

} // namespace
} // namespace tilescope::model
