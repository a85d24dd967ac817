// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output, cut into tiles.
#include "visualizer/render/Colormap.h"
#include "visualizer/render/Marks.h"
#include "visualizer/render/SmParts.h"
#include "visualizer/render/Text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tilescope::viz {

namespace {

/// Up to so many tiles are painted one by one, with a gap between them; more as one image.
constexpr int64_t MostRects = 4096;
constexpr double LeastTile = 4;

QColor colorOf(const SmFrame &frame, int64_t program) {
  int64_t wave = frame.scene.waveOf(program);
  if (wave > frame.wave())
    return frame.theme().panel;
  QColor color = viridis(frame.scene.scalePosition(program));
  if (wave == frame.wave())
    return color;
  // What has just ended fades while the next wave is announced.
  bool fading = wave + 1 == frame.wave() && frame.phase() < WaveClock::TravelBegins;
  double gone = fading ? frame.phase() / WaveClock::TravelBegins : 1;
  return mixed(color, frame.theme().ground, 1 - (1 - OverShare) * gone);
}

QRectF placed(const SmScene &scene, const SmLayout &layout, const TileRect &tile) {
  double x = layout.tensor.width() / static_cast<double>(scene.tiles().shownColumns());
  double y = layout.tensor.height() / static_cast<double>(scene.tiles().shownRows());
  return {layout.tensor.left() + x * tile.columnBegin, layout.tensor.top() + y * tile.rowBegin,
          x * static_cast<double>(tile.columns()), y * static_cast<double>(tile.rows())};
}

/// Edges on whole pixels, with a gap of one between neighbours.
QRectF crisp(const QRectF &rect) {
  double left = std::round(rect.left()), top = std::round(rect.top());
  return {left, top, std::max(1.0, std::round(rect.right()) - left - 1),
          std::max(1.0, std::round(rect.bottom()) - top - 1)};
}

/// What nobody has written, cell by cell.
void paintUnwritten(const SmFrame &frame) {
  const TileMap &tiles = frame.scene.tiles();
  for (int64_t row = 0; row < tiles.cellRows(); ++row)
    for (int64_t column = 0; column < tiles.cellColumns(); ++column) {
      auto r = static_cast<size_t>(row), c = static_cast<size_t>(column);
      TileRect cell{tiles.rowEdges()[r], tiles.rowEdges()[r + 1], tiles.columnEdges()[c],
                    tiles.columnEdges()[c + 1]};
      bool beyond = tiles.folded() &&
                    int64_t{cell.rowBegin} * tiles.shownColumns() + cell.columnBegin >= tiles.columns();
      if (tiles.owner(row, column) < 0 && !beyond)
        frame.canvas.fill(crisp(placed(frame.scene, frame.layout, cell)), frame.theme().empty);
    }
}

void paintRects(const SmFrame &frame) {
  Canvas &canvas = frame.canvas;
  canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  paintUnwritten(frame);
  for (int64_t program = 0; program < frame.scene.programs(); ++program)
    for (const QRectF &rect : tileRects(frame.scene, frame.layout, program)) {
      canvas.fill(crisp(rect), colorOf(frame, program));
      if (frame.scene.waveOf(program) > frame.wave())
        outline(canvas, crisp(rect), frame.theme().hair, 1);
    }
  canvas.painter().setRenderHint(QPainter::Antialiasing, true);
}

/// The colours of all programs of a kind, present or over, by their place on the scale.
class ColorTable {
public:
  ColorTable(const QColor &ground, double share) {
    for (size_t i = 0; i < m_colors.size(); ++i)
      m_colors[i] = mixed(viridis(static_cast<double>(i) / (m_colors.size() - 1)), ground, share).rgb();
  }
  QRgb at(double position) const {
    return m_colors[static_cast<size_t>(position * (m_colors.size() - 1) + 0.5)];
  }

private:
  std::array<QRgb, 1024> m_colors;
};

/// The tensor at the device's resolution, a pixel in the colour of the program at its middle.
QImage sampled(const SmFrame &frame, QSize size) {
  const SmScene &scene = frame.scene;
  const TileMap &tiles = scene.tiles();
  ColorTable now(frame.theme().ground, 1), over(frame.theme().ground, OverShare);
  QRgb nothing = frame.theme().empty.rgb(), toCome = frame.theme().panel.rgb();
  int64_t first = scene.firstProgram(frame.wave()), end = first + scene.programsIn(frame.wave());
  auto middle = [](int pixel, int pixels, int64_t extent) {
    return (pixel + 0.5) * static_cast<double>(extent) / pixels;
  };
  std::vector<int64_t> columns;
  for (int x = 0; x < size.width(); ++x)
    columns.push_back(TileMap::cellAt(tiles.columnEdges(), middle(x, size.width(), tiles.shownColumns())));
  QImage image(size, QImage::Format_RGB32);
  for (int y = 0; y < size.height(); ++y) {
    auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
    int64_t row = TileMap::cellAt(tiles.rowEdges(), middle(y, size.height(), tiles.shownRows()));
    for (int64_t column : columns) {
      int64_t program = tiles.owner(row, column);
      *line++ = program < 0      ? nothing
                : program >= end ? toCome
                                 : (program >= first ? now : over).at(scene.scalePosition(program));
    }
  }
  return image;
}

void paintImage(const SmFrame &frame) {
  double scale = frame.canvas.pixels() ? frame.canvas.deviceScale() : 2;
  QSize size = (frame.layout.tensor.size() * scale).toSize().expandedTo({1, 1}).boundedTo({4096, 4096});
  std::vector<double> key{static_cast<double>(frame.scene.revision()), static_cast<double>(frame.wave()),
                          static_cast<double>(size.width()), static_cast<double>(size.height()),
                          static_cast<double>(frame.theme().kind)};
  const QImage &image = frame.cache.tensor.get(std::move(key), [&] { return sampled(frame, size); });
  frame.canvas.painter().drawImage(frame.layout.tensor, image);
}

void paintWaveOutline(const SmFrame &frame) {
  const SmScene &scene = frame.scene;
  const TileMap &tiles = scene.tiles();
  std::vector<double> key{static_cast<double>(scene.revision()), static_cast<double>(frame.wave())};
  const std::vector<QLineF> &edges = frame.cache.waveOutline.get(std::move(key), [&] {
    int32_t top = std::numeric_limits<int32_t>::max(), bottom = 0;
    int64_t first = scene.firstProgram(frame.wave()), end = first + scene.programsIn(frame.wave());
    for (int64_t program = first; program < end; ++program)
      for (const TileRect &piece : tiles.pieces(tiles.tile(program)))
        top = std::min(top, piece.rowBegin), bottom = std::max(bottom, piece.rowEnd);
    if (top >= bottom)
      return std::vector<QLineF>();
    int64_t last = TileMap::cellAt(tiles.rowEdges(), bottom - 0.5) + 1;
    return boundary(tiles.cellColumns(), TileMap::cellAt(tiles.rowEdges(), top), last,
                    [&](int64_t row, int64_t column) {
                      int32_t program = tiles.owner(row, column);
                      return program >= first && program < end;
                    });
  });
  // More edges than that are scattered tiles: an outline would cover them.
  if (edges.size() > 4000)
    return;
  auto at = [&](QPointF cell) {
    double column = tiles.columnEdges()[static_cast<size_t>(cell.x())];
    double row = tiles.rowEdges()[static_cast<size_t>(cell.y())];
    const QRectF &box = frame.layout.tensor;
    return QPointF(std::round(box.left() + box.width() * column / static_cast<double>(tiles.shownColumns())),
                   std::round(box.top() + box.height() * row / static_cast<double>(tiles.shownRows())));
  };
  frame.canvas.painter().setPen(QPen(frame.theme().ink, 2, Qt::SolidLine, Qt::SquareCap));
  for (const QLineF &edge : edges)
    frame.canvas.painter().drawLine(at(edge.p1()), at(edge.p2()));
}

/// The mean height of a wave's tiles, if the wave has any.
std::optional<double> middleOf(const SmFrame &frame, int64_t wave) {
  const SmScene &scene = frame.scene;
  double sum = 0;
  int64_t count = 0, programs = scene.programsIn(wave), step = std::max<int64_t>(1, programs / 64);
  for (int64_t i = 0; i < programs; i += step)
    for (const QRectF &rect : tileRects(scene, frame.layout, scene.firstProgram(wave) + i)) {
      sum += rect.center().y();
      ++count;
    }
  return count ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

void waveLabel(const SmFrame &frame, int64_t wave, double middle) {
  Canvas &canvas = frame.canvas;
  bool now = wave == frame.wave();
  double right = frame.layout.tensor.left() - 16;
  QColor quiet = now ? frame.theme().text2 : frame.theme().text3;
  QString programs = countText("sm.programs", frame.scene.programsIn(wave));
  bool two = frame.layout.wide && canvas.type().width(programs, Type::Label) <= frame.layout.labelWidth;
  canvas.text({right, middle + (two ? -4 : 5)}, text("sm.wave", {grouped(wave + 1)}),
              {frame.layout.wide ? Type::Small : Type::Label, now ? Weight::Semibold : Weight::Regular,
               now ? frame.theme().ink : frame.theme().text2},
              Align::Right);
  if (two)
    canvas.text({right, middle + 14}, programs, {Type::Label, Weight::Regular, quiet}, Align::Right);
}

/// All waves' names where they stand apart, else only the present one's.
void paintWaveLabels(const SmFrame &frame) {
  if (frame.layout.labelWidth < 32 || frame.scene.waves() < 2)
    return;
  std::vector<std::pair<int64_t, double>> labels;
  double last = -1e9;
  bool apart = frame.scene.waves() <= 24;
  for (int64_t wave = 0; apart && wave < frame.scene.waves(); ++wave)
    if (std::optional<double> middle = middleOf(frame, wave)) {
      apart = *middle - last >= (frame.layout.wide ? 40 : 20);
      labels.emplace_back(wave, last = *middle);
    }
  if (!apart) {
    std::optional<double> middle = middleOf(frame, frame.wave());
    labels.clear();
    if (middle)
      labels.emplace_back(frame.wave(), *middle);
  }
  for (const auto &[wave, middle] : labels)
    waveLabel(frame, wave,
              std::clamp(middle, frame.layout.tensor.top() + 18, frame.layout.tensor.bottom() - 16));
}

void paintRowLabels(const SmFrame &frame) {
  if (frame.layout.labelWidth < 32 || frame.scene.tiling() != Tiling::RowEach || frame.scene.waves() > 1)
    return;
  Style style{Type::Label, Weight::Regular, frame.theme().text3};
  double right = frame.layout.tensor.left() - 16;
  QString first = text("sm.row", {grouped(0)}),
          last = text("sm.row", {grouped(frame.scene.tiles().rows() - 1)});
  if (frame.canvas.type().width(last, Type::Label) + 16 > frame.layout.labelWidth)
    return;
  frame.canvas.text({right, frame.layout.tensor.top() + 11}, first, style, Align::Right);
  frame.canvas.text({right, frame.layout.tensor.bottom() - 2}, last, style, Align::Right);
}

void paintNotes(const SmFrame &frame) {
  const SmLayout &layout = frame.layout;
  if (layout.outputNotes.isEmpty())
    return;
  QString notes = notesText(frame.scene, layout.toScale);
  frame.canvas.paragraph({layout.outputNotes.left(), layout.tensor.bottom() + 8}, layout.outputNotes.width(),
                         notes, {Type::Label, Weight::Regular, frame.theme().text3});
}

/// A kernel without output, or one whose tiles have not come: words where the tensor would be.
void paintNoTensor(const SmFrame &frame) {
  const SmLayout &layout = frame.layout;
  QRectF box(layout.tensor.topLeft(), QSizeF(layout.outputTitle.width(), layout.gpu.height()));
  frame.canvas.fill(box, frame.theme().empty);
}

} // namespace

std::vector<QRectF> tileRects(const SmScene &scene, const SmLayout &layout, int64_t program) {
  std::vector<QRectF> rects;
  for (const TileRect &piece : scene.tiles().pieces(scene.tiles().tile(program)))
    rects.push_back(placed(scene, layout, piece));
  return rects;
}

void markFollowed(const SmFrame &frame, const QRectF &rect, bool hovered) {
  QSizeF least(std::max(rect.width(), 5.0) + 2, std::max(rect.height(), 3.0) + 2);
  QRectF box(rect.center() - QPointF(least.width() / 2, least.height() / 2), least);
  const Theme &theme = frame.theme();
  if (hovered)
    return outline(frame.canvas, box, theme.text2, theme.stroke);
  outline(frame.canvas, box.adjusted(-1.5, -1.5, 1.5, 1.5), theme.ground, 1.5);
  outline(frame.canvas, box, theme.followed, theme.followedStroke);
}

void paintTensor(const SmFrame &frame) {
  const SmScene &scene = frame.scene;
  Style part = partStyle(frame.layout, frame.theme()), plain = partSubtitleStyle(frame.layout, frame.theme());
  double baseline = frame.layout.outputTitle.bottom() - (frame.layout.wide ? 6 : 5);
  QRectF title = frame.canvas.text({frame.layout.outputTitle.left(), baseline}, text("sm.output"), part);
  if (const protocol::OutputTensor *tensor = scene.output()) {
    QString name = QString::fromStdString(tensor->name);
    if (title.right() + 8 + frame.canvas.type().width(name, part.type) < frame.layout.outputTitle.right())
      frame.canvas.text({title.right() + 8, baseline}, name,
                        {part.type, Weight::Regular, frame.theme().text2});
  }
  if (!frame.layout.outputSubtitle.isEmpty())
    frame.canvas.paragraph(frame.layout.outputSubtitle.topLeft(), frame.layout.outputSubtitle.width(),
                           text(scene.outputSubtitle()), plain);
  if (scene.tiling() == Tiling::None)
    return paintNoTensor(frame);

  frame.canvas.fill(frame.layout.tensor, frame.theme().empty);
  const TileMap &tiles = scene.tiles();
  bool each = scene.programs() <= MostRects &&
              frame.layout.tensor.width() / static_cast<double>(tiles.cellColumns()) >= LeastTile &&
              frame.layout.tensor.height() / static_cast<double>(tiles.cellRows()) >= LeastTile;
  if (each)
    frame.canvas.fill(frame.layout.tensor, frame.theme().ground);
  each ? paintRects(frame) : paintImage(frame);
  if (scene.waves() > 1)
    paintWaveOutline(frame);
  if (frame.state.hovered >= 0)
    for (const QRectF &rect : tileRects(scene, frame.layout, frame.state.hovered))
      markFollowed(frame, rect, true);
  for (const QRectF &rect : tileRects(scene, frame.layout, frame.followed()))
    markFollowed(frame, rect);
  paintWaveLabels(frame);
  paintRowLabels(frame);
  paintNotes(frame);
}

int64_t magnifiedProgram(const SmScene &scene, const SmLayout &layout, double time, int64_t selected,
                         int row) {
  TileRect followed = scene.tiles().tile(followedProgram(scene, layout, time, selected));
  if (followed.empty())
    return -1;
  int64_t rows = scene.tiles().rows();
  int64_t first = std::clamp<int64_t>(followed.rowBegin - layout.magnifiedRows / 2, 0,
                                      std::max<int64_t>(rows - layout.magnifiedRows, 0));
  return scene.tiles().programAt(static_cast<double>(first + row), 0);
}

void paintMagnifier(const SmFrame &frame) {
  const QRectF &box = frame.layout.magnifier;
  if (box.isEmpty())
    return;
  Canvas &canvas = frame.canvas;
  int64_t followed = frame.followed();
  std::vector<QRectF> rects = tileRects(frame.scene, frame.layout, followed);
  if (rects.empty())
    return;
  double y = rects[0].center().y();
  QPolygonF lens{{frame.layout.tensor.right(), y - 1},
                 box.topLeft(),
                 box.bottomLeft(),
                 {frame.layout.tensor.right(), y + 1}};
  canvas.painter().setPen(Qt::NoPen);
  canvas.painter().setBrush(frame.theme().empty);
  canvas.painter().drawPolygon(lens);
  canvas.text({box.left(), box.top() - 8}, text("sm.magnified"),
              {Type::Label, Weight::Regular, frame.theme().text3});
  for (int i = 0; i < frame.layout.magnifiedRows; ++i) {
    int64_t program = magnifiedProgram(frame.scene, frame.layout, frame.time, frame.state.selected, i);
    if (program < 0)
      continue;
    QRectF row(box.left(), box.top() + MagnifiedPitch * i, box.width(), MagnifiedPitch - 2);
    QColor fill = colorOf(frame, program);
    canvas.fill(row, fill);
    if (program == followed)
      markFollowed(frame, row.adjusted(1, 1, -1, -1));
    Style style{Type::Label, program == followed ? Weight::Semibold : Weight::Regular, inkOn(fill)};
    double baseline = row.center().y() + canvas.type().capHeight(Type::Label) / 2;
    int64_t tensorRow = frame.scene.tiles().tile(program).rowBegin;
    canvas.text({row.left() + 10, baseline}, text("sm.row", {grouped(tensorRow)}), style);
    canvas.text({row.right() - 10, baseline}, text("sm.program", {grouped(program)}), style, Align::Right);
  }
}

} // namespace tilescope::viz
