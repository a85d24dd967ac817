// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The view "Coalescing" as it is painted: no text on another in any language, size and theme; what the pointer finds;
// golden images.
#include "visualizer/render/CoalescingView.h"
#include "tests/visualizer/Accesses.h"
#include "tests/visualizer/Pictures.h"
#include "visualizer/render/Text.h"

#include <QPainter>
#include <gtest/gtest.h>

using namespace tilescope::viz;

namespace {

constexpr QSize Sizes[] = {{1920, 1020}, {1366, 708}, {888, 740}, {650, 900}, {460, 500}, {320, 300}};

std::vector<PlacedText> placed(CoalescingView &view, QSize size, const CoalescingScene &scene, double time,
                               const CoalescingState &state = {}) {
  QImage image(size, QImage::Format_RGB32);
  QPainter painter(&image);
  std::vector<PlacedText> log;
  view.paint(painter, size, scene, time, state, &log);
  return log;
}

class CoalescingLayoutTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override { setLanguage(GetParam()); }
  void TearDown() override { setLanguage("en"); }
};

TEST_P(CoalescingLayoutTest, TextsStandApartAndInsideThePicture) {
  CoalescingView view, projector(Theme::projector());
  for (const std::string &name : accesses::all()) {
    CoalescingScene scene = accesses::scene(name);
    double end = static_cast<double>(scene.sums(1 << 20).requests);
    for (double time : {0.2, 0.8, end - 0.1}) {
      auto where = [&](QSize size) {
        return name + " " + GetParam() + " " + std::to_string(size.width()) + "x" + std::to_string(size.height()) +
               " at " + std::to_string(time);
      };
      for (QSize size : Sizes)
        expectApart(placed(view, size, scene, time, {.stale = time < 0.5}), size, where(size));
      for (QSize size : {QSize(1920, 1080), QSize(1366, 768)})
        expectApart(placed(projector, size, scene, time), size, "projector " + where(size));
    }
  }
}

TEST_P(CoalescingLayoutTest, WhatMustBeSaidIsSaid) {
  CoalescingView view;
  CoalescingScene scene = accesses::scene("softmax");
  for (QSize size : Sizes) {
    if (size.height() < 500)
      continue;
    QString all;
    for (const PlacedText &each : placed(view, size, scene, 0.8))
      all += each.text;
    auto contains = [&](const QString &words) {
      return QString(all).remove(' ').contains(QString(words).remove("**").remove(' '));
    };
    EXPECT_TRUE(contains(text(scene.narration(0.8)))) << size.width();
    EXPECT_TRUE(contains(text("evidence.modelled"))) << size.width();
    if (size.width() < 800)
      continue;
    EXPECT_TRUE(contains(text(scene.why(0)))) << size.width();
    EXPECT_TRUE(contains(text(scene.better(0)))) << size.width();
    EXPECT_TRUE(contains(text(scene.launchLine()))) << size.width();
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, CoalescingLayoutTest, testing::Values("en", "fr", "zh"));

TEST(CoalescingLayout, ALaneIsFourBytesWide) {
  Theme theme = Theme::light();
  Typesetter type(theme);
  CoalescingLayout layout = layOutCoalescing({1920, 1020}, accesses::scene("softmax"), type);
  EXPECT_EQ(layout.form, CoalescingLayout::Form::Wide);
  EXPECT_DOUBLE_EQ(layout.lane(), 17.5);
  EXPECT_DOUBLE_EQ(layout.memory.width() / LineBytes * 4, layout.lane());
  EXPECT_DOUBLE_EQ(layout.memory.left(), layout.warp.left());
}

TEST(CoalescingView, FindsWhatIsUnderThePointer) {
  CoalescingView view;
  CoalescingScene scene = accesses::scene("softmax");
  QSizeF size(1920, 1020);
  const CoalescingLayout layout = view.layout(size, scene);
  auto at = [&](QPointF point) { return view.hit(size, scene, 0.8, point); };
  EXPECT_EQ(at(layout.warp.topLeft() + QPointF(5.5 * layout.lane(), 5)).lane, 5);
  EXPECT_EQ(at(layout.tile.topLeft() + QPointF(2, 2)).element, 0);
  EXPECT_EQ(at(layout.tile.topLeft() + QPointF(2, 2)).request, 0);
  EXPECT_EQ(at(layout.requests.bottomLeft() + QPointF(2, -2)).request, 0);
  // The first lane is at byte 3,124: 52 bytes into the first line that is drawn.
  CoalescingHit first = at(layout.memory.topLeft() + QPointF(13.5 * layout.lane(), 5));
  EXPECT_EQ(first.lane, 0);
  EXPECT_EQ(first.sector, 0);
  CoalescingHit before = at(layout.memory.topLeft() + QPointF(12.5 * layout.lane(), 5));
  EXPECT_EQ(before.sector, 0);
  EXPECT_EQ(before.lane, -1) << "used by a neighbour";
  EXPECT_EQ(at(layout.chips.topLeft() + QPointF(4, 4)).access, 0);
  EXPECT_TRUE(at({5, 5}).nothing());
}

TEST(CoalescingView, ReducedMotionShowsEndStatesOnly) {
  CoalescingScene scene = accesses::scene("gathered");
  CoalescingState reduced{.reducedMotion = true};
  auto picture = [&](double time) { return renderCoalescing(scene, time, {888, 740}, Theme::light(), reduced); };
  EXPECT_EQ(picture(0.56), picture(0.95));
  EXPECT_EQ(picture(0.31), picture(0.5));
  EXPECT_NE(picture(0.31), picture(0.56));
}

struct Golden {
  const char *name;
  Theme (*theme)();
};
void PrintTo(const Golden &golden, std::ostream *out) { *out << golden.name; }

class CoalescingGoldenTest : public testing::TestWithParam<std::tuple<const char *, Golden>> {};

TEST_P(CoalescingGoldenTest, LooksAsItDid) {
  const auto &[access, golden] = GetParam();
  setLanguage("en");
  QSize size = std::string(golden.name) == "projector" ? QSize(1920, 1080) : QSize(1280, 680);
  expectGolden(renderCoalescing(accesses::scene(access), 1.8, size, golden.theme()),
               QString("coalescing-%1-%2").arg(access, golden.name));
}

INSTANTIATE_TEST_SUITE_P(Pictures, CoalescingGoldenTest,
                         testing::Combine(testing::Values("softmax", "strided", "column-store", "masked", "gathered"),
                                          testing::Values(Golden{"light", Theme::light}, Golden{"dark", Theme::dark},
                                                          Golden{"projector", Theme::projector})));

} // namespace
