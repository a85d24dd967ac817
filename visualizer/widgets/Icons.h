// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The icons of the transport bar as lines and shapes, sharp at every scale.
#pragma once

#include <QColor>
#include <QPointF>

class QPainter;

namespace tilescope::viz {

enum class Icon { Previous, Next, Play, Pause, Loop, Chevron };

/// About 14 px wide, in the middle of `center`.
void paintIcon(QPainter &painter, Icon icon, QPointF center, const QColor &color);

} // namespace tilescope::viz
