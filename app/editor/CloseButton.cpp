// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/CloseButton.h"

#include <QPainter>

namespace tilescope::app {

CloseButton::CloseButton(QWidget *parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::NoFocus);
  setAttribute(Qt::WA_Hover);
  resize(sizeHint());
}

void CloseButton::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPointF centre = QRectF(rect()).center();
  if (underMouse()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawRoundedRect(QRectF(centre - QPointF(8, 8), QSizeF(16, 16)), 3, 3);
  }
  QColor ink = palette().color(underMouse() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText);
  painter.setPen(QPen(ink, 1.3, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(centre - QPointF(3.5, 3.5), centre + QPointF(3.5, 3.5));
  painter.drawLine(centre + QPointF(-3.5, 3.5), centre + QPointF(3.5, -3.5));
}

} // namespace tilescope::app
