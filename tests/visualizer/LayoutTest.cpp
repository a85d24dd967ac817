// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever is shown, in whatever language, at whatever size and time: no text on another, none cut off.
#include "tests/visualizer/Pictures.h"
#include "tests/visualizer/Scenes.h"
#include "visualizer/render/SmView.h"
#include "visualizer/render/Text.h"

#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>

using namespace tilescope::viz;

namespace {

constexpr QSize Sizes[] = {{1920, 1020}, {1366, 768}, {888, 740}, {650, 900}, {460, 500}, {320, 300}};

std::vector<PlacedText> placed(SmView &view, QSize size, const SmScene &scene, double time,
                               const SmState &state = {}) {
  QImage image(size, QImage::Format_RGB32);
  QPainter painter(&image);
  std::vector<PlacedText> log;
  view.paint(painter, size, scene, time, state, &log);
  return log;
}

class LayoutTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override { setLanguage(GetParam()); }
  void TearDown() override { setLanguage("en"); }
};

TEST_P(LayoutTest, TextsStandApartAndInsideThePicture) {
  SmView view;
  for (const scenes::Case &each : scenes::all()) {
    SmScene scene = each.make();
    for (QSize size : Sizes)
      for (double time : {0.0, 0.06, 0.5, scene.clock().duration() - 0.9, scene.clock().duration()})
        for (bool stale : {false, true})
          expectApart(placed(view, size, scene, time, {.stale = stale}), size,
                      std::string(each.name) + " " + GetParam() + " " + std::to_string(size.width()) + "x" +
                          std::to_string(size.height()) + " at " + std::to_string(time));
  }
}

TEST_P(LayoutTest, WhatMustBeSaidIsSaid) {
  SmView view;
  SmScene scene = scenes::softmax();
  for (QSize size : Sizes) {
    if (size.height() < 500)
      continue;
    QString all;
    for (const PlacedText &each : placed(view, size, scene, 1))
      all += each.text;
    auto contains = [&](const QString &words) {
      return QString(all).remove(' ').contains(QString(words).remove("**").remove(' '));
    };
    EXPECT_TRUE(contains(text(scene.narration(1)))) << size.width();
    EXPECT_TRUE(contains(text(scene.unknownLimits()))) << size.width();
    EXPECT_TRUE(contains(text("evidence.modelled"))) << size.width();
    EXPECT_TRUE(contains(decimal(scene.schedule().waves, 2))) << size.width();
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, LayoutTest, testing::Values("en", "fr", "zh"));

TEST(SmLayout, KeepsTheTrueProportionsOfAMatrix) {
  Theme theme = Theme::light();
  Typesetter type(theme);
  SmLayout layout = layOut({1920, 1020}, scenes::matmul(), type);
  EXPECT_TRUE(layout.wide);
  EXPECT_NEAR(layout.tensor.width(), layout.tensor.height(), 1);
  EXPECT_EQ(layout.gpuColumns, 12) << "132 SMs in eleven full rows";
  EXPECT_EQ(layout.gpuRows, 11);
}

TEST(SmView, FindsTheProgramUnderThePointer) {
  SmView view;
  SmScene scene = scenes::matmul();
  QSizeF size(1920, 1020);
  const SmLayout &layout = view.layout(size, scene);
  auto at = [&](QPointF point) { return view.programAt(size, scene, 3.5, point); };
  EXPECT_EQ(at(layout.tensor.topLeft() + QPointF(1, 1)), 0);
  EXPECT_EQ(at(layout.tensor.bottomRight() - QPointF(2, 2)), 511);
  EXPECT_EQ(at(layout.cell(48).center()), 444);
  EXPECT_EQ(at(layout.cell(120).center()), -1) << "idle";
  EXPECT_EQ(at(layout.lower.topLeft() + QPointF(2, 1)), 0) << "timeline: wave 1, SM 0";
  EXPECT_EQ(at({5, 5}), -1);
}

TEST(SmView, SameFrameTwiceIsTheSamePicture) {
  SmView kept;
  SmScene scene = scenes::matmul();
  auto paint = [&](SmView &view, double time) {
    QImage image(888, 740, QImage::Format_RGB32);
    QPainter painter(&image);
    view.paint(painter, image.size(), scene, time);
    return image;
  };
  for (double time : {0.0, 0.01, 0.05, 1.5, 4.0}) {
    SmView fresh;
    EXPECT_EQ(paint(kept, time), paint(fresh, time)) << "what is kept from other frames shows at " << time;
  }
}

} // namespace
