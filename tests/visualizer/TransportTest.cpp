// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/Transport.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

using namespace tilescope::viz;

namespace {

Playable threeUnits() {
  Playable playable;
  playable.duration = 3;
  playable.secondsPerUnit = 0.05;
  playable.ticks = {0, 1, 2, 3};
  playable.next = [](double time) { return std::min(3.0, std::floor(time) + 1); };
  playable.previous = [](double time) { return std::max(0.0, std::ceil(time) - 1); };
  playable.label = [](double time) { return QString::number(time, 'f', 1); };
  return playable;
}

TEST(Transport, KeysStepAndJump) {
  Transport transport;
  transport.setPlayable(threeUnits());
  QSignalSpy moved(&transport, &Transport::timeChanged);
  QTest::keyClick(&transport, Qt::Key_Period);
  QTest::keyClick(&transport, Qt::Key_Period);
  EXPECT_EQ(transport.time(), 2);
  QTest::keyClick(&transport, Qt::Key_Comma);
  EXPECT_EQ(transport.time(), 1);
  QTest::keyClick(&transport, Qt::Key_End);
  EXPECT_EQ(transport.time(), 3);
  QTest::keyClick(&transport, Qt::Key_Home);
  EXPECT_EQ(transport.time(), 0);
  EXPECT_EQ(moved.count(), 5);
}

TEST(Transport, PlaysToTheEndAndStops) {
  Transport transport;
  transport.setPlayable(threeUnits());
  QSignalSpy playing(&transport, &Transport::playingChanged);
  QTest::keyClick(&transport, Qt::Key_Space);
  EXPECT_TRUE(transport.playing());
  EXPECT_TRUE(QTest::qWaitFor([&] { return !transport.playing(); }, 3000));
  EXPECT_EQ(transport.time(), 3);
  EXPECT_EQ(playing.count(), 2);
  QTest::keyClick(&transport, Qt::Key_Space);
  EXPECT_LT(transport.time(), 3) << "from the end it starts again";
}

TEST(Transport, ReducedMotionStandsOnEventsOnly) {
  Transport transport;
  transport.setPlayable(threeUnits());
  transport.setReducedMotion(true);
  bool whole = true;
  QObject::connect(&transport, &Transport::timeChanged,
                   [&](double time) { whole &= time == std::floor(time); });
  transport.setPlaying(true);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !transport.playing(); }, 3000));
  EXPECT_TRUE(whole);
  EXPECT_EQ(transport.time(), 3);
}

TEST(Transport, EveryControlHasANameAndALargeEnoughTarget) {
  Transport transport;
  transport.setPlayable(threeUnits());
  for (int width : {460, 900, 1920}) {
    transport.resize(width, 60);
    transport.show();
    QRect taken;
    for (QAbstractButton *button : transport.findChildren<QAbstractButton *>()) {
      if (!button->isVisible())
        continue;
      EXPECT_FALSE(button->accessibleName().isEmpty());
      EXPECT_GE(button->width(), 32);
      EXPECT_GE(button->height(), 32);
      EXPECT_TRUE(transport.rect().contains(button->geometry())) << width;
    }
    EXPECT_FALSE(transport.findChild<Scrubber *>()->accessibleName().isEmpty());
  }
}

TEST(Transport, ScrubberIsMovedByPointerAndKeys) {
  Transport transport;
  transport.setPlayable(threeUnits());
  transport.resize(900, 60);
  transport.show();
  auto *scrubber = transport.findChild<Scrubber *>();
  QTest::mouseClick(scrubber, Qt::LeftButton, {}, scrubber->rect().center());
  EXPECT_NEAR(transport.time(), 1.5, 0.05);
  QTest::keyClick(scrubber, Qt::Key_Right);
  EXPECT_NEAR(transport.time(), 1.53, 0.06);
}

TEST(Transport, SpeedStaysWithinItsLimits) {
  Transport transport;
  transport.setSpeed(100);
  EXPECT_EQ(transport.speed(), 4);
  transport.setSpeed(0);
  EXPECT_EQ(transport.speed(), 0.1);
}

TEST(Transport, NothingToPlay) {
  Transport transport;
  QTest::keyClick(&transport, Qt::Key_Space);
  QTest::keyClick(&transport, Qt::Key_Period);
  EXPECT_FALSE(transport.playing());
  EXPECT_EQ(transport.time(), 0);
}

} // namespace
