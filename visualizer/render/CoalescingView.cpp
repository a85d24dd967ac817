// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/CoalescingView.h"

#include "visualizer/render/CoalescingParts.h"
#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"

#include <QPainter>
#include <algorithm>

namespace tilescope::viz {

namespace {

const LineWindow &windowOf(const std::vector<LineWindow> &windows, int64_t order) {
  static const LineWindow none;
  auto found = std::ranges::find_if(windows, [&](const LineWindow &window) { return order < window.last; });
  return found == windows.end() ? none : *found;
}

QString contextText(const CoalescingFrame &frame) {
  return frame.state.stale ? text("coalescing.stale") : text(frame.scene.context());
}

void paintWideHead(const CoalescingFrame &frame, const QString &gpu) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  const QRectF &strip = frame.layout.header;
  canvas.fill(strip, theme.chrome);
  canvas.fill({strip.left(), strip.bottom(), strip.width(), 1}, theme.hair);
  QRectF title = canvas.text({60, 36}, text("coalescing.title"), {Type::Title, Weight::Semibold, theme.ink});
  QRectF mark = badge(canvas, {strip.right() - 60, 17}, Evidence::Modelled, gpu);
  double left = title.right() + 20, width = mark.left() - 24 - left;
  for (Type type : {Type::Body, Type::Label})
    if (canvas.type().richWidth(contextText(frame), type) <= width) {
      canvas.paragraph({left, 36 - canvas.type().lineHeight(type) + 5}, width, contextText(frame),
                       {type, Weight::Regular, theme.text2}, theme.ink);
      return;
    }
}

void paintNarrowHead(const CoalescingFrame &frame, const QString &gpu) {
  Canvas &canvas = frame.canvas;
  const CoalescingLayout &layout = frame.layout;
  const Theme &theme = frame.theme();
  Type type = layout.form == CoalescingLayout::Form::Column ? Type::Body : Type::Part;
  QRectF title = canvas.text({layout.header.left(), layout.header.bottom() - 5}, text("coalescing.title"),
                             {type, Weight::Semibold, theme.ink});
  if (title.right() + 16 + badgeWidth(canvas.type(), Evidence::Modelled, gpu) <= layout.header.right())
    badge(canvas, {layout.header.right(), layout.header.top()}, Evidence::Modelled, gpu);
  if (!layout.context.isEmpty())
    canvas.paragraph(layout.context.topLeft(), layout.context.width(), contextText(frame),
                     {Type::Label, Weight::Regular, theme.text2}, theme.ink);
}

void paintChip(const CoalescingFrame &frame, const AccessChip &chip) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  bool chosen = chip.access == frame.scene.detail().access;
  canvas.painter().setPen(QPen(chosen ? theme.hair2 : theme.hair, 1));
  canvas.painter().setBrush(chosen ? theme.selection : theme.ground);
  canvas.painter().drawRoundedRect(chip.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  double baseline = chip.box.center().y() + canvas.type().capHeight(Type::Label) / 2;
  QRectF name = canvas.text({chip.box.left() + 12, baseline}, chip.strong,
                            {Type::Label, chosen ? Weight::Semibold : Weight::Regular, theme.ink});
  canvas.text({name.right() + 6, baseline}, chip.quiet, {Type::Label, Weight::Regular, theme.text3});
}

} // namespace

double MemoryGrid::pitch() const {
  auto rows = static_cast<double>(std::max<size_t>(1, window.lines.size()));
  return std::min(layout.pitch, (layout.memory.height() + 3) / rows);
}

QRectF MemoryGrid::line(int row) const {
  double pitch = this->pitch(), top = std::round(layout.memory.top() + row * pitch);
  double height = pitch >= 14 ? std::floor(pitch) - 3 : pitch >= 7 ? std::floor(pitch) - 2 : std::max(1.0, pitch - 1);
  return {layout.memory.left(), top, layout.memory.width(), height};
}

QRectF MemoryGrid::bytes(int64_t sector, int from, int to) const {
  int row = window.rowOf(sector >> 2);
  if (row < 0)
    return {};
  QRectF line = this->line(row);
  double byte = line.width() / LineBytes, first = static_cast<double>((sector & 3) * SectorBytes);
  return {line.left() + (first + from) * byte, line.top(), (to - from) * byte, line.height()};
}

