// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile with its elements by lane and request, and the registers of the lane that is followed.
#include "visualizer/render/CoalescingParts.h"

#include "visualizer/render/Colormap.h"
#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {

/// From here on elements are rectangles with an edge; smaller ones are pixels of an image.
constexpr double LeastRect = 6, MostCell = 17.5;

enum class When { Off, ToCome, Over, Now };

/// Before the request of this time has taken anything.
When whenOf(const CoalescingFrame &frame, int64_t element) {
  if (!frame.scene.isOn(element))
    return When::Off;
  return frame.scene.requestOf(element) < frame.order() ? When::Over : When::ToCome;
}

/// Lanes beside each other differ a little, so that the layout is seen where no number fits.
QColor elementColor(const CoalescingFrame &frame, int64_t element, When when) {
  const Theme &theme = frame.theme();
  ElementPlace place = frame.scene.tile().place(element);
  bool odd = (place.lane ^ place.warp) & 1;
  switch (when) {
  case When::Off:
    return theme.ground;
  case When::ToCome:
    return mixed(theme.reg.tint, theme.ground, odd ? 0.55 : 0.95);
  case When::Over:
    return mixed(theme.reg.fill, theme.ground, odd ? 0.4 : 0.5);
  case When::Now:
    return theme.reg.fill;
  }
  return {};
}

QImage pixelsOf(const CoalescingFrame &frame, const TileGrid &grid) {
  // A pixel an element, or one for several where the tile is larger than its room.
  double across = std::min(1.0, grid.cell), down = std::min(1.0, grid.row);
  auto width = std::max<int>(1, static_cast<int>(std::floor(static_cast<double>(grid.columns) * across)));
  auto height = std::max<int>(1, static_cast<int>(std::floor(static_cast<double>(grid.rows) * down)));
  QImage image(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y) {
    auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
    for (int x = 0; x < width; ++x) {
      auto row = static_cast<int64_t>(y / down), column = static_cast<int64_t>(x / across);
      int64_t element = row * grid.columns + column;
      line[x] = elementColor(frame, element, whenOf(frame, element)).rgb();
    }
  }
  return image;
}

void paintRun(const CoalescingFrame &frame, Canvas &canvas, const TileGrid &grid, int64_t first, int64_t end,
              When when) {
  const Theme &theme = frame.theme();
  QRectF begin = grid.rect(first), last = grid.rect(end - 1);
  double gap = grid.cells ? 1 : 0;
  QRectF run(begin.topLeft(), QPointF(last.right() - gap, last.bottom() - gap));
  canvas.fill(run, elementColor(frame, first, when));
  if (when == When::Off)
    outline(canvas, run, theme.hair, 1);
  QString words = QString::number(frame.scene.tile().place(first).lane);
  // All lanes have their number, or none.
  double narrowest = grid.cell * frame.scene.detail().vectorElements - 1;
  bool room =
      grid.row >= canvas.type().capHeight(Type::Index) + 4 && canvas.type().width("30", Type::Index) <= narrowest;
  if (room)
    canvas.centered(run, words,
                    {Type::Index, Weight::Regular,
                     when == When::Now   ? inkOn(theme.reg.fill)
                     : when == When::Off ? theme.text3
                                         : theme.text2});
}

/// Calls run(first, end) for each run of neighbours in a row that `same(element, next)` holds for.
template <typename Same, typename Run> void forRuns(const TileGrid &grid, Same same, Run run) {
  for (int64_t row = 0; row < grid.rows; ++row)
    for (int64_t first = row * grid.columns, end = first, last = first + grid.columns; first < last; first = end) {
      ++end;
      while (end < last && same(end - 1, end))
        ++end;
      run(first, end);
    }
}

/// All elements as they are at some time, in runs that one lane holds.
template <typename At> void paintCells(const CoalescingFrame &frame, Canvas &canvas, const TileGrid &grid, At at) {
  const TileLayout &tile = frame.scene.tile();
  auto same = [&](int64_t element, int64_t next) {
    ElementPlace a = tile.place(element), b = tile.place(next);
    return a.lane == b.lane && a.warp == b.warp && at(element) == at(next) &&
           frame.scene.requestOf(element) == frame.scene.requestOf(next);
  };
  forRuns(grid, same, [&](int64_t first, int64_t end) { paintRun(frame, canvas, grid, first, end, at(first)); });
}

