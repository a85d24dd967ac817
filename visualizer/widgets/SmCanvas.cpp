// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/SmCanvas.h"

#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"
#include "visualizer/widgets/EmptyView.h"

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

SmCanvas::SmCanvas(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  refresh();
}

void SmCanvas::setScene(const SmScene *scene) {
  m_scene = scene;
  m_detail.reset();
  hover(-1);
  fit();
  refresh();
}

void SmCanvas::refresh() {
  m_described = -1;
  describe();
  update();
}

void SmCanvas::setTheme(const Theme &theme) {
  m_view.setTheme(theme);
  update();
}

void SmCanvas::setTime(double time) {
  m_time = time;
  describe();
  update();
}

void SmCanvas::setState(const SmState &state) {
  m_state = state;
  update();
}

void SmCanvas::setDetail(const protocol::ProgramDetail &detail) {
  m_detail = detail;
  update();
}

void SmCanvas::fit() {
  m_zoom.reset();
  update();
}

QRect SmCanvas::outputTitle() {
  return showsScene() && m_zoom.isIdentity() ? m_view.layout(size(), *m_scene).outputTitle.toAlignedRect()
                                             : QRect();
}

/// Once an event, not once a frame.
void SmCanvas::describe() {
  int64_t event = showsScene() ? m_scene->clock().eventAt(m_time) : 0;
  if (event == m_described)
    return;
  m_described = event;
  QStringList sentences;
  if (showsScene())
    for (const Phrase &phrase : m_scene->description(m_time))
      sentences.append(text(phrase).remove("**"));
  else
    sentences.append(text("sm.empty"));
  setAccessibleName(text("sm.title"));
  setAccessibleDescription(sentences.join("\n"));
}

int64_t SmCanvas::programAt(QPointF at) {
  return showsScene() ? m_view.programAt(size(), *m_scene, m_time, m_zoom.inverted().map(at), m_state) : -1;
}

void SmCanvas::hover(int64_t program) {
  if (std::exchange(m_state.hovered, program) == program)
    return;
  Q_EMIT hovered(program);
  update();
}

void SmCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  if (!showsScene())
    return paintEmpty(painter);
  painter.fillRect(rect(), m_view.theme().ground);
  painter.setTransform(m_zoom, true);
  m_view.paint(painter, size(), *m_scene, m_time, m_state);
  painter.resetTransform();
  paintCallout(painter);
  if (m_focusShown) {
    painter.setPen(QPen(m_view.theme().hair2, 1));
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void SmCanvas::paintEmpty(QPainter &painter) {
  bool waits = m_scene && !m_scene->empty();
  paintNothing(painter, rect(), m_view.theme(), text(waits ? "sm.no-schedule" : "sm.empty"),
               waits ? QString() : text("sm.empty.hint"));
}

QStringList SmCanvas::calloutLines() const {
  int64_t program = m_state.hovered;
  QStringList lines{
      text("sm.hover", {text("sm.program", {grouped(program)}), text(m_scene->programTile(program))})};
  if (m_scene->oneSlot())
    lines += text("sm.hover.sm", {grouped(program - m_scene->firstProgram(m_scene->waveOf(program))),
                                  grouped(m_scene->waveOf(program) + 1)});
  const protocol::LaunchSummary &launch = m_scene->launch();
  bool detailed = m_detail && m_detail->program == program;
  for (size_t i = 0; i < launch.accesses.size(); ++i) {
    const protocol::AccessSummary &access = launch.accesses[i];
    bool stores = m_scene->output() && m_scene->output()->access == static_cast<int>(i);
    if (!detailed && !stores)
      continue;
    QString what =
        text("sm.access." + QString::fromStdString(access.op), {QString::fromStdString(access.tensor)});
    QString line = text("sm.hover.line", {QString::number(access.line), what});
    if (detailed)
      for (const protocol::ProgramAccess &counted : m_detail->accesses)
        if (counted.access == static_cast<int>(i))
          line += "\n" +
                  text("sm.detail", {countText("sm.elements", static_cast<qint64>(counted.elements.active)),
                                     grouped(static_cast<qint64>(counted.elements.masked)),
                                     grouped(static_cast<qint64>(counted.elements.outOfBounds))});
    lines += line.split('\n');
  }
  return lines;
}

void SmCanvas::paintCallout(QPainter &painter) {
  if (m_state.hovered < 0 || m_dragging)
    return;
  Typesetter type(m_view.theme());
  Canvas canvas(painter, type);
  callout(canvas, m_pointer, rect(), calloutLines());
}

void SmCanvas::mouseMoveEvent(QMouseEvent *event) {
  m_pointer = event->position();
  bool far = (m_pointer - m_pressed).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance();
  if (event->buttons() & Qt::LeftButton && (m_dragging || far)) {
    if (!m_dragging)
      setCursor(Qt::ClosedHandCursor);
    m_dragging = true;
    QPointF moved = m_pointer - m_pressed;
    m_zoom *= QTransform::fromTranslate(moved.x(), moved.y());
    m_pressed = m_pointer;
    update();
    return;
  }
  hover(programAt(m_pointer));
  setCursor(m_state.hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (m_state.hovered >= 0)
    update();
}

void SmCanvas::mousePressEvent(QMouseEvent *event) { m_pressed = event->position(); }

void SmCanvas::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  if (!std::exchange(m_dragging, false))
    if (int64_t program = programAt(event->position()); program >= 0)
      Q_EMIT chosen(program);
  unsetCursor();
  update();
}

void SmCanvas::leaveEvent(QEvent *) { hover(-1); }

void SmCanvas::wheelEvent(QWheelEvent *event) {
  double factor = std::pow(1.0015, event->angleDelta().y());
  double scale = std::clamp(m_zoom.m11() * factor, 1.0, MostZoom);
  QPointF at = event->position(), fixed = m_zoom.inverted().map(at);
  // At 100 % the picture is whole again and nothing is beside it.
  if (scale <= 1.0)
    fit();
  else
    m_zoom = QTransform(scale, 0, 0, scale, at.x() - scale * fixed.x(), at.y() - scale * fixed.y());
  update();
  event->accept();
}

bool SmCanvas::handleKey(const QKeyEvent &event) {
  if (event.key() == Qt::Key_F) {
    fit();
    return true;
  }
  if (!showsScene())
    return false;
  int64_t down =
      m_scene->tiling() == Tiling::RowEach ? 1 : std::max<int64_t>(1, m_scene->tiles().cellColumns());
  int64_t step = 0;
  switch (event.key()) {
  case Qt::Key_Left:
    step = -1;
    break;
  case Qt::Key_Right:
    step = 1;
    break;
  case Qt::Key_Up:
    step = -down;
    break;
  case Qt::Key_Down:
    step = down;
    break;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    break;
  default:
    return false;
  }
  Q_EMIT chosen(std::clamp<int64_t>(m_view.followed(size(), *m_scene, m_time, m_state) + step, 0,
                                    m_scene->programs() - 1));
  return true;
}

void SmCanvas::keyPressEvent(QKeyEvent *event) {
  if (handleKey(*event))
    return;
  event->ignore();
  Q_EMIT keyPressed(event);
}

/// The frame of the focus is for those who came by keyboard.
void SmCanvas::focusInEvent(QFocusEvent *event) {
  m_focusShown = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                 event->reason() == Qt::ShortcutFocusReason;
  update();
}

void SmCanvas::focusOutEvent(QFocusEvent *) {
  m_focusShown = false;
  update();
}

void SmCanvas::resizeEvent(QResizeEvent *) { fit(); }

} // namespace tilescope::viz