void paintCoalescingHeader(const CoalescingFrame &frame) {
  QString gpu = QString::fromStdString(frame.scene.gpu());
  frame.layout.form == CoalescingLayout::Form::Wide ? paintWideHead(frame, gpu) : paintNarrowHead(frame, gpu);
  for (const AccessChip &chip : accessChips(frame.layout, frame.scene, frame.canvas.type()))
    paintChip(frame, chip);
}

CoalescingView::CoalescingView(const Theme &theme) : m_cache(std::make_unique<CoalescingCache>()) { setTheme(theme); }
CoalescingView::~CoalescingView() = default;

void CoalescingView::setTheme(const Theme &theme) {
  m_theme = theme;
  m_type = std::make_unique<Typesetter>(m_theme);
  *m_cache = {};
}

const CoalescingLayout &CoalescingView::layout(const QSizeF &size, const CoalescingScene &scene) {
  std::vector<double> key{static_cast<double>(scene.revision()), size.width(), size.height(),
                          static_cast<double>(qHash(language()))};
  return m_cache->layout.get(std::move(key), [&] { return layOutCoalescing(size, scene, *m_type); });
}

const std::vector<LineWindow> &CoalescingView::windows(const CoalescingScene &scene, int rows) {
  return m_cache->windows.get({static_cast<double>(scene.revision()), static_cast<double>(rows)},
                              [&] { return windowsOf(scene.requests(), rows); });
}

void CoalescingView::paint(QPainter &painter, const QSizeF &size, const CoalescingScene &scene, double time,
                           const CoalescingState &state, std::vector<PlacedText> *log) {
  Canvas canvas(painter, *m_type, log);
  canvas.fill(QRectF({0, 0}, size), m_theme.ground);
  if (scene.empty())
    return;
  const CoalescingLayout &parts = layout(size, scene);
  const LineWindow &window = windowOf(windows(scene, parts.rows()), scene.clock().requestAt(time));
  CoalescingFrame frame{canvas, scene, parts, window, {parts, window}, time, state, *m_cache};
  paintCoalescingHeader(frame);
  paintTile(frame);
  paintRegisters(frame);
  paintMemory(frame);
  paintWarp(frame);
  paintRequestFigures(frame);
  paintRequestChart(frame);
  paintLegend(frame);
  narration(canvas, parts.narration, text(scene.narration(time)),
            parts.form == CoalescingLayout::Form::Column ? Type::Body : Type::Narration);
}

CoalescingHit CoalescingView::hit(const QSizeF &size, const CoalescingScene &scene, double time, QPointF at) {
  CoalescingHit hit;
  if (scene.empty())
    return hit;
  const CoalescingLayout &parts = layout(size, scene);
  for (const AccessChip &chip : accessChips(parts, scene, *m_type))
    if (chip.box.contains(at))
      hit.access = chip.access;
  int64_t order = scene.clock().requestAt(time);
  if (parts.warp.contains(at))
    hit.lane = std::min(WarpLanes - 1, static_cast<int>((at.x() - parts.warp.left()) / parts.lane()));
  if (parts.tile.contains(at)) {
    hit.element = TileGrid(scene, parts.tile).elementAt(at);
    if (hit.element >= 0) {
      hit.lane = scene.tile().place(hit.element).lane;
      hit.request = scene.requestOf(hit.element);
    }
  }
  if (int64_t request = chartRequest(scene, parts, at); request >= 0)
    hit.request = request;
  if (parts.memory.contains(at)) {
    MemoryGrid grid{parts, windowOf(windows(scene, parts.rows()), order)};
    const WarpRequest &request = scene.request(order);
    for (size_t i = 0; i < request.sectors.size(); ++i)
      if (QRectF box = grid.bytes(request.sectors[i].number, 0, SectorBytes); box.contains(at)) {
        hit.sector = static_cast<int64_t>(i);
        auto byte = static_cast<int64_t>((at.x() - box.left()) / box.width() * SectorBytes);
        hit.lane = request.laneAt(request.sectors[i].number * SectorBytes + byte);
      }
  }
  return hit;
}

QImage renderCoalescing(const CoalescingScene &scene, double time, QSize size, const Theme &theme,
                        const CoalescingState &state) {
  QImage image(size, QImage::Format_RGB32);
  QPainter painter(&image);
  CoalescingView(theme).paint(painter, size, scene, time, state);
  return image;
}

} // namespace tilescope::viz
