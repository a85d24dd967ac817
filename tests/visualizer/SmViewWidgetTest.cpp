// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/SmViewWidget.h"

#include "tests/visualizer/Scenes.h"
#include "visualizer/render/SmView.h"
#include "visualizer/render/Text.h"
#include "visualizer/widgets/SmCanvas.h"
#include "visualizer/widgets/ViewArea.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

using namespace tilescope::viz;
using namespace tilescope;

namespace {

/// The tiles of a scene as the run process sends them.
protocol::TilePage pageOf(const SmScene &scene, int64_t first, int64_t count) {
  protocol::TilePage page;
  page.first = first;
  for (int64_t program = first; program < first + count; ++program) {
    TileRect tile = scene.tiles().tile(program);
    page.tiles.values.insert(page.tiles.values.end(),
                             {tile.rowBegin, tile.rowEnd, tile.columnBegin, tile.columnEnd});
  }
  return page;
}

class SmViewWidgetTest : public testing::Test {
protected:
  SmViewWidgetTest() {
    area.add(&widget);
    area.resize(1920, 1080);
    QObject::connect(&widget, &SmViewWidget::tilesNeeded, [this](int output, qint64 first, qint64 count) {
      ++requests;
      widget.addTiles(output, pageOf(source, first, count));
    });
  }

  void show(SmScene scene) {
    source = std::move(scene);
    widget.setLaunch(source.launch());
    widget.setSchedule(source.schedule());
    area.show();
  }

  SmCanvas *canvas() { return widget.findChild<SmCanvas *>(); }
  Transport *transport() { return area.findChild<Transport *>(); }
  QPoint centerOfSm(int sm) {
    SmView view;
    return view.layout(canvas()->size(), source).cell(sm).center().toPoint();
  }

  Selection selection;
  ViewArea area;
  SmViewWidget &widget = *new SmViewWidget(selection); ///< of `area`
  SmScene source;
  int requests = 0;
};

TEST_F(SmViewWidgetTest, AsksForTilesAPageAtATime) {
  show(scenes::million(true));
  EXPECT_EQ(requests, 16) << "a million in pages of 65,536";
}

TEST_F(SmViewWidgetTest, PaintsWhatTheSceneIs) {
  show(scenes::matmul());
  QTest::keyClick(canvas(), Qt::Key_Home);
  QImage expected = renderSmView(source, 0, {1920, 1020}, Theme::light());
  EXPECT_EQ(widget.picture({1920, 1020}), expected);
}

TEST_F(SmViewWidgetTest, RestsAtTheEndAndStepsBack) {
  show(scenes::matmul());
  EXPECT_EQ(selection.time(), 4);
  QTest::keyClick(canvas(), Qt::Key_Comma);
  EXPECT_NEAR(selection.time(), 3.1, 1e-9);
  selection.setTime(1.5);
  EXPECT_EQ(transport()->time(), 1.5) << "other views move time too";
}

TEST_F(SmViewWidgetTest, AClickSelectsAProgramAndItsLine) {
  show(scenes::matmul());
  QSignalSpy selected(&widget, &SmViewWidget::programSelected), line(&widget, &SmViewWidget::lineActivated);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, centerOfSm(30));
  ASSERT_EQ(selected.count(), 1);
  EXPECT_EQ(selected[0][0].toLongLong(), 396 + 30);
  EXPECT_EQ(selection.program(), 396 + 30);
  ASSERT_EQ(line.count(), 1);
  EXPECT_EQ(line[0][0].toString(), "/scripts/main.py");
  EXPECT_EQ(line[0][1].toInt(), 17);
}

