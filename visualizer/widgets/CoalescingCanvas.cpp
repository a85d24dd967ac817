// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/CoalescingCanvas.h"

#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"
#include "visualizer/widgets/EmptyView.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleHints>
#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope::viz {

namespace {
constexpr double MostZoom = 32;
} // namespace

CoalescingCanvas::CoalescingCanvas(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void CoalescingCanvas::setScene(const CoalescingScene *scene, const QStringList &words) {
  m_scene = scene;
  m_words = words;
  m_hovered = {};
  describe();
  update();
}

void CoalescingCanvas::setTheme(const Theme &theme) {
  m_view.setTheme(theme);
  update();
}

void CoalescingCanvas::setTime(double time) {
  bool other = !m_scene || m_scene->empty() || m_scene->clock().requestAt(time) != m_scene->clock().requestAt(m_time);
  m_time = time;
  if (other)
    describe();
  update();
}

void CoalescingCanvas::setState(const CoalescingState &state) {
  m_state = state;
  update();
}

/// For who cannot see it: the request in words, once a request and not once a frame.
void CoalescingCanvas::describe() {
  QStringList sentences = m_words;
  if (m_scene && !m_scene->empty()) {
    sentences.clear();
    for (const Phrase &phrase : m_scene->description(m_time))
      sentences.append(text(phrase).remove("**"));
  }
  setAccessibleName(text("coalescing.title"));
  setAccessibleDescription(sentences.join("\n"));
}

void CoalescingCanvas::fit() {
  m_zoom.reset();
  update();
}

CoalescingHit CoalescingCanvas::hitAt(QPointF at) {
  return m_scene ? m_view.hit(size(), *m_scene, m_time, m_zoom.inverted().map(at)) : CoalescingHit();
}

void CoalescingCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  if (!m_scene || m_scene->empty())
    return paintNothing(painter, rect(), m_view.theme(), m_words.value(0), m_words.value(1));
  painter.fillRect(rect(), m_view.theme().ground);
  painter.setTransform(m_zoom, true);
  m_view.paint(painter, size(), *m_scene, m_time, m_state);
  painter.resetTransform();
  if (QStringList lines = calloutLines(); !lines.isEmpty() && !m_dragging) {
    Typesetter type(m_view.theme());
    Canvas canvas(painter, type);
    callout(canvas, m_pointer, rect(), lines);
  }
  if (m_focusShown) {
    painter.setPen(QPen(m_view.theme().hair2, 1));
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

QStringList CoalescingCanvas::laneLines(int lane) const {
  const WarpRequest &request = m_scene->request(m_scene->clock().requestAt(m_time));
  QStringList lines{text("coalescing.hover.lane", {QString::number(lane), QString::number(request.warp)})};
  const TileLayout &tile = m_scene->tile();
  std::vector<int64_t> elements = tile.elementsOf(request.instruction, lane, request.warp);
  if (!request.isOn(lane))
    return lines << text("coalescing.hover.off");
  for (int64_t element : elements)
    lines += text("coalescing.hover.element",
                  {text(m_scene->elementName(element)), QString::number(tile.place(element).reg)});
  int64_t first = m_scene->offsetOf(request.positions[static_cast<size_t>(lane)]);
  lines += text("coalescing.hover.bytes", {grouped(first), grouped(first + request.bytesPerLane - 1)});
  return lines;
}

QStringList CoalescingCanvas::calloutLines() const {
  const CoalescingHit &hit = m_hovered;
  if (!m_scene || hit.nothing() || hit.access >= 0)
    return {};
  const TileLayout &tile = m_scene->tile();
  if (hit.element >= 0) {
    ElementPlace place = tile.place(hit.element);
    return {text("coalescing.hover.lane", {QString::number(place.lane), QString::number(place.warp)}),
            text("coalescing.hover.element", {text(m_scene->elementName(hit.element)), QString::number(place.reg)}),
            hit.request >= 0 && m_scene->isOn(hit.element) ? text("coalescing.request", {grouped(hit.request + 1)})
                                                           : text("coalescing.hover.off")};
  }
  if (hit.request >= 0) {
    const WarpRequest &request = m_scene->request(hit.request);
    return {
        text("coalescing.hover.request",
             {grouped(hit.request + 1), QString::number(request.warp), QString::number(request.instruction)}),
        text("coalescing.hover.request-figures",
             {countText("coalescing.sectors", static_cast<qint64>(request.sectors.size())), grouped(request.ideal())})};
  }
  QStringList lines;
  if (hit.sector >= 0) {
    const WarpRequest &request = m_scene->request(m_scene->clock().requestAt(m_time));
    const RequestSector &sector = request.sectors[static_cast<size_t>(hit.sector)];
    lines += text("coalescing.hover.sector",
                  {grouped(sector.number & 3), grouped(m_scene->offsetOf(sector.line() * LineBytes))});
    lines += text("coalescing.hover.sector-use",
                  {countText("coalescing.bytes", std::popcount(sector.mine)),
                   grouped(std::popcount(sector.byNeighbours())), grouped(std::popcount(sector.byNobody()))});
  }
  if (hit.lane >= 0)
    lines += laneLines(hit.lane);
  return lines;
}

void CoalescingCanvas::hover(QPointF at) {
  m_pointer = at;
  CoalescingHit hit = hitAt(at);
  if (hit == m_hovered && hit.nothing())
    return;
  m_hovered = hit;
  setCursor(hit.nothing() ? Qt::ArrowCursor : Qt::PointingHandCursor);
  update();
}

void CoalescingCanvas::mouseMoveEvent(QMouseEvent *event) {
  bool moved = (event->position() - m_pressed).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance();
  if (event->buttons() & Qt::LeftButton && (m_dragging || (moved && !m_zoom.isIdentity()))) {
    m_dragging = true;
    QPointF way = event->position() - m_pressed;
    m_zoom *= QTransform::fromTranslate(way.x(), way.y());
    m_pressed = event->position();
    setCursor(Qt::ClosedHandCursor);
    update();
    return;
  }
  hover(event->position());
}

void CoalescingCanvas::mousePressEvent(QMouseEvent *event) { m_pressed = event->position(); }

void CoalescingCanvas::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  if (!std::exchange(m_dragging, false))
    if (CoalescingHit hit = hitAt(event->position()); !hit.nothing())
      Q_EMIT clicked(hit);
  unsetCursor();
  update();
}

void CoalescingCanvas::leaveEvent(QEvent *) {
  m_hovered = {};
  update();
}

void CoalescingCanvas::wheelEvent(QWheelEvent *event) {
  double scale = std::clamp(m_zoom.m11() * std::pow(1.0015, event->angleDelta().y()), 1.0, MostZoom);
  QPointF at = event->position(), fixed = m_zoom.inverted().map(at);
  if (scale <= 1.0)
    m_zoom.reset();
  else
    m_zoom = QTransform(scale, 0, 0, scale, at.x() - scale * fixed.x(), at.y() - scale * fixed.y());
  update();
  event->accept();
}

void CoalescingCanvas::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_F)
    return fit();
  event->ignore();
  Q_EMIT keyPressed(event);
}

/// The frame of the focus is for those who came by keyboard.
void CoalescingCanvas::focusInEvent(QFocusEvent *event) {
  m_focusShown = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                 event->reason() == Qt::ShortcutFocusReason;
  update();
}

void CoalescingCanvas::focusOutEvent(QFocusEvent *) {
  m_focusShown = false;
  update();
}

void CoalescingCanvas::resizeEvent(QResizeEvent *) { fit(); }

} // namespace tilescope::viz
