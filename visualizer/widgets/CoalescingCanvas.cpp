// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/CoalescingCanvas.h"

#include "visualizer/render/Text.h"
#include "visualizer/widgets/EmptyView.h"

#include <QPainter>
#include <bit>

namespace tilescope::viz {

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

CoalescingHit CoalescingCanvas::hitAt(QPointF at) {
  return m_scene ? m_view.hit(size(), *m_scene, m_time, at) : CoalescingHit();
}

void CoalescingCanvas::paintPicture(QPainter &painter) { m_view.paint(painter, size(), *m_scene, m_time, m_state); }

void CoalescingCanvas::paintEmpty(QPainter &painter) {
  paintNothing(painter, rect(), theme(), m_words.value(0), m_words.value(1));
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

bool CoalescingCanvas::point(QPointF at) {
  CoalescingHit hit = hitAt(at);
  if (hit != m_hovered)
    update();
  m_hovered = hit;
  return !hit.nothing();
}

void CoalescingCanvas::leave() {
  m_hovered = {};
  update();
}

void CoalescingCanvas::click(QPointF at) {
  if (CoalescingHit hit = hitAt(at); !hit.nothing())
    Q_EMIT clicked(hit);
}

} // namespace tilescope::viz