/// The elements that the request of this time has taken, in runs of neighbours.
void paintNow(const CoalescingFrame &frame, const TileGrid &grid) {
  const WarpRequest &request = frame.request();
  for (int lane = 0; lane < WarpLanes; ++lane) {
    if (!request.isOn(lane) || frame.taken(lane) <= 0)
      continue;
    std::vector<int64_t> elements = frame.scene.tile().elementsOf(request.instruction, lane, request.warp);
    for (size_t i = 0; i < elements.size();) {
      size_t end = i + 1;
      while (end < elements.size() && elements[end] == elements[end - 1] + 1 && elements[end] % grid.columns != 0)
        ++end;
      paintRun(frame, frame.canvas, grid, elements[i], elements[end - 1] + 1, When::Now);
      i = end;
    }
  }
}

/// All that is not masked off, as it is before or after its request.
QImage cellsOf(const CoalescingFrame &frame, const TileGrid &grid, When when) {
  double scale = frame.canvas.deviceScale();
  QImage image((grid.box().size() * scale).toSize() + QSize(1, 1), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(frame.theme().ground);
  QPainter painter(&image);
  painter.translate(-grid.corner);
  Canvas canvas(painter, frame.canvas.type());
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintCells(frame, canvas, grid, [&](int64_t element) { return frame.scene.isOn(element) ? when : When::Off; });
  return image;
}

/// What stays during a request is kept as images where there are pixels.
void paintElements(const CoalescingFrame &frame, const TileGrid &grid) {
  if (!grid.cells) {
    frame.canvas.painter().setRenderHint(QPainter::SmoothPixmapTransform, false);
    frame.canvas.painter().drawImage(grid.box(),
                                     frame.cache.tile.get(frame.key(), [&] { return pixelsOf(frame, grid); }));
    return paintNow(frame, grid);
  }
  if (!frame.canvas.pixels() || frame.canvas.log())
    return paintCells(frame, frame.canvas, grid, [&](int64_t element) {
      bool now =
          frame.scene.requestOf(element) == frame.order() && frame.taken(frame.scene.tile().place(element).lane) > 0;
      return now && frame.scene.isOn(element) ? When::Now : whenOf(frame, element);
    });
  const auto &[toCome, over] = frame.cache.tileCells.get(frame.pictureKey(), [&] {
    return std::pair(cellsOf(frame, grid, When::ToCome), cellsOf(frame, grid, When::Over));
  });
  frame.canvas.painter().drawImage(grid.corner, toCome);
  double scale = over.devicePixelRatio();
  auto isOver = [&](int64_t element) { return whenOf(frame, element) == When::Over; };
  forRuns(
      grid, [&](int64_t element, int64_t next) { return isOver(element) == isOver(next); },
      [&](int64_t first, int64_t end) {
        if (!isOver(first))
          return;
        QRectF run = grid.rect(first).united(grid.rect(end - 1));
        QRectF source = run.translated(-grid.corner);
        frame.canvas.painter().drawImage(run, over, {source.topLeft() * scale, source.size() * scale});
      });
  paintNow(frame, grid);
}

void paintWarpNames(const CoalescingFrame &frame, const TileGrid &grid) {
  Canvas &canvas = frame.canvas;
  const TileLayout &tile = frame.scene.tile();
  if (frame.layout.form != CoalescingLayout::Form::Wide || tile.warps() == 1)
    return;
  double line = canvas.type().lineHeight(Type::Address), last = -1e9;
  int before = -1;
  for (int64_t column = 1; column < grid.columns; ++column)
    if (tile.place(column).warp != tile.place(0).warp)
      return;
  for (int64_t row = 1; row < grid.rows; ++row) // warps that take turns faster than names fit have none
    if (tile.place(row * grid.columns).warp != tile.place((row - 1) * grid.columns).warp && grid.row < line - 2)
      return;
  for (int64_t row = 0; row < grid.rows; ++row) {
    QRectF rect = grid.rect(row * grid.columns);
    int warp = tile.place(row * grid.columns).warp;
    double baseline = std::max(rect.center().y(), rect.top() + 4) + canvas.type().capHeight(Type::Address) / 2;
    if (warp == before || baseline - last < line - 3)
      continue;
    before = warp, last = baseline;
    canvas.text({rect.left() - 8, baseline}, text("coalescing.warp", {QString::number(warp)}),
                {Type::Address, Weight::Regular, frame.theme().text3}, Align::Right);
  }
}

/// All elements of the followed lane, and strongly those that it moves now.
void paintFollowedElements(const CoalescingFrame &frame, const TileGrid &grid) {
  const Theme &theme = frame.theme();
  const TileLayout &tile = frame.scene.tile();
  int lane = frame.followed(), warp = frame.request().warp;
  auto mark = [&](const std::vector<int64_t> &elements, const QColor &color, double width) {
    for (size_t i = 0; i < elements.size();) {
      size_t end = i + 1;
      while (end < elements.size() && elements[end] == elements[end - 1] + 1 && elements[end] % grid.columns != 0)
        ++end;
      QRectF rect = grid.rect(elements[i]).united(grid.rect(elements[end - 1]));
      double grow = !grid.cells ? 2 : 0;
      outline(frame.canvas, rect.adjusted(-grow, -grow, grow - 1, grow - 1), color, width);
      i = end;
    }
  };
  int instructions = frame.scene.detail().instructions;
  for (int instruction = 0; instruction < instructions && instructions <= 64; ++instruction)
    if (instruction != frame.request().instruction)
      mark(tile.elementsOf(instruction, lane & (tile.lanes() - 1), warp), theme.text3, 1);
  mark(tile.elementsOf(frame.request().instruction, lane & (tile.lanes() - 1), warp), theme.followed,
       theme.followedStroke);
}

void paintRegister(const CoalescingFrame &frame, const QRectF &cell, int reg, int64_t element, bool now) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  bool on = frame.scene.isOn(element);
  canvas.fill(cell, !on ? theme.ground : now ? theme.reg.fill : theme.reg.tint);
  if (!on)
    outline(canvas, cell, theme.hair2, 1);
  QColor ink = now && on ? inkOn(theme.reg.fill) : on ? theme.ink : theme.text3;
  double baseline = cell.center().y() + canvas.type().capHeight(Type::Index) / 2;
  canvas.text({cell.left() + 6, baseline}, text("coalescing.register", {QString::number(reg)}),
              {Type::Index, Weight::Regular, now && on ? ink : theme.text3});
  canvas.text({cell.right() - 6, baseline}, QString::fromStdString(frame.scene.elementIndex(element)),
              {Type::Index, Weight::Medium, ink}, Align::Right);
}

} // namespace

