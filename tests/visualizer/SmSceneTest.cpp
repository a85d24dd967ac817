// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of the mock-ups, which were computed apart from this code.
#include "tests/visualizer/Scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace tilescope;
using namespace tilescope::viz;

namespace {

TEST(SmScene, MatmulIsThreePointEightyEightWaves) {
  SmScene scene = scenes::matmul();
  EXPECT_EQ(std::lround(scene.schedule().waves * 100), 388);
  EXPECT_EQ(scene.waves(), 4);
  EXPECT_TRUE(scene.oneSlot());
  EXPECT_EQ(scene.programsIn(0), 132);
  EXPECT_EQ(scene.programsIn(3), 116) << "at work in the last wave";
  EXPECT_EQ(scene.emptySlots(3), 16) << "idle";
  EXPECT_EQ(std::lround(scene.usedShare() * 100), 97);
  EXPECT_EQ(scene.programOn(3, 48), 444);
  EXPECT_EQ(scene.programOn(3, 116), std::nullopt);
  EXPECT_EQ(scene.followed(3.1, -1), 444);
  EXPECT_EQ(scene.tiling(), Tiling::Tiles);
  EXPECT_EQ(scene.tiles().cellRows(), 32);
  EXPECT_EQ(scene.tiles().cellColumns(), 16);
}

TEST(SmScene, SoftmaxLeaves289SlotsEmpty) {
  SmScene scene = scenes::softmax();
  EXPECT_EQ(std::lround(scene.schedule().waves * 100), 86);
  EXPECT_EQ(scene.schedule().slotCount, 2112);
  EXPECT_EQ(scene.emptySlots(0), 289);
  EXPECT_EQ(scene.countGroups(0), (std::vector<std::pair<int, int>>{{14, 107}, {13, 25}}));
  EXPECT_EQ(scene.tiling(), Tiling::RowEach);
  EXPECT_EQ(scene.programOn(0, 0), std::nullopt) << "which program is where is not claimed";
}

TEST(SmScene, EveryProgramIsInOneWaveOnOneSm) {
  SmScene scene = scenes::matmul();
  std::set<int64_t> seen;
  for (int64_t wave = 0; wave < scene.waves(); ++wave)
    for (int sm = 0; sm < scene.sms(); ++sm)
      if (std::optional<int64_t> program = scene.programOn(wave, sm)) {
        EXPECT_EQ(scene.waveOf(*program), wave);
        seen.insert(*program);
      }
  EXPECT_EQ(static_cast<int64_t>(seen.size()), scene.programs());
}

TEST(SmScene, CountsOfAWaveAddUpToItsPrograms) {
  SmScene scene = scenes::severalWavesAndSlots();
  for (int64_t wave = 0; wave < scene.waves(); ++wave) {
    int64_t sum = 0;
    for (int place = 0; place < scene.sms(); ++place)
      sum += scene.countOn(wave, place);
    EXPECT_EQ(sum, scene.programsIn(wave)) << wave;
  }
}

TEST(SmScene, FollowsTheSelectedProgramInItsOwnWaveOnly) {
  SmScene scene = scenes::matmul();
  EXPECT_EQ(scene.followed(3.5, 500), 500);
  EXPECT_NE(scene.followed(0.5, 500), 500);
  EXPECT_EQ(scene.waveOf(scene.followed(0.5, 500)), 0);
  for (const scenes::Case &each : scenes::all()) {
    SmScene any = each.make();
    for (double time = 0; time <= any.clock().duration(); time += 0.25) {
      EXPECT_GE(any.followed(time, -1), 0) << each.name;
      EXPECT_LT(any.followed(time, -1), any.programs()) << each.name;
    }
  }
}

TEST(SmScene, OneDimensionalOutputIsFoldedIntoWholePrograms) {
  SmScene scene = scenes::vectorAdd();
  EXPECT_EQ(scene.tiling(), Tiling::Spans);
  EXPECT_EQ(scene.tiles().shownColumns() % 1024, 0);
  EXPECT_EQ(scene.tiles().shownRows(),
            (98432 + scene.tiles().shownColumns() - 1) / scene.tiles().shownColumns());
  EXPECT_EQ(scene.outputNotes()[0].text, "sm.output.folded");
}

TEST(SmScene, SaysWhatIsNotKnown) {
  EXPECT_EQ(scenes::softmax().unknownLimits().text, "sm.limit.unknown");
  EXPECT_EQ(scenes::matmul().unknownLimits().text, "sm.limit.unknown-registers");
  protocol::Schedule plan = scenes::schedule(512, 1, 8);
  plan.limits.push_back({"sharedMemory", 1, 1, 2, true});
  plan.limits.push_back({"registers", 2, 1, 2, false});
  SmScene scene = scenes::matmul();
  scene.setSchedule(plan);
  EXPECT_TRUE(scene.unknownLimits().empty());
  plan.limits.back().programs.reset();
  scene.setSchedule(plan);
  EXPECT_EQ(scene.unknownLimits().text, "sm.limit.unknown-registers");
  EXPECT_EQ(scene.limits().size(), 3u) << "what is not known has no bar";
}

TEST(SmScene, LimitsAreSharesOfWhatTheGpuTakes) {
  std::vector<LimitBar> bars = scenes::matmul().limits();
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_EQ(bars[0].resource.text, "sm.limit.sharedMemory");
  EXPECT_TRUE(bars[0].limiting);
  EXPECT_DOUBLE_EQ(bars[0].share, 1.0 / 32);
  EXPECT_DOUBLE_EQ(bars[1].share, 8.0 / 32);
  EXPECT_DOUBLE_EQ(bars[2].share, 1);
}

TEST(SmScene, ProgramsThatWroteNothingAreCounted) {
  SmScene scene = scenes::batched();
  // 7, 18, 29 and 40.
  EXPECT_EQ(scene.tiles().idlePrograms(), 4);
  EXPECT_EQ(scene.outputNotes().back(), phrases::counted("sm.output.wrote-nothing", 4));
  EXPECT_EQ(scene.programTile(7).text, "sm.tile.nothing");
}

TEST(SmScene, NarrationFollowsTime) {
  SmScene scene = scenes::matmul();
  EXPECT_EQ(scene.narration(0).text, "sm.narration.start");
  EXPECT_EQ(scene.narration(0.5).text, "sm.narration.run-sms");
  EXPECT_EQ(scene.narration(3.1), phrases::counted("sm.narration.last-sms", 116,
                                                   {phrases::integer(4), phrases::integer(4),
                                                    phrases::integer(16), phrases::counted("sm.sms", 132)}));
  EXPECT_EQ(scene.narration(4).text, "sm.narration.end");
  EXPECT_EQ(scenes::single().narration(0.5).text, "sm.narration.one-program");
  EXPECT_EQ(scenes::softmax().narration(1).number, 1823);
}

TEST(SmScene, ColoursRunFromSixToNinetySixPercent) {
  SmScene scene = scenes::matmul();
  EXPECT_DOUBLE_EQ(scene.scalePosition(0), 0.06);
  EXPECT_DOUBLE_EQ(scene.scalePosition(511), 0.96);
  EXPECT_DOUBLE_EQ(scenes::single().scalePosition(0), 0.06);
}

TEST(SmScene, RevisionsAreNeverTheSame) {
  SmScene first = scenes::single(), second = scenes::single();
  EXPECT_NE(first.revision(), second.revision());
  uint64_t before = first.revision();
  first.setSchedule(scenes::schedule(1, 1, 4));
  EXPECT_NE(first.revision(), before);
}

} // namespace
