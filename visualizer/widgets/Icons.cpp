// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/Icons.h"

#include <QPainter>
#include <QPainterPath>

namespace tilescope::viz {

namespace {

QPainterPath step(double direction) {
  QPainterPath path(QPointF(-5 * direction, -6));
  path.lineTo(-5 * direction, 6);
  path.moveTo(5 * direction, -6);
  path.lineTo(-3 * direction, 0);
  path.lineTo(5 * direction, 6);
  return path;
}

QPainterPath loop() {
  QPainterPath path(QPointF(-6, -5));
  path.lineTo(2, -5);
  path.arcTo(QRectF(-3, -5, 10, 10), 90, -180);
  path.lineTo(-6, 5);
  path.moveTo(-3, 2);
  path.lineTo(-6, 5);
  path.lineTo(-3, 8);
  return path;
}

QPainterPath chevron() {
  QPainterPath path(QPointF(-4, -2));
  path.lineTo(0, 2);
  path.lineTo(4, -2);
  return path;
}

QPainterPath filled(Icon icon) {
  QPainterPath path;
  if (icon == Icon::Play) {
    path.addPolygon(QPolygonF{{-5, -8}, {8, 0}, {-5, 8}});
  } else {
    path.addRect(-6, -7, 4, 14);
    path.addRect(2, -7, 4, 14);
  }
  return path;
}

} // namespace

void paintIcon(QPainter &painter, Icon icon, QPointF center, const QColor &color) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(center);
  QPen pen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  switch (icon) {
  case Icon::Previous:
    painter.strokePath(step(1), pen);
    break;
  case Icon::Next:
    painter.strokePath(step(-1), pen);
    break;
  case Icon::Loop:
    painter.strokePath(loop(), pen);
    break;
  case Icon::Chevron:
    painter.strokePath(chevron(), pen);
    break;
  case Icon::Play:
  case Icon::Pause:
    painter.fillPath(filled(icon), color);
    break;
  }
  painter.restore();
}

} // namespace tilescope::viz
