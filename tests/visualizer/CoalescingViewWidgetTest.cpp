// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/CoalescingViewWidget.h"

#include "tests/visualizer/Accesses.h"
#include "visualizer/render/CoalescingView.h"
#include "visualizer/render/Text.h"
#include "visualizer/widgets/CoalescingCanvas.h"
#include "visualizer/widgets/RequestTable.h"
#include "visualizer/widgets/ViewArea.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

using namespace tilescope::viz;
using namespace tilescope;

namespace {

class CoalescingViewWidgetTest : public testing::Test {
protected:
  CoalescingViewWidgetTest() {
    area.add(&widget);
    area.resize(1920, 1080);
  }

  void show(const char *name) {
    source = accesses::recorded(name);
    selection.setOperation(source.detail.access);
    widget.setLaunch(source.launch);
    widget.setAccess(source.detail, "H200");
    area.show();
  }

  CoalescingCanvas *canvas() { return widget.findChild<CoalescingCanvas *>(); }
  CoalescingLayout layout() {
    CoalescingView view;
    return view.layout(canvas()->size(), widget.scene());
  }
  void click(QPointF at) { QTest::mouseClick(canvas(), Qt::LeftButton, {}, at.toPoint()); }

  Selection selection;
  ViewArea area;
  CoalescingViewWidget &widget = *new CoalescingViewWidget(selection); ///< of `area`
  accesses::Recorded source;
};

TEST_F(CoalescingViewWidgetTest, AsksForTheChosenAccessAndProgram) {
  QSignalSpy wanted(&widget, &CoalescingViewWidget::wanted);
  widget.setLaunch(accesses::recorded("softmax").launch);
  EXPECT_EQ(wanted.count(), 1);
  EXPECT_EQ(widget.asked(), (CoalescingViewWidget::Asked{0, 1, 0})) << "the second program, where nothing is chosen";
  selection.setOperation(1);
  selection.setProgram(1822);
  EXPECT_EQ(wanted.count(), 3);
  EXPECT_EQ(widget.asked(), (CoalescingViewWidget::Asked{1, 1822, 0}));
  selection.setProgram(1822);
  EXPECT_EQ(wanted.count(), 3) << "nothing new";
}

TEST_F(CoalescingViewWidgetTest, RestsWhereTheFirstRequestIsJudged) {
  show("softmax");
  EXPECT_DOUBLE_EQ(widget.time(), RequestClock::judged(0));
  EXPECT_EQ(widget.playable().duration, 25);
  EXPECT_EQ(widget.playable().label(0), "request 1 of 25");
  QTest::keyClick(canvas(), Qt::Key_Period);
  EXPECT_DOUBLE_EQ(widget.time(), 1.3);
  QTest::keyClick(canvas(), Qt::Key_Comma);
  EXPECT_DOUBLE_EQ(widget.time(), RequestClock::judged(0));
}

TEST_F(CoalescingViewWidgetTest, PaintsWhatTheSceneIs) {
  show("gathered");
  QImage image(QSize(1366, 700), QImage::Format_RGB32);
  QPainter painter(&image);
  widget.paint(painter, image.rect(), 2.7, Theme::dark());
  painter.end();
  EXPECT_EQ(image, renderCoalescing(widget.scene(), 2.7, {1366, 700}, Theme::dark()));
}

TEST_F(CoalescingViewWidgetTest, AClickOnAChipChoosesTheAccessAndItsLine) {
  show("gathered");
  QSignalSpy line(&widget, &CoalescingViewWidget::lineActivated);
  Theme theme;
  Typesetter type(theme);
  std::vector<AccessChip> chips = accessChips(layout(), widget.scene(), type);
  ASSERT_EQ(chips.size(), 3u);
  click(chips[2].box.center());
  EXPECT_EQ(selection.operation(), 2);
  ASSERT_EQ(line.count(), 1);
  EXPECT_EQ(line[0][0].toString().toStdString(), source.launch.kernelPath);
  EXPECT_EQ(line[0][1].toInt(), source.launch.accesses[2].line);
}

TEST_F(CoalescingViewWidgetTest, AClickFollowsALaneOrGoesToARequest) {
  show("softmax");
  click(layout().warp.topLeft() + QPointF(17.5 * layout().lane(), 5));
  EXPECT_EQ(canvas()->state().lane, 17);
  QTest::keyClick(canvas(), Qt::Key_Left);
  EXPECT_EQ(canvas()->state().lane, 16);
  // Element 64 + 3: the third request.
  const CoalescingLayout parts = layout();
  click(parts.tile.topLeft() + QPointF(parts.tile.width() / 32 * 3.4, 5) + QPointF(0, 2 * 16));
  EXPECT_EQ(static_cast<int>(widget.time()), 2);
  EXPECT_EQ(canvas()->state().lane, 3);
}

TEST_F(CoalescingViewWidgetTest, AnotherProgramIsLookedAtWhereTheLastOneWas) {
  show("softmax");
  widget.setTime(7.7);
  QTest::keyClick(canvas(), Qt::Key_PageDown);
  EXPECT_EQ(selection.program(), 2);
  protocol::AccessDetail next = source.detail;
  next.program = 2;
  widget.setAccess(next, "H200");
  EXPECT_DOUBLE_EQ(widget.time(), 7.7);
}

TEST_F(CoalescingViewWidgetTest, TheTableHasTheSameFigures) {
  show("softmax");
  auto *table = widget.findChild<RequestTable *>();
  widget.findChild<QToolButton *>()->click();
  ASSERT_TRUE(table->isVisible());
  EXPECT_EQ(table->model()->rowCount(), 25);
  QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
  const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
  ASSERT_EQ(lines.size(), 27) << "headings, 25 requests, the end of the last line";
  EXPECT_EQ(lines[0], "\"request\",\"warp\",\"instruction\",\"lanes on\",\"bytes used\",\"sectors\",\"ideal\","
                      "\"by neighbours\",\"by nobody\"");
  EXPECT_EQ(lines[1], "1,0,0,32,128,5,4,32,0");
  EXPECT_EQ(lines[25], "25,0,6,13,52,3,2,44,0");
  QTest::keyClick(table, Qt::Key_Down);
  EXPECT_DOUBLE_EQ(widget.time(), RequestClock::judged(1));
}

TEST_F(CoalescingViewWidgetTest, SpeaksToThoseWhoCannotSeeIt) {
  EXPECT_TRUE(canvas()->accessibleDescription().startsWith(text("coalescing.empty")));
  show("softmax");
  EXPECT_TRUE(canvas()->accessibleDescription().contains("217,846 sectors requested"));
  EXPECT_FALSE(canvas()->accessibleDescription().contains("**"));
  setLanguage("fr");
  widget.retranslate();
  EXPECT_TRUE(canvas()->accessibleDescription().contains("217\u202f846 secteurs demandés"));
  setLanguage("en");
  widget.setProblem("why not");
  EXPECT_EQ(canvas()->accessibleDescription(), "why not");
  EXPECT_EQ(widget.playable().duration, 0);
}

} // namespace
