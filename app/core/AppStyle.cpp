// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/AppStyle.h"

#include <QFile>
#include <QGuiApplication>

namespace tilescope::app {

QPalette paletteOf(const viz::Theme &theme) {
  QPalette palette;
  palette.setColor(QPalette::Window, theme.chrome);
  palette.setColor(QPalette::Base, theme.ground);
  palette.setColor(QPalette::AlternateBase, theme.panel);
  palette.setColor(QPalette::Button, theme.chrome);
  for (QPalette::ColorRole role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::BrightText})
    palette.setColor(role, theme.ink);
  palette.setColor(QPalette::PlaceholderText, theme.text3);
  palette.setColor(QPalette::Highlight, theme.selection);
  palette.setColor(QPalette::HighlightedText, theme.ink);
  palette.setColor(QPalette::ToolTipBase, theme.ground);
  palette.setColor(QPalette::ToolTipText, theme.ink);
  palette.setColor(QPalette::Link, theme.hbm.text);
  palette.setColor(QPalette::Light, theme.ground);
  palette.setColor(QPalette::Mid, theme.hair);
  palette.setColor(QPalette::Dark, theme.hair2);
  palette.setColor(QPalette::Shadow, theme.hair2);
  for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, theme.text3);
  return palette;
}

QString styleSheetOf(const viz::Theme &theme) {
  QFile file(":/style/window.qss");
  file.open(QIODevice::ReadOnly);
  QString sheet = QString::fromUtf8(file.readAll());
  const std::pair<const char *, QColor> tokens[] = {
      {"@ground", theme.ground}, {"@chrome", theme.chrome},
      {"@panel", theme.panel},   {"@empty", theme.empty},
      {"@hair2", theme.hair2},   {"@hair", theme.hair},
      {"@ink", theme.ink},       {"@text2", theme.text2},
      {"@text3", theme.text3},   {"@selection", theme.selection}};
  for (const auto &[name, colour] : tokens)
    sheet.replace(name, colour.name());
  return sheet;
}

viz::Theme themeByName(const QString &name) {
  if (name == "light")
    return viz::Theme::light();
  if (name == "dark")
    return viz::Theme::dark();
  if (name == "projector")
    return viz::Theme::projector();
  static const bool systemIsDark = QGuiApplication::palette().color(QPalette::Window).lightnessF() < 0.5F;
  return systemIsDark ? viz::Theme::dark() : viz::Theme::light();
}

} // namespace tilescope::app
