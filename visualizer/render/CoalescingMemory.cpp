// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warp's lanes, and under them the lines of memory with what the request takes of them.
#include "visualizer/render/CoalescingParts.h"

#include "visualizer/render/Colormap.h"
#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {

/// Calls part(from, to) for each run of set bits of a sector's mask.
template <typename Part> void forRuns(uint32_t mask, Part part) {
  for (int from = 0; from < SectorBytes; ++from) {
    if (!(mask >> from & 1))
      continue;
    int to = from;
    while (to < SectorBytes && mask >> to & 1)
      ++to;
    part(from, to);
    from = to;
  }
}

QRectF snapped(const QRectF &rect) {
  double left = std::round(rect.left()), right = std::round(rect.right());
  return {left, rect.top(), std::max(1.0, right - left), rect.height()};
}

/// A lane's bytes, cut where a sector ends.
std::vector<QRectF> laneRects(const CoalescingFrame &frame, int lane) {
  std::vector<QRectF> rects;
  const WarpRequest &request = frame.request();
  int64_t begin = request.positions[static_cast<size_t>(lane)], end = begin + request.bytesPerLane;
  while (begin < end) {
    int64_t sector = begin >> 5, stop = std::min(end, (sector + 1) * SectorBytes);
    QRectF rect = frame.bytesRect(sector, static_cast<int>(begin & 31), static_cast<int>(stop - sector * SectorBytes));
    bool joins = !rects.empty() && rects.back().top() == rect.top();
    if (joins)
      rects.back().setRight(rect.right());
    else if (!rect.isEmpty())
      rects.push_back(rect);
    begin = stop;
  }
  return rects;
}

void paintLines(const CoalescingFrame &frame) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  auto rows = static_cast<int>(frame.window.lines.size());
  for (int row = 0; row < rows; ++row) {
    QRectF line = frame.lineRect(row);
    canvas.fill(line, theme.empty);
    if (line.height() < 5)
      continue;
    outline(canvas, line, theme.hair, 1);
    for (int sector = 1; sector < 4; ++sector)
      canvas.fill({std::round(line.left() + line.width() * sector / 4), line.top(), 1, line.height()}, theme.hair);
  }
}

void paintAddresses(const CoalescingFrame &frame) {
  if (!frame.layout.addresses)
    return;
  Canvas &canvas = frame.canvas;
  Style style{Type::Address, Weight::Regular, frame.theme().text3};
  double line = canvas.type().lineHeight(Type::Address), last = -1e9;
  auto rows = static_cast<int>(frame.window.lines.size());
  for (int row = 0; row < rows; ++row) {
    QRectF rect = frame.lineRect(row);
    int64_t number = frame.window.lines[static_cast<size_t>(row)];
    bool wanted = row == 0 || frame.window.skipsBefore(row) || number % 8 == 0;
    double baseline = rect.center().y() + canvas.type().capHeight(Type::Address) / 2;
    QString label = grouped(frame.scene.offsetOf(number * LineBytes));
    bool fits = canvas.type().width(label, Type::Address) + 10 <= rect.left();
    if (!wanted || !fits || baseline - last < line)
      continue;
    canvas.text({rect.left() - 8, baseline}, label, style, Align::Right);
    last = baseline;
  }
}

/// What requests of the same window took before: faded.
void paintOver(const CoalescingFrame &frame) {
  QColor color = mixed(frame.theme().hbm.fill, frame.theme().ground, RequestOverShare);
  for (int64_t order = frame.window.first; order < frame.order(); ++order)
    for (const RequestSector &sector : frame.scene.request(order).sectors)
      forRuns(sector.mine, [&](int from, int to) {
        QRectF rect = frame.bytesRect(sector.number, from, to);
        if (!rect.isEmpty())
          frame.canvas.fill(snapped(rect), color);
      });
}

/// Requests to come by name, where each will begin, if its line is free there.
std::vector<std::pair<QRectF, QString>> namesToCome(const CoalescingFrame &frame) {
  std::vector<std::pair<QRectF, QString>> names;
  const Typesetter &type = frame.canvas.type();
  std::vector<QRectF> taken;
  for (int64_t order = frame.window.first; order <= frame.order(); ++order)
    for (const RequestSector &sector : frame.scene.request(order).sectors)
      taken.push_back(frame.bytesRect(sector.number, 0, SectorBytes));
  bool severalWarps = frame.scene.detail().warps > 1;
  for (int64_t order = frame.order() + 1; order < frame.window.last; ++order) {
    const WarpRequest &request = frame.scene.request(order);
    LanePattern::Kind kind = patternOf(request).kind;
    if (kind != LanePattern::Kind::Row && kind != LanePattern::Kind::Masked)
      continue;
    const RequestSector &first = request.sectors.front(), &last = request.sectors.back();
    QRectF begin = frame.bytesRect(first.number, std::countr_zero(first.mine), SectorBytes);
    QRectF end = frame.bytesRect(last.number, 0, SectorBytes);
    double right = end.top() == begin.top() ? end.right() : frame.layout.memory.right();
    QString words = severalWarps ? text("coalescing.request.warp", {grouped(order + 1), grouped(request.warp)})
                                 : text("coalescing.request", {grouped(order + 1)});
    if (type.width(words, Type::Index) > right - begin.left() - 8)
      words = text("coalescing.request", {grouped(order + 1)});
    QRectF room(begin.left() + 4, begin.top(), type.width(words, Type::Index) + 4, begin.height());
    bool free = std::ranges::none_of(taken, [&](const QRectF &other) { return other.intersects(room); });
    if (!free || room.right() > right)
      continue;
    taken.push_back(room.adjusted(-8, 0, 8, 0));
    names.emplace_back(room, words);
  }
  return names;
}

