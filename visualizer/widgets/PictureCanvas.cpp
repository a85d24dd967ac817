// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/PictureCanvas.h"

#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleHints>
#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {
constexpr double MostZoom = 32;
} // namespace

PictureCanvas::PictureCanvas(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void PictureCanvas::fit() {
  m_zoom.reset();
  update();
}

void PictureCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  if (!hasPicture())
    return paintEmpty(painter);
  painter.fillRect(rect(), theme().ground);
  painter.setTransform(m_zoom, true);
  paintPicture(painter);
  painter.resetTransform();
  if (QStringList lines = calloutLines(); !lines.isEmpty() && !m_dragging) {
    Typesetter type(theme());
    Canvas canvas(painter, type);
    callout(canvas, m_pointer, rect(), lines);
  }
  if (m_focusShown) {
    painter.setPen(QPen(theme().hair2, 1));
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

/// A picture that is whole has nothing beside it and stays where it is.
void PictureCanvas::mouseMoveEvent(QMouseEvent *event) {
  m_pointer = event->position();
  QPointF way = m_pointer - m_pressed;
  bool far = way.manhattanLength() >= QGuiApplication::styleHints()->startDragDistance();
  if (event->buttons() & Qt::LeftButton && (m_dragging || (far && !isWhole()))) {
    m_dragging = true;
    m_zoom *= QTransform::fromTranslate(way.x(), way.y());
    m_pressed = m_pointer;
    setCursor(Qt::ClosedHandCursor);
    update();
    return;
  }
  bool isOn = point(inPicture(m_pointer));
  setCursor(isOn ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (isOn) // its callout goes with the pointer
    update();
}

void PictureCanvas::mousePressEvent(QMouseEvent *event) { m_pressed = event->position(); }

void PictureCanvas::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  if (!std::exchange(m_dragging, false))
    click(inPicture(event->position()));
  unsetCursor();
  update();
}

void PictureCanvas::leaveEvent(QEvent *) { leave(); }

void PictureCanvas::wheelEvent(QWheelEvent *event) {
  double scale = std::clamp(m_zoom.m11() * std::pow(1.0015, event->angleDelta().y()), 1.0, MostZoom);
  QPointF at = event->position(), fixed = inPicture(at);
  if (scale <= 1.0)
    m_zoom.reset();
  else
    m_zoom = QTransform(scale, 0, 0, scale, at.x() - scale * fixed.x(), at.y() - scale * fixed.y());
  update();
  event->accept();
}

void PictureCanvas::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_F)
    return fit();
  if (handleKey(*event))
    return;
  event->ignore();
  Q_EMIT keyPressed(event);
}

/// The frame of the focus is for those who came by keyboard.
void PictureCanvas::focusInEvent(QFocusEvent *event) {
  m_focusShown = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                 event->reason() == Qt::ShortcutFocusReason;
  update();
}

void PictureCanvas::focusOutEvent(QFocusEvent *) {
  m_focusShown = false;
  update();
}

void PictureCanvas::resizeEvent(QResizeEvent *) { fit(); }

} // namespace tilescope::viz
