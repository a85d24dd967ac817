// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/WaveClock.h"

#include <gtest/gtest.h>

using tilescope::viz::WaveClock;

namespace {

TEST(WaveClock, EventsAndTimesMapBothWays) {
  for (int64_t waves : {1, 4, 7577}) {
    WaveClock clock(waves);
    ASSERT_EQ(clock.eventCount(), 3 * waves + 1);
    for (int64_t event = 0; event < clock.eventCount(); ++event)
      ASSERT_EQ(clock.eventAt(clock.timeOf(event)), event) << waves;
    for (int64_t event = 1; event < clock.eventCount(); ++event)
      ASSERT_LT(clock.timeOf(event - 1), clock.timeOf(event));
  }
}

TEST(WaveClock, KindsOfEventsInOrder) {
  using Event = WaveClock::Event;
  WaveClock clock(2);
  std::vector<Event> kinds;
  for (int64_t event = 0; event < clock.eventCount(); ++event)
    kinds.push_back(clock.kindOf(event));
  EXPECT_EQ(kinds, (std::vector<Event>{Event::Start, Event::Travel, Event::Running, Event::Start,
                                       Event::Travel, Event::Running, Event::End}));
  EXPECT_EQ(clock.timeOf(6), 2);
}

TEST(WaveClock, SteppingForwardAndBackVisitsTheSameTimes) {
  WaveClock clock(3);
  std::vector<double> forward{0}, back{clock.duration()};
  for (double time = 0; time < clock.duration();)
    forward.push_back(time = clock.next(time));
  for (double time = clock.duration(); time > 0;)
    back.push_back(time = clock.previous(time));
  EXPECT_EQ(forward.size(), 10u);
  EXPECT_EQ(std::vector<double>(back.rbegin(), back.rend()), forward);
}

TEST(WaveClock, SteppingFromBetweenEventsGoesToTheNeighbours) {
  WaveClock clock(4);
  EXPECT_EQ(clock.next(3.5), 4);
  EXPECT_NEAR(clock.previous(3.5), 3.1, 1e-12);
  EXPECT_EQ(clock.next(4), 4) << "the end stays";
  EXPECT_EQ(clock.previous(0), 0) << "the start stays";
}

TEST(WaveClock, TheEndBelongsToTheLastWave) {
  WaveClock clock(4);
  EXPECT_EQ(clock.waveAt(0), 0);
  EXPECT_EQ(clock.waveAt(3.999), 3);
  EXPECT_EQ(clock.waveAt(4), 3);
  EXPECT_EQ(clock.phaseAt(4), 1);
}

TEST(WaveClock, TilesTravelInOrderAndAllLand) {
  for (double phase = 0; phase <= 0.2; phase += 0.001)
    for (double order = 0; order < 1; order += 0.1)
      ASSERT_GE(WaveClock::travelled(phase, order), WaveClock::travelled(phase, order + 0.1));
  EXPECT_EQ(WaveClock::travelled(WaveClock::TravelBegins, 0), 0);
  EXPECT_NEAR(WaveClock::travelled(WaveClock::Landed, 1), 1, 1e-9);
}

TEST(WaveClock, ManyWavesPlayWithinHalfAMinute) {
  EXPECT_EQ(WaveClock(1).secondsPerWave(), 5);
  EXPECT_NEAR(WaveClock(7577).secondsPerWave() * 7577, 30, 1e-9);
}

} // namespace
