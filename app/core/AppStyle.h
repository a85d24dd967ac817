// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole program's look, made once from the theme's tokens: palette, and a style sheet for what a palette
// cannot say. The chrome has no hue.
#pragma once

#include "visualizer/render/Theme.h"

#include <QPalette>
#include <QString>

namespace tilescope::app {

QPalette paletteOf(const viz::Theme &theme);
QString styleSheetOf(const viz::Theme &theme);

/// "light", "dark", or "system": what the desktop's own palette says.
viz::Theme themeByName(const QString &name);

} // namespace tilescope::app