void paintToCome(const CoalescingFrame &frame) {
  Canvas &canvas = frame.canvas;
  if (frame.pitch() < frame.layout.pitch - 1)
    return;
  for (const auto &[room, words] : frame.cache.toCome.get(frame.key(), [&] { return namesToCome(frame); })) {
    canvas.fill(room.adjusted(0, 1, 0, -1), frame.theme().empty); // over the lines between sectors
    canvas.text({room.left() + 2, room.center().y() + canvas.type().capHeight(Type::Index) / 2}, words,
                {Type::Index, Weight::Regular, frame.theme().text3});
  }
}

QColor shown(const QColor &color, const QColor &ground, double share) { return mixed(color, ground, share); }

/// What the request's sectors hold beside its own bytes, as far as it is judged.
void paintRest(const CoalescingFrame &frame) {
  double judged = RequestClock::judgedAt(frame.phase()), closed = RequestClock::closedAt(frame.phase());
  const Theme &theme = frame.theme();
  if (closed <= 0)
    return;
  for (const RequestSector &sector : frame.request().sectors) {
    if (judged > 0) {
      forRuns(sector.byNeighbours(), [&](int from, int to) {
        frame.canvas.fill(snapped(frame.bytesRect(sector.number, from, to)),
                          shown(theme.hbm.tint, theme.empty, judged));
      });
      forRuns(sector.byNobody(), [&](int from, int to) {
        hatch(frame.canvas, QPolygonF(snapped(frame.bytesRect(sector.number, from, to))), theme.ground,
              shown(theme.hbm.fill, theme.ground, judged));
      });
    } else {
      frame.canvas.fill(snapped(frame.bytesRect(sector.number, 0, SectorBytes)), theme.ground);
    }
  }
}

/// Sectors close from their middle outwards.
void paintSectorOutlines(const CoalescingFrame &frame) {
  double closed = RequestClock::closedAt(frame.phase());
  if (closed <= 0)
    return;
  for (const RequestSector &sector : frame.request().sectors) {
    QRectF rect = snapped(frame.bytesRect(sector.number, 0, SectorBytes));
    double half = rect.width() / 2 * closed;
    outline(frame.canvas, QRectF(rect.center().x() - half, rect.top(), 2 * half, rect.height()), frame.theme().hbm.fill,
            std::min(frame.theme().stroke, rect.height() / 4));
  }
}

void paintOwnBytes(const CoalescingFrame &frame) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  const WarpRequest &request = frame.request();
  for (int lane = 0; lane < WarpLanes; ++lane) {
    if (!request.isOn(lane) || frame.taken(lane) <= 0)
      continue;
    std::vector<QRectF> rects = laneRects(frame, lane);
    for (const QRectF &rect : rects) {
      QRectF box = snapped(rect);
      if (box.width() >= 6)
        box.setRight(box.right() - 1);
      canvas.fill(box, mixed(theme.hbm.fill, theme.empty, frame.taken(lane)));
    }
  }
}

/// Numbers of lanes on their bytes; lanes that begin at the same byte are counted instead.
void paintLaneNumbers(const CoalescingFrame &frame) {
  Canvas &canvas = frame.canvas;
  const WarpRequest &request = frame.request();
  double narrowest = frame.layout.lane() * request.bytesPerLane / 4 - 1;
  bool every = canvas.type().width("30", Type::Index, Weight::Medium) + 0.5 <= narrowest;
  for (int lane = 0; lane < WarpLanes; ++lane) {
    if (!request.isOn(lane) || frame.taken(lane) < 1 || (!every && lane % 8 && lane != frame.followed()))
      continue;
    int64_t place = request.positions[static_cast<size_t>(lane)];
    int first = request.laneAt(place), count = 0;
    if (first != lane)
      continue;
    for (int other = 0; other < WarpLanes; ++other)
      count += request.isOn(other) && request.positions[static_cast<size_t>(other)] == place && frame.taken(other) >= 1;
    std::vector<QRectF> rects = laneRects(frame, lane);
    if (rects.empty() || rects[0].height() < canvas.type().capHeight(Type::Index) + 1)
      continue;
    QString words = count > 1 ? countText("coalescing.lanes", count) : QString::number(lane);
    if (canvas.type().width(words, Type::Index, Weight::Medium) + 1 <= rects[0].width())
      canvas.centered(rects[0], words, {Type::Index, Weight::Medium, frame.theme().onHbm});
  }
}