TileGrid::TileGrid(const CoalescingScene &scene, const QRectF &box) {
  const std::vector<int64_t> &shape = scene.detail().shape;
  int64_t count = scene.tile().elements(), vector = scene.detail().vectorElements;
  columns = shape.size() >= 2 ? shape.back() : std::min<int64_t>(count, WarpLanes * vector);
  // A long line is folded into a square at most as high as its room.
  while (shape.size() == 1 &&
         columns<count &&static_cast<double>(count / columns) / static_cast<double>(columns)> box.height() /
             box.width() * 1.5)
    columns *= 2;
  rows = count / std::max<int64_t>(1, columns);
  // Whole pixels for small ones, halves for large ones.
  auto snapped = [](double size) {
    return size < 1 ? size : size < LeastRect ? std::floor(size) : std::floor(size * 2) / 2;
  };
  double wide = std::min(box.width() / static_cast<double>(columns), MostCell);
  double high = std::min(box.height() / static_cast<double>(rows), MostCell);
  // Rows and columns of a matrix are to the same scale; those of a folded line are only its order.
  bool folded = shape.size() <= 1;
  cell = snapped(folded ? wide : std::min(wide, high));
  row = snapped(folded ? high : std::min(wide, high));
  cells = row >= LeastRect && cell * static_cast<double>(vector) >= LeastRect;
  corner = {std::round(box.left()), std::round(box.top())};
}

