// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves: the figures of the mock-ups sm-map and sm-map-softmax, and blocks measured on an H200
// (data/h200-block-to-sm.csv: 528 blocks of 200, 100 and 50 KiB of shared memory; SM and time of each).
#include "compiler/Model/Schedule.h"
#include "compiler/Model/Occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace tilescope::model {
namespace {

TEST(Schedule, MatmulOfTheMockUp) {
  Schedule schedule(512, 132, 1);
  EXPECT_NEAR(schedule.waves(), 3.88, 0.005);
  EXPECT_EQ(schedule.waveCount(), 4);
  EXPECT_TRUE(schedule.hasTail());
  EXPECT_EQ(schedule.wave(2), (Wave{264, 132}));
  EXPECT_EQ(schedule.wave(3), (Wave{396, 116}));
  EXPECT_EQ(schedule.idleSms(2), 0);
  EXPECT_EQ(schedule.idleSms(3), 16);
}

TEST(Schedule, WithOneSlotAProgramHasItsSm) {
  Schedule schedule(512, 132, 1);
  EXPECT_EQ(schedule.smOf(0), 0);
  EXPECT_EQ(schedule.smOf(133), 1);
  EXPECT_EQ(schedule.waveOf(133), 1);
  EXPECT_EQ(schedule.programOn(3, 115), 511);
  EXPECT_EQ(schedule.programOn(3, 116), std::nullopt);
  EXPECT_EQ(schedule.smOf(512), std::nullopt);
}

TEST(Schedule, SoftmaxOfTheMockUp) {
  Schedule schedule(1823, 132, 16);
  EXPECT_EQ(schedule.slots(), 2112);
  EXPECT_NEAR(schedule.waves(), 0.86, 0.005);
  EXPECT_EQ(schedule.waveCount(), 1);
  EXPECT_FALSE(schedule.hasTail());
  EXPECT_EQ(schedule.emptySlots(0), 289);
  std::vector<int> held = schedule.programsPerSm(0);
  EXPECT_EQ(std::ranges::count(held, 14), 107);
  EXPECT_EQ(std::ranges::count(held, 13), 25);
  EXPECT_TRUE(std::ranges::is_sorted(held, std::greater<>()));
}

TEST(Schedule, WithSeveralSlotsNoPlaceIsClaimed) {
  Schedule schedule(1823, 132, 16);
  EXPECT_EQ(schedule.smOf(0), std::nullopt);
  EXPECT_EQ(schedule.programOn(0, 0), std::nullopt);
}

TEST(Schedule, Edges) {
  EXPECT_EQ(Schedule(0, 40, 1).waveCount(), 0);
  EXPECT_EQ(Schedule(0, 40, 1).idleSms(0), 40);
  Schedule full(264, 132, 2);
  EXPECT_EQ(full.waveCount(), 1);
  EXPECT_FALSE(full.hasTail());
  Schedule one(265, 132, 2);
  EXPECT_EQ(one.wave(1), (Wave{264, 1}));
  EXPECT_TRUE(one.hasTail());
  EXPECT_EQ(one.idleSms(1), 131);
}

struct MeasuredBlock {
  int block, sm;
  int64_t begin, end;
};

/// The blocks of each run, by KiB of shared memory.
std::map<int, std::vector<MeasuredBlock>> measuredBlocks() {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Model/data/h200-block-to-sm.csv");
  std::string line;
  std::getline(file, line);
  std::map<int, std::vector<MeasuredBlock>> runs;
  while (std::getline(file, line)) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream fields(line);
    int kib = 0;
    MeasuredBlock block{};
    fields >> kib >> block.block >> block.sm >> block.begin >> block.end;
    runs[kib].push_back(block);
  }
  return runs;
}

/// Blocks in the order of launch, cut into waves of the model, on the SMs where they ran.
TEST(Schedule, WavesAndCountsAgreeWithTheMeasuredH200) {
  const Gpu &gpu = *findGpu("h200");
  auto runs = measuredBlocks();
  ASSERT_EQ(runs.size(), 3u);
  for (const auto &[kib, blocks] : runs) {
    SCOPED_TRACE(kib);
    int slots = occupancy(gpu.sm, {.warps = 4, .sharedBytes = kib * 1024}).programsPerSm;
    Schedule schedule(std::ssize(blocks), gpu.sms, slots);
    for (int64_t wave = 0; wave < schedule.waveCount(); ++wave) {
      std::map<int, int> perSm;
      for (const MeasuredBlock &block : blocks)
        if (schedule.waveOf(block.block) == wave)
          ++perSm[block.sm];
      std::vector<int> measured;
      for (auto [sm, count] : perSm)
        measured.push_back(count);
      EXPECT_EQ(measured, schedule.programsPerSm(wave));
    }
  }
}

// A launch of fewer programs than slots is the first of them: with one slot the counts are exact, with
// several no SM is off by more than one, and no fewer idle than modelled.
TEST(Schedule, PartlyFilledWavesAreWithinOneProgramOfTheMeasuredH200) {
  for (const auto &[kib, blocks] : measuredBlocks()) {
    const int slots = 200 / kib;
    std::vector<int> measured(132, 0);
    for (int64_t count = 1; count <= 132 * slots; ++count) {
      ++measured[blocks[size_t(count - 1)].sm];
      std::vector<int> sorted = measured;
      std::ranges::sort(sorted, std::greater<>());
      const Schedule schedule(count, 132, slots);
      const std::vector<int> modelled = schedule.programsPerSm(0);
      for (size_t sm = 0; sm < 132; ++sm)
        ASSERT_LE(std::abs(sorted[sm] - modelled[sm]), slots == 1 ? 0 : 1) << kib << ", " << count;
      ASSERT_GE(std::ranges::count(sorted, 0), schedule.idleSms(0)) << kib << ", " << count;
    }
  }
}

TEST(Schedule, MeasuredWavesFollowOneAnother) {
  for (const auto &[kib, blocks] : measuredBlocks()) {
    Schedule schedule(std::ssize(blocks), 132, 200 / kib);
    std::vector<int64_t> begins(schedule.waveCount(), INT64_MAX), ends(schedule.waveCount(), INT64_MAX);
    for (const MeasuredBlock &block : blocks) {
      int64_t wave = schedule.waveOf(block.block);
      begins[wave] = std::min(begins[wave], block.begin);
      ends[wave] = std::min(ends[wave], block.end);
    }
    for (size_t wave = 1; wave < begins.size(); ++wave)
      EXPECT_GE(begins[wave], ends[wave - 1]) << kib;
  }
}

} // namespace
} // namespace tilescope::model
