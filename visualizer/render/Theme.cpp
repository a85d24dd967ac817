// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Theme.h"

#include <QStringList>
#include <array>

namespace tilescope::viz {

Theme Theme::light() {
  Theme theme;
  theme.ground = "#FFFFFF", theme.chrome = "#F3F4F6", theme.panel = "#F8F9FA", theme.empty = "#F3F4F6";
  theme.hair = "#DFE2E7", theme.hair2 = "#B4BAC4";
  theme.ink = "#1B1E23", theme.text2 = "#545B66", theme.text3 = "#626873";
  theme.selection = "#E9EDF3", theme.followed = "#1B1E23", theme.onHbm = "#FFFFFF";
  theme.hbm = {"#0072B2", "#D3E6F2", "#005F96"};
  theme.l2 = {"#56B4E9", "#DDF0FB", "#1B1E23"};
  theme.sram = {"#E69F00", "#FBEBCB", "#8A5F00"};
  theme.reg = {"#009E73", "#D6F0E7", "#00684C"};
  theme.hazard = {"#D55E00", "#FBE3D4", "#A84A00"};
  theme.barrier = {"#CC79A7", "#F6E3EE", "#8F3F6C"};
  theme.keyword = "#6A3E9E", theme.string = "#2E6B3E", theme.number = "#8A4B08", theme.library = "#0B5E8E";
  return theme;
}

Theme Theme::dark() {
  Theme theme;
  theme.kind = Kind::Dark;
  theme.ground = "#1B1E23", theme.chrome = "#22262C", theme.panel = "#20242A", theme.empty = "#252A31";
  theme.hair = "#343A43", theme.hair2 = "#596170";
  theme.ink = "#E8EAED", theme.text2 = "#B1B7C1", theme.text3 = "#8F97A3";
  theme.selection = "#2C323B", theme.followed = "#F0E442", theme.onHbm = "#FFFFFF";
  theme.hbm = {"#0B79BB", "#173A52", "#72BCEB"};
  theme.l2 = {"#56B4E9", "#1D4257", "#E8EAED"};
  theme.sram = {"#E69F00", "#4A3710", "#F3C566"};
  theme.reg = {"#14B387", "#153F35", "#4FD3AE"};
  theme.hazard = {"#E8702A", "#4B2A17", "#FF9A5C"};
  theme.barrier = {"#CC79A7", "#43283A", "#E3A3C6"};
  theme.keyword = "#C6A5EE", theme.string = "#9BCFA8", theme.number = "#E2B27C", theme.library = "#86C5EC";
  return theme;
}

Theme Theme::projector() {
  Theme theme = light();
  theme.kind = Kind::Projector;
  theme.chrome = theme.ground, theme.panel = theme.empty = "#F1F2F4";
  theme.hair = "#C3C8D0", theme.hair2 = "#6B717C";
  theme.ink = "#000000", theme.text2 = "#2E333B", theme.text3 = "#454B55";
  theme.selection = theme.ground, theme.followed = "#000000";
  theme.hbm = {"#005A8C", "#D3E6F2", "#00507F"};
  theme.reg.fill = "#007A59";
  theme.stroke = 3, theme.followedStroke = 4;
  return theme;
}

double Theme::size(Type type) const {
  // In the order of Type. A projector shows nothing under 19 px.
  static constexpr std::array<double, 10> Screen{54, 22, 20, 18, 17, 14, 13, 12, 11, 10};
  static constexpr std::array<double, 10> Projector{104, 34, 44, 34, 34, 24, 24, 19, 19, 19};
  return (kind == Kind::Projector ? Projector : Screen)[static_cast<size_t>(type)];
}

QFont Theme::font(Type type, Weight weight) const {
  QFont font(QStringList{"Inter", "Noto Sans CJK SC", "Noto Sans", "DejaVu Sans"});
  font.setPixelSize(static_cast<int>(size(type)));
  font.setWeight(static_cast<QFont::Weight>(weight));
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

QFont Theme::codeFont(double pixels) const {
  QFont font(QStringList{"JetBrains Mono", "Noto Sans Mono CJK SC", "DejaVu Sans Mono"});
  font.setPixelSize(static_cast<int>(pixels));
  font.setStyleHint(QFont::Monospace);
  return font;
}

} // namespace tilescope::viz