void paintFollowed(const CoalescingFrame &frame) {
  int lane = frame.followed();
  QRectF cell(frame.layout.warp.left() + lane * frame.layout.lane(), frame.layout.warp.top(), frame.layout.lane(),
              frame.layout.warp.height());
  const Theme &theme = frame.theme();
  outline(frame.canvas, cell.toAlignedRect(), theme.followed, theme.followedStroke);
  if (!frame.request().isOn(lane) || frame.taken(lane) < 1)
    return;
  std::vector<QRectF> rects = laneRects(frame, lane);
  if (rects.empty())
    return;
  QPointF from(cell.center().x(), cell.bottom() + 3), to(rects[0].center().x(), rects[0].top() - 3);
  double bend = std::max(10.0, 0.45 * (to.y() - from.y()));
  QPainterPath path(from);
  path.cubicTo(from + QPointF(0, bend), to - QPointF(0, bend), to);
  connector(frame.canvas, path, theme.followed, theme.kind == Theme::Kind::Projector ? 3 : 1.5);
  for (const QRectF &rect : rects)
    outline(frame.canvas, snapped(rect).adjusted(-1, -1, 1, 1), theme.followed, theme.followedStroke);
}

} // namespace

void paintWarp(const CoalescingFrame &frame) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  const CoalescingLayout &layout = frame.layout;
  const WarpRequest &request = frame.request();
  double baseline = layout.warpTitle.bottom() - 4;
  QRectF name = canvas.text({layout.warpTitle.left(), baseline}, text(frame.scene.warpTitle(frame.order())),
                            {Type::Label, Weight::Semibold, theme.reg.text});
  QString subtitle = text(frame.scene.warpSubtitle(frame.order()));
  if (name.right() + 10 + canvas.type().width(subtitle, Type::Label) <= layout.warpTitle.right())
    canvas.text({name.right() + 10, baseline}, subtitle, {Type::Label, Weight::Regular, theme.text2});
  bool every = canvas.type().width("30", Type::Index) + 1 <= layout.lane() - 0.5;
  for (int lane = 0; lane < WarpLanes; ++lane) {
    double left = std::round(layout.warp.left() + lane * layout.lane());
    double right = std::round(layout.warp.left() + (lane + 1) * layout.lane());
    QRectF cell(left, layout.warp.top(), right - left - (layout.lane() >= 8 ? 1 : 0), layout.warp.height());
    bool on = request.isOn(lane);
    canvas.fill(cell, on ? mixed(theme.reg.tint, theme.ground, frame.taken(lane)) : theme.ground);
    outline(canvas, cell, on ? theme.reg.fill : theme.hair2, 1);
    if (every)
      canvas.centered(cell, QString::number(lane), {Type::Index, Weight::Regular, on ? theme.ink : theme.text3});
  }
  // Where not all numbers fit, each eighth's stands over the edges of cells, on their colour.
  for (int lane = 0; lane < WarpLanes && !every; lane += 8) {
    QString words = QString::number(lane);
    QRectF room(layout.warp.left() + lane * layout.lane() + 2, layout.warp.center().y() - 6,
                canvas.type().width(words, Type::Index) + 2, 12);
    canvas.fill(room, request.isOn(lane) ? mixed(theme.reg.tint, theme.ground, frame.taken(lane)) : theme.ground);
    canvas.centered(room, words, {Type::Index, Weight::Regular, theme.ink});
  }
  if (request.known)
    paintFollowed(frame);
}

void paintMemory(const CoalescingFrame &frame) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  const CoalescingLayout &layout = frame.layout;
  if (frame.window.lines.empty() || !frame.request().known) {
    canvas.text({layout.memory.left(), layout.memory.top() + canvas.type().lineHeight(Type::Label)},
                text("coalescing.memory.reading"), {Type::Label, Weight::Regular, theme.text3});
    return;
  }
  canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  paintLines(frame);
  paintOver(frame);
  canvas.painter().setRenderHint(QPainter::Antialiasing, true);
  paintToCome(frame);
  paintRest(frame);
  paintOwnBytes(frame);
  paintSectorOutlines(frame);
  paintLaneNumbers(frame);
  paintAddresses(frame);
  QRectF last = frame.lineRect(static_cast<int>(frame.window.lines.size()) - 1);
  double baseline =
      std::min(last.bottom() + 8 + canvas.type().lineHeight(Type::Label), layout.memoryTitle.bottom()) - 4;
  QRectF name = canvas.text({layout.memoryTitle.left(), baseline}, text("coalescing.memory"),
                            {Type::Label, Weight::Semibold, theme.hbm.text});
  QString subtitle = text(frame.scene.memorySubtitle(frame.window));
  if (name.right() + 10 + canvas.type().width(subtitle, Type::Label) <= layout.memoryTitle.right())
    canvas.text({name.right() + 10, baseline}, subtitle, {Type::Label, Weight::Regular, theme.text2});
}

} // namespace tilescope::viz