QRectF TileGrid::rect(int64_t element) const {
  auto line = static_cast<double>(element / columns), column = static_cast<double>(element % columns);
  double left = corner.x() + column * cell, top = corner.y() + line * row;
  if (cell < 1 || row < 1)
    return {left, top, cell, row};
  double x = std::round(left), y = std::round(top);
  return {x, y, std::round(left + cell) - x, std::round(top + row) - y};
}

QRectF TileGrid::box() const {
  return {corner, QSizeF(static_cast<double>(columns) * cell, static_cast<double>(rows) * row)};
}

int64_t TileGrid::elementAt(QPointF at) const {
  if (!box().contains(at))
    return -1;
  auto line = static_cast<int64_t>((at.y() - corner.y()) / row),
       column = static_cast<int64_t>((at.x() - corner.x()) / cell);
  return std::min(line, rows - 1) * columns + std::min(column, columns - 1);
}

void paintTile(const CoalescingFrame &frame) {
  const CoalescingLayout &layout = frame.layout;
  if (layout.tile.isEmpty())
    return;
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  bool wide = layout.form == CoalescingLayout::Form::Wide;
  canvas.text({layout.tileTitle.left(), layout.tileTitle.bottom() - 6}, text("coalescing.tile"),
              {wide ? Type::Part : Type::Body, Weight::Semibold, theme.ink});
  canvas.paragraph(layout.tileSubtitle.topLeft(), layout.tileSubtitle.width(), text(frame.scene.tileSubtitle()),
                   {Type::Label, Weight::Regular, theme.text2});
  TileGrid grid(frame.scene, layout.tile);
  canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  paintElements(frame, grid);
  if (!grid.cells)
    outline(canvas, grid.box().toAlignedRect().adjusted(-1, -1, 1, 1), theme.hair2, 1);
  paintFollowedElements(frame, grid);
  canvas.painter().setRenderHint(QPainter::Antialiasing, true);
  paintWarpNames(frame, grid);
}

void paintRegisters(const CoalescingFrame &frame) {
  if (frame.layout.registers.isEmpty() || frame.layout.tile.isEmpty())
    return;
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  const TileLayout &tile = frame.scene.tile();
  int lane = frame.followed(), warp = frame.request().warp;
  double line = canvas.type().lineHeight(Type::Label);
  TileGrid grid(frame.scene, frame.layout.tile);
  double top = std::min(frame.layout.registers.top(), grid.box().bottom() + 14);
  line = canvas.paragraph({frame.layout.registers.left(), top}, frame.layout.registers.width(),
                          text(frame.scene.layoutNote(frame.order(), lane)),
                          {Type::Label, Weight::Regular, theme.text2}, theme.reg.text);
  double widest = 0;
  for (int reg = 0; reg < tile.registers(); ++reg)
    widest = std::max(widest, canvas.type().width(QString::fromStdString(frame.scene.elementIndex(
                                                      tile.element(reg, lane & (tile.lanes() - 1), warp))),
                                                  Type::Index, Weight::Medium));
  double cell = std::ceil(widest + canvas.type().width(text("coalescing.register", {QString::number(std::max(10, tile.registers() - 1))}), Type::Index)) + 20;
  constexpr double Height = 22, Pitch = 25;
  auto columns = std::max(1, static_cast<int>((frame.layout.registers.width() + 3) / (cell + 3)));
  int rows = static_cast<int>((frame.layout.registers.bottom() - top - line - 6 + 3) / Pitch);
  int fits = columns * std::min(rows, 4), count = std::min(tile.registers(), fits);
  // Those that the request moves are among the ones that are shown.
  int first = 0;
  for (int reg = tile.registers(); reg-- > 0;)
    if (tile.instruction(reg) == frame.request().instruction)
      first = reg;
  first = tile.registers() <= fits ? 0 : std::clamp(first / columns * columns, 0, tile.registers() - count);
  for (int i = 0; i < count; ++i) {
    int reg = first + i;
    QRectF box(frame.layout.registers.left() + (i % columns) * (cell + 3), top + line + 6 + (i / columns) * Pitch, cell,
               Height);
    bool now = tile.instruction(reg) == frame.request().instruction && frame.taken(lane) > 0;
    paintRegister(frame, box, reg, tile.element(reg, lane & (tile.lanes() - 1), warp), now);
  }
}

} // namespace tilescope::viz
