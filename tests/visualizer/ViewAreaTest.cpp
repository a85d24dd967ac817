// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/ViewArea.h"

#include "visualizer/render/Text.h"
#include "visualizer/widgets/EmptyView.h"

#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <gtest/gtest.h>

using namespace tilescope::viz;
using namespace tilescope;

namespace {

/// Plays from 0 to `duration` in steps of one.
class CountingView final : public LaunchView {
public:
  CountingView(QString id, double duration) : m_id(std::move(id)), m_duration(duration) {}
  QString id() const override { return m_id; }
  void setLaunch(const protocol::LaunchSummary &launch) override { kernel = launch.kernel; }
  void clear() override { kernel.clear(); }
  void setStale(bool) override {}
  void setTheme(const Theme &) override {}
  void setReducedMotion(bool) override {}
  void retranslate() override {}
  Playable playable() const override {
    Playable playable;
    playable.duration = m_duration;
    playable.next = [](double time) { return time + 1; };
    playable.previous = [](double time) { return time - 1; };
    return playable;
  }
  double time() const override { return m_time; }
  void setTime(double time) override {
    m_time = time;
    Q_EMIT timeChanged(time);
  }
  QString narration(double) const override { return {}; }
  void paint(QPainter &, const QRectF &, double, const Theme &) const override {}

  std::string kernel;

private:
  QString m_id;
  double m_duration, m_time = 0;
};

struct ViewAreaTest : testing::Test {
  ViewArea area;
  CountingView &first = *new CountingView("sm", 4), &second = *new CountingView("coalescing", 9);
  Transport &transport = *area.findChild<Transport *>();
  ViewAreaTest() {
    area.add(&first);
    area.add(&second);
    area.add(new EmptyView("sram"));
  }
};

TEST_F(ViewAreaTest, OneTransportPlaysTheViewInFront) {
  transport.stepForward();
  transport.stepForward();
  EXPECT_EQ(first.time(), 2);
  EXPECT_EQ(second.time(), 0);
  area.showView("coalescing");
  EXPECT_EQ(area.current(), &second);
  transport.stepForward();
  EXPECT_EQ(first.time(), 2) << "a view keeps its time behind another";
  EXPECT_EQ(second.time(), 1);
  area.showView("sm");
  EXPECT_EQ(transport.time(), 2);
}

TEST_F(ViewAreaTest, AViewBehindAnotherMovesItsOwnTimeOnly) {
  second.setTime(5);
  EXPECT_EQ(transport.time(), 0);
  first.setTime(3);
  EXPECT_EQ(transport.time(), 3);
}

TEST_F(ViewAreaTest, NothingToPlayStopsTheTransport) {
  transport.setPlaying(true);
  area.showView("sram");
  EXPECT_FALSE(transport.playing());
  area.showView("unknown");
  EXPECT_EQ(area.current()->id(), "sram");
}

TEST_F(ViewAreaTest, AllViewsAreToldOfALaunchAndLinesComeFromAny) {
  protocol::LaunchSummary launch;
  launch.kernel = "add_kernel";
  area.setLaunch(launch);
  EXPECT_EQ(first.kernel, "add_kernel");
  EXPECT_EQ(second.kernel, "add_kernel");
  QSignalSpy lines(&area, &ViewArea::lineActivated);
  Q_EMIT second.lineActivated("a.py", 7);
  EXPECT_EQ(lines.count(), 1);
}

TEST_F(ViewAreaTest, TabsAreNamedInTheLanguage) {
  EXPECT_EQ(area.tabBar()->tabText(1), "Coalescing");
  setLanguage("fr");
  area.retranslate();
  EXPECT_EQ(area.tabBar()->tabText(0), "Tuiles sur les SM");
  setLanguage("en");
}

} // namespace
