// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Theme.h"

#include "visualizer/render/Colormap.h"

#include <gtest/gtest.h>

using namespace tilescope::viz;

namespace {

TEST(Theme, TextCanBeReadOnItsGround) {
  for (const Theme &theme : {Theme::light(), Theme::dark(), Theme::projector()}) {
    double least = theme.kind == Theme::Kind::Projector ? 7 : 4.5;
    for (const QColor &text : {theme.ink, theme.text2, theme.text3})
      EXPECT_GE(contrast(text, theme.ground), least) << qPrintable(text.name());
    for (const Hue *hue : {&theme.hbm, &theme.sram, &theme.reg, &theme.hazard, &theme.barrier})
      EXPECT_GE(contrast(hue->text, theme.ground), 4.5) << qPrintable(hue->text.name());
    EXPECT_GE(contrast(theme.onHbm, theme.hbm.fill), 4.5);
  }
}

TEST(Theme, NothingIsSmallerThanTenPixelsAndNineteenOnAProjector) {
  EXPECT_EQ(Theme::light().size(Type::Index), 10);
  EXPECT_EQ(Theme::light().size(Type::BigFigure), 54);
  EXPECT_EQ(Theme::projector().size(Type::Index), 19);
  EXPECT_EQ(Theme::projector().size(Type::BigFigure), 104);
}

TEST(Colormap, IsMatplotlibs) {
  auto near = [](const QColor &color, int red, int green, int blue) {
    EXPECT_NEAR(color.red(), red, 2);
    EXPECT_NEAR(color.green(), green, 2);
    EXPECT_NEAR(color.blue(), blue, 2);
  };
  // matplotlib 3: viridis(0), (0.25), (0.5), (0.75), (1) and cividis(0.5), as bytes.
  near(viridis(0), 68, 1, 84);
  near(viridis(0.25), 59, 82, 139);
  near(viridis(0.5), 33, 145, 140);
  near(viridis(0.75), 94, 201, 98);
  near(viridis(1), 253, 231, 37);
  near(viridis(7), 253, 231, 37);
  near(cividis(0.5), 125, 124, 120);
}

TEST(Colormap, NumbersCanBeReadOnEveryProgramsColour) {
  for (double position = 0.06; position <= 0.96; position += 0.01) {
    QColor fill = viridis(position);
    EXPECT_GE(contrast(inkOn(fill), fill), 4) << position;
  }
}

} // namespace
