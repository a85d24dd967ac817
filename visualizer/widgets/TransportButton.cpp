// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/TransportButton.h"

#include "visualizer/render/Text.h"

#include <QPainter>

namespace tilescope::viz {

TransportButton::TransportButton(Icon icon, Look look, QWidget *parent)
    : QAbstractButton(parent), m_icon(icon), m_look(look) {
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
}

void TransportButton::setTheme(const Theme &theme) {
  m_theme = theme;
  update();
}

void TransportButton::setIcon(Icon icon) {
  m_icon = icon;
  update();
}

void TransportButton::setWords(const QString &name, const QString &key) {
  setAccessibleName(name);
  setToolTip(key.isEmpty() ? name : viz::text("transport.tip", {name, key}));
}

QSize TransportButton::sizeHint() const { return m_look == Look::Box ? QSize(60, 34) : QSize(40, 40); }

void TransportButton::enterEvent(QEnterEvent *) { update(); }
void TransportButton::leaveEvent(QEvent *) { update(); }

void TransportButton::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QRectF box = QRectF(rect()).adjusted(2, 4, -2, -4);
  QPointF middle = QRectF(rect()).center();
  painter.setPen(Qt::NoPen);
  bool marked = isChecked() || (underMouse() && isEnabled());
  if (m_look == Look::Plain && marked) {
    painter.setBrush(m_theme.selection);
    painter.drawRoundedRect(box, 4, 4);
  }
  if (m_look == Look::Round) {
    painter.setBrush(m_theme.ink);
    painter.drawEllipse(middle, 17, 17);
  }
  if (m_look == Look::Box) {
    painter.setPen(QPen(m_theme.hair2, 1));
    painter.setBrush(marked ? m_theme.selection : m_theme.ground);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setFont(m_theme.font(Type::Small, Weight::Medium));
    painter.setPen(m_theme.ink);
    painter.drawText(box.adjusted(10, 0, -20, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
    middle.setX(box.right() - 14);
  }
  if (hasFocus()) {
    painter.setPen(QPen(m_theme.text3, 1.5));
    painter.setBrush(Qt::NoBrush);
    if (m_look == Look::Round)
      painter.drawEllipse(middle, 19, 19);
    else
      painter.drawRoundedRect(QRectF(rect()).adjusted(1, 2, -1, -2), 5, 5);
  }
  QColor color = m_look == Look::Round                                    ? m_theme.ground
                 : m_look == Look::Box || (isCheckable() && !isChecked()) ? m_theme.text2
                                                                          : m_theme.ink;
  paintIcon(painter, m_icon, middle + QPointF(0, 0.5), isEnabled() ? color : m_theme.hair2);
}

} // namespace tilescope::viz
