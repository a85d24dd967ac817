// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colour scales for numbers (viridis, and cividis for those who cannot tell viridis' colours apart), and
// mixing. Both scales: Smith, van der Walt, Firing (2015) and Nuñez, Anderton, Renslow (2018), CC0.
#pragma once

#include <QColor>

namespace tilescope::viz {

/// `position` from 0 to 1; beyond the ends the ends.
QColor viridis(double position);
QColor cividis(double position);

/// `share` of `color`, the rest of `ground`.
QColor mixed(const QColor &color, const QColor &ground, double share);

/// Black or white, whichever reads better on `fill`.
QColor inkOn(const QColor &fill);

/// Contrast of two colours as the WCAG defines it, 1 to 21.
double contrast(const QColor &a, const QColor &b);

} // namespace tilescope::viz