TEST_F(SmViewWidgetTest, HoverNamesAProgramAndAsksForItsDetail) {
  show(scenes::matmul());
  QSignalSpy hovered(&widget, &SmViewWidget::programHovered),
      detail(&widget, &SmViewWidget::programDetailNeeded);
  QPointF at = centerOfSm(7);
  QMouseEvent move(QEvent::MouseMove, at, canvas()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QCoreApplication::sendEvent(canvas(), &move);
  ASSERT_GE(hovered.count(), 1);
  EXPECT_EQ(hovered.back()[0].toLongLong(), 396 + 7);
  EXPECT_EQ(detail.back()[0].toLongLong(), 396 + 7);
}

TEST_F(SmViewWidgetTest, ASelectionFromElsewhereIsShownWhileItRuns) {
  show(scenes::matmul());
  selection.setProgram(140);
  EXPECT_EQ(static_cast<int>(transport()->time()), 1) << "program 140 is in the second wave";
}

TEST_F(SmViewWidgetTest, ArrowKeysGoFromTileToTile) {
  show(scenes::matmul());
  selection.setProgram(444);
  QTest::keyClick(canvas(), Qt::Key_Right);
  EXPECT_EQ(selection.program(), 445);
  QTest::keyClick(canvas(), Qt::Key_Up);
  EXPECT_EQ(selection.program(), 429) << "16 tiles a row";
}

TEST_F(SmViewWidgetTest, ZoomKeepsThePointUnderThePointer) {
  show(scenes::matmul());
  QPoint at = centerOfSm(30);
  QPoint global = canvas()->mapToGlobal(at);
  QWheelEvent wheel(at, global, {}, {0, 600}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(canvas(), &wheel);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at);
  EXPECT_EQ(selection.program(), 396 + 30);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at + QPoint(59, 0));
  EXPECT_EQ(selection.program(), 396 + 30) << "one cell is more than a pitch wide now";
  QTest::keyClick(canvas(), Qt::Key_F);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at + QPoint(59, 0));
  EXPECT_EQ(selection.program(), 396 + 31);
}

TEST_F(SmViewWidgetTest, OnlyAZoomedPictureIsDragged) {
  show(scenes::matmul());
  QPoint at = centerOfSm(30), way{70, 0};
  auto send = [&](QEvent::Type type, QPoint to, Qt::MouseButtons held) {
    QMouseEvent event(type, to, canvas()->mapToGlobal(to), Qt::LeftButton, held, Qt::NoModifier);
    QCoreApplication::sendEvent(canvas(), &event);
  };
  auto drag = [&] {
    send(QEvent::MouseButtonPress, at, Qt::LeftButton);
    send(QEvent::MouseMove, at + way, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, at + way, Qt::NoButton);
  };
  drag();
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at);
  EXPECT_EQ(selection.program(), 396 + 30) << "the whole picture stays";
  QWheelEvent wheel(at, canvas()->mapToGlobal(at), {}, {0, 600}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(canvas(), &wheel);
  selection.setProgram(0);
  drag();
  EXPECT_EQ(selection.program(), 0) << "a drag is no click";
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at + way);
  EXPECT_EQ(selection.program(), 30) << "the same SM, in the wave of program 0";
}

TEST_F(SmViewWidgetTest, SeveralOutputsCanBeChosen) {
  protocol::LaunchSummary launch = scenes::matmul().launch();
  launch.outputs.push_back({"z", "fp32", {4096}, 1, 4096, 0});
  source = scenes::matmul();
  std::vector<int> asked;
  QObject::connect(&widget, &SmViewWidget::tilesNeeded, [&](int output) { asked.push_back(output); });
  widget.setLaunch(launch);
  widget.setSchedule(source.schedule());
  area.show();
  auto *chooser = widget.findChild<QComboBox *>();
  EXPECT_TRUE(chooser->isVisible());
  chooser->setCurrentIndex(1);
  EXPECT_EQ(asked.back(), 1);
}

TEST_F(SmViewWidgetTest, SpeaksToThoseWhoCannotSeeIt) {
  EXPECT_EQ(canvas()->accessibleDescription(), text("sm.empty"));
  show(scenes::softmax());
  EXPECT_TRUE(canvas()->accessibleDescription().contains("1,823 programs / 2,112 slots"));
  EXPECT_FALSE(canvas()->accessibleDescription().contains("**"));
  setLanguage("fr");
  widget.retranslate();
  EXPECT_TRUE(canvas()->accessibleDescription().contains("programmes"));
  setLanguage("en");
  widget.clear();
  EXPECT_EQ(canvas()->accessibleDescription(), text("sm.empty"));
}

TEST_F(SmViewWidgetTest, StaleIsSaidInThePicture) {
  show(scenes::softmax());
  QImage fresh = widget.picture({888, 740});
  widget.setStale(true);
  EXPECT_NE(widget.picture({888, 740}), fresh);
  widget.setStale(false);
  EXPECT_EQ(widget.picture({888, 740}), fresh);
}

} // namespace
