// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU: its SMs with the programs of the wave, and how these get there.
#include "visualizer/render/Colormap.h"
#include "visualizer/render/Marks.h"
#include "visualizer/render/SmParts.h"
#include "visualizer/render/Text.h"

#include <QEasingCurve>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::viz {

namespace {

double eased(double progress) { return QEasingCurve(QEasingCurve::InOutCubic).valueForProgress(progress); }

/// The part of an SM's cell that its program fills.
QRectF slotOf(const QRectF &cell, bool named) {
  double inset = std::clamp(cell.width() * 0.08, 1.0, 4.0);
  double bottom = named ? 16 : inset;
  return {std::round(cell.left() + inset), std::round(cell.top() + std::min(inset, 4.0)),
          std::round(cell.width() - 2 * inset), std::round(cell.height() - std::min(inset, 4.0) - bottom)};
}

bool smsNamed(const SmFrame &frame) {
  QRectF cell = frame.layout.cell(0);
  double name = frame.canvas.type().width(text("sm.sm", {grouped(frame.scene.sms() - 1)}), Type::Index);
  return cell.height() >= 32 && cell.width() >= name + 4;
}

/// The largest type in which all programs' numbers fit a slot, if there is one.
std::optional<Type> numberType(const SmFrame &frame, const QSizeF &slot) {
  QString widest = QString::number(frame.scene.programs() - 1).replace(QRegularExpression("\\d"), "8");
  for (Type type : {Type::Label, Type::Index})
    if (frame.canvas.type().width(widest, type, Weight::Medium) + 4 <= slot.width() &&
        frame.canvas.type().capHeight(type) + 3 <= slot.height())
      return type;
  return std::nullopt;
}

void paintOneSlot(const SmFrame &frame, int sm, bool named, std::optional<Type> numbers) {
  Canvas &canvas = frame.canvas;
  QRectF cell = frame.layout.cell(sm);
  std::optional<int64_t> program = frame.scene.programOn(frame.wave(), sm);
  if (!program) {
    canvas.painter().setRenderHint(QPainter::Antialiasing, true);
    hatch(canvas, cell.adjusted(1.5, 1.5, -1.5, -1.5));
    return canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  }
  QRectF slot = slotOf(cell, named);
  if (frame.travelled(sm) < 1)
    return;
  QColor fill = viridis(frame.scene.scalePosition(*program));
  canvas.fill(slot, fill);
  if (*program == frame.state.hovered)
    markFollowed(frame, slot, true);
  if (*program == frame.followed())
    markFollowed(frame, slot);
  if (numbers)
    canvas.centered(slot, QString::number(*program), {*numbers, Weight::Medium, inkOn(fill)});
}

constexpr double LeastBar = 3; ///< pixels

/// Where an SM's slots are drawn as small upright bars; empty where there is no room for them.
QRectF slotBars(const QRectF &cell) {
  if (cell.height() < 30 || cell.width() < 24)
    return {};
  double height = std::round(std::min(10.0, cell.height() * 0.22));
  return {std::round(cell.left() + 4), std::round(cell.bottom() - height - 5), std::floor(cell.width() - 8),
          height};
}

/// From one slot to the next; less than 2 where they cannot be told apart.
double slotPitch(const SmFrame &frame, const QRectF &bars) {
  double pitch = bars.width() / std::max(1, frame.scene.slotsPerSm());
  return pitch >= 2 ? std::floor(pitch) : pitch;
}

void paintEmptySlotBars(const SmFrame &frame, Canvas &canvas, const QRectF &bars) {
  double pitch = slotPitch(frame, bars);
  if (pitch < 2)
    return canvas.fill(bars, frame.theme().empty);
  canvas.painter().setPen(QPen(frame.theme().hair2, 0.6));
  canvas.painter().setBrush(frame.theme().ground);
  for (int slot = 0; slot < frame.scene.slotsPerSm(); ++slot)
    canvas.painter().drawRect(QRectF(bars.left() + pitch * slot + 0.3, bars.top() + 0.3,
                                     std::max(1.0, pitch - 1) - 0.6, bars.height() - 0.6));
}

void paintSlotBars(const SmFrame &frame, const QRectF &bars, int count) {
  QColor color = mixed(frame.theme().reg.fill, frame.theme().ground, 0.88);
  double pitch = slotPitch(frame, bars);
  if (pitch < 2)
    return frame.canvas.fill({bars.topLeft(), QSizeF(pitch * count, bars.height())}, color);
  for (int slot = 0; slot < count; ++slot)
    frame.canvas.fill({bars.left() + pitch * slot, bars.top(), std::max(1.0, pitch - 1), bars.height()},
                      color);
}

void paintCount(const SmFrame &frame, int place) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  QRectF cell = frame.layout.cell(place);
  double share = frame.state.reducedMotion ? 1 : eased(WaveClock::travelled(frame.phase(), 0.5));
  int count = static_cast<int>(std::lround(share * frame.scene.countOn(frame.wave(), place)));
  QRectF bars = slotBars(cell);
  QRectF number(cell.topLeft(), QPointF(cell.right(), bars.isEmpty() ? cell.bottom() : bars.top() + 1));
  Type type = cell.height() >= 28 ? Type::Body : Type::Index;
  QString words = grouped(count);
  bool fits = canvas.type().capHeight(type) + 4 <= number.height() &&
              canvas.type().width(words, type, Weight::Semibold) + 2 <= cell.width();
  if (bars.isEmpty()) {
    // The cell itself is the bar; one program of many slots has to be seen too.
    double filled = cell.width() * count / std::max(1, frame.scene.slotsPerSm()) - 1;
    canvas.fill({cell.left() + 0.5, cell.top() + 0.5, count > 0 ? std::max(LeastBar, filled) : 0.0,
                 cell.height() - 1},
                fits ? theme.reg.tint : mixed(theme.reg.fill, theme.ground, 0.88));
  } else {
    paintSlotBars(frame, bars, count);
  }
  if (fits)
    canvas.centered(number, words, {type, Weight::Semibold, theme.ink});
}

/// The SMs with their names and without programs.
void paintCards(const SmFrame &frame, Canvas &canvas, bool named) {
  for (int sm = 0; sm < frame.scene.sms(); ++sm) {
    QRectF cell = frame.layout.cell(sm);
    card(canvas, cell);
    if (QRectF bars = slotBars(cell); !frame.scene.oneSlot() && !bars.isEmpty())
      paintEmptySlotBars(frame, canvas, bars);
    if (named)
      canvas.text({cell.center().x(), cell.bottom() - 5}, text("sm.sm", {grouped(sm)}),
                  {Type::Index, Weight::Regular, frame.theme().text3}, Align::Center);
  }
}

/// The same from a stamp, where a stamp falls on whole pixels.
void stampCards(const SmFrame &frame, bool named) {
  Canvas &canvas = frame.canvas;
  QTransform transform = canvas.painter().deviceTransform();
  double scale = canvas.deviceScale();
  QRectF box = frame.layout.gpu.adjusted(-1, -1, 1, 1);
  auto whole = [](double value) { return std::abs(value - std::round(value)) < 1e-6; };
  QPointF corner = transform.map(box.topLeft());
  bool sharp = canvas.pixels() && !canvas.log() && whole(corner.x()) && whole(corner.y()) &&
               whole(box.width() * scale) && whole(box.height() * scale) && box.width() * scale <= 4096;
  if (!sharp)
    return paintCards(frame, canvas, named);
  std::vector<double> key{
      static_cast<double>(frame.scene.revision()), scale, box.width(), box.height(), box.left(),
      static_cast<double>(qHash(language()))};
  const QImage &stamp = frame.cache.sms.get(std::move(key), [&] {
    QImage image((box.size() * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(frame.theme().ground);
    QPainter painter(&image);
    painter.translate(-box.topLeft());
    Canvas inner(painter, canvas.type());
    paintCards(frame, inner, named);
    return image;
  });
  canvas.painter().drawImage(box.topLeft(), stamp);
}

/// An outline round the idle SMs, and their number where it fits.
void nameIdle(const SmFrame &frame, int64_t busy) {
  const SmLayout &layout = frame.layout;
  int64_t sms = frame.scene.sms(), columns = layout.gpuColumns, rows = layout.gpuRows;
  std::vector<QLineF> edges = boundary(columns, busy / columns, rows, [&](int64_t row, int64_t column) {
    int64_t sm = row * columns + column;
    return sm >= busy && sm < sms;
  });
  auto at = [&](QPointF cell) {
    return QPointF(layout.gpu.left() + cell.x() * layout.pitch.width() - 1.5,
                   layout.gpu.top() + cell.y() * layout.pitch.height() - 1.5);
  };
  frame.canvas.painter().setPen(QPen(frame.theme().ink, 2, Qt::SolidLine, Qt::SquareCap));
  for (const QLineF &edge : edges)
    frame.canvas.painter().drawLine(at(edge.p1()), at(edge.p2()));

  // Whole idle rows if there are any, else what is left of one.
  int64_t whole = (busy + columns - 1) / columns, end = sms / columns;
  QRectF box =
      end > whole
          ? QRectF(at({0, double(whole)}), at({double(columns), double(end)}))
          : QRectF(at({double(busy % columns), double(busy / columns)}),
                   at({double(std::min(columns, busy % columns + sms - busy)), double(busy / columns + 1)}));
  plate(frame.canvas, box, countText("sm.idle-sms", sms - busy), true);
}

/// The middle of the SM's slot that a program travels to.
QRectF slotOfProgram(const SmFrame &frame, int64_t program) {
  auto sm = static_cast<int>(program - frame.scene.firstProgram(frame.wave()));
  return slotOf(frame.layout.cell(sm), smsNamed(frame));
}

QPainterPath flightPath(const QRectF &from, const QRectF &slot) {
  return connectorPath({from.right() + 3, from.center().y()}, {slot.left() - 1, slot.center().y()});
}

/// A tile on its way: about as large as its slot, and the same for all of a launch.
QSizeF flyingSize(const QRectF &slot) {
  return {std::clamp(slot.width() * 0.62, 6.0, 28.0), std::clamp(slot.height() * 0.75, 4.0, 14.0)};
}

QRectF centeredAt(QPointF middle, const QSizeF &size) {
  return {middle - QPointF(size.width() / 2, size.height() / 2), size};
}

/// The tiles of the wave between the tensor and their SMs, each with a rim, so that they stay apart.
void paintFlight(const SmFrame &frame) {
  int64_t first = frame.scene.firstProgram(frame.wave());
  for (int64_t place = 0; place < frame.scene.programsIn(frame.wave()); ++place) {
    double way = frame.travelled(place);
    std::vector<QRectF> from = tileRects(frame.scene, frame.layout, first + place);
    if (way <= 0 || way >= 1 || from.empty() || first + place == frame.followed())
      continue;
    QRectF slot = slotOfProgram(frame, first + place);
    QRectF tile = centeredAt(flightPath(from[0], slot).pointAtPercent(eased(way)), flyingSize(slot));
    if (tile.left() <= frame.layout.tensor.right() + 2)
      continue;
    frame.canvas.fill(tile.adjusted(-1, -1, 1, 1), frame.theme().ground);
    frame.canvas.fill(tile, viridis(frame.scene.scalePosition(first + place)));
  }
}

/// The followed tile on its curve: flying, and afterwards as a trace of its flight.
void paintFollowed(const SmFrame &frame) {
  int64_t program = frame.followed(), place = program - frame.scene.firstProgram(frame.wave());
  std::vector<QRectF> from = tileRects(frame.scene, frame.layout, program);
  double way = frame.travelled(place);
  if (from.empty() || way <= 0)
    return;
  Canvas &canvas = frame.canvas;
  QRectF slot = slotOfProgram(frame, program);
  QPainterPath path = flightPath(from[0], slot);
  connector(canvas, path, frame.theme().followed, frame.theme().followedStroke);

  QColor color = viridis(frame.scene.scalePosition(program));
  auto tileAt = [&](double share) { return centeredAt(path.pointAtPercent(share), flyingSize(slot)); };
  // The trace stands in the gap between tensor and GPU, and so does the head's name.
  double head = way < 1 ? eased(way) : 0.76;
  while (way >= 1 && head > 0.2 && tileAt(head).right() > frame.layout.gpu.left() - 6)
    head -= 0.02;
  static constexpr std::array<std::pair<double, double>, 2> Trace{{{0.24, 0.35}, {0.12, 0.65}}};
  bool roomy = frame.layout.gpu.left() - frame.layout.tensor.right() >= 60;
  for (auto [behind, share] : Trace)
    if (QRectF ghost = tileAt(head * (1 - behind / 0.76));
        roomy && ghost.left() > frame.layout.tensor.right() + 2)
      canvas.fill(ghost, mixed(color, frame.theme().ground, share));
  QRectF tile = tileAt(head);
  canvas.fill(tile, color);
  outline(canvas, tile, frame.theme().followed, frame.theme().followedStroke);

  QString name = text("sm.program", {grouped(program)}), target = text("sm.to-sm", {grouped(place)});
  double right = tile.left() - 10, width = canvas.type().width(name, Type::Label, Weight::Semibold);
  bool fits =
      right - std::max(width, canvas.type().width(target, Type::Label)) > frame.layout.tensor.right() + 8;
  if (!fits)
    return;
  // Above a head that rises, below one that falls: its trace is on the other side.
  double y = from[0].center().y() >= slot.center().y() ? tile.top() - 18 : tile.bottom() + 14;
  canvas.text({right, y}, name, {Type::Label, Weight::Semibold, frame.theme().ink}, Align::Right);
  canvas.text({right, y + 16}, target, {Type::Label, Weight::Regular, frame.theme().text2}, Align::Right);
}

void paintRibbon(const SmFrame &frame) {
  double top = 1e9, bottom = -1e9;
  int64_t first = frame.scene.firstProgram(frame.wave());
  for (int64_t place = 0; place < frame.scene.programsIn(frame.wave()); ++place)
    for (const QRectF &rect : tileRects(frame.scene, frame.layout, first + place))
      top = std::min(top, rect.top()), bottom = std::max(bottom, rect.bottom());
  if (top > bottom)
    return;
  double open = frame.state.reducedMotion ? 1 : std::min(1.0, frame.phase() / WaveClock::TravelBegins);
  int64_t rows =
      (frame.scene.programsIn(frame.wave()) + frame.layout.gpuColumns - 1) / frame.layout.gpuColumns;
  double left = frame.layout.tensor.right();
  double right = left + (frame.layout.gpu.left() - 8 - left) * eased(open);
  double height = static_cast<double>(rows) * frame.layout.pitch.height();
  ribbon(frame.canvas, {left, top, left, bottom},
         {right, frame.layout.gpu.top(), right, frame.layout.gpu.top() + height - 3});
}

/// Several slots an SM: the wave goes as a whole, and nothing is said about places.
void paintWholeWave(const SmFrame &frame) {
  const SmLayout &layout = frame.layout;
  Canvas &canvas = frame.canvas;
  double y = layout.between.top() + 0.71 * layout.between.height();
  double left = layout.between.left(), right = layout.between.right();
  std::vector<QRectF> followed = tileRects(frame.scene, layout, frame.followed());
  // Beside the magnifier's lens where that comes down so far.
  if (!layout.magnifier.isEmpty() && !followed.empty() && followed[0].bottom() > y - 40)
    left = layout.magnifier.left();
  double width = right - left;
  if (width < 24)
    return;
  int64_t count = frame.scene.programsIn(frame.wave());
  QString what = frame.scene.waves() == 1 ? countText("sm.all-in-wave", count)
                                          : countText("sm.in-wave", count, {grouped(frame.wave() + 1)});
  QString not_claimed = text("sm.not-claimed");
  auto height = [&](const QString &words) {
    return canvas.type().paragraphHeight(words, Type::Label, width);
  };
  double free = layout.magnifier.isEmpty() ? layout.between.top() : layout.magnifier.bottom() + 12;
  double below = height(not_claimed), above = height("**" + what + "**");
  bool worded = width >= 96 && y - above - 8 >= free && y + 10 + below <= layout.between.bottom() + 40;
  if (y < free)
    return;
  double open = frame.state.reducedMotion ? 1 : eased(WaveClock::travelled(frame.phase(), 0.5));
  if (open > 0.05)
    arrow(canvas, left, left + width * open, y);
  if (!worded)
    return;
  canvas.paragraph({left, y - 8 - above}, width, "**" + what + "**",
                   {Type::Label, Weight::Regular, frame.theme().ink}, frame.theme().ink, Align::Center);
  canvas.paragraph({left, y + 10}, width, not_claimed, {Type::Label, Weight::Regular, frame.theme().text2},
                   {}, Align::Center);
}

} // namespace

int64_t followedProgram(const SmScene &scene, const SmLayout &layout, double time, int64_t selected) {
  int64_t program = scene.followed(time, selected), first = scene.firstProgram(scene.clock().waveAt(time));
  if (program == selected || !scene.oneSlot())
    return program;
  return first + (program - first) / layout.gpuColumns * layout.gpuColumns;
}

double SmFrame::travelled(int64_t place) const {
  double last = static_cast<double>(std::max<int64_t>(scene.programsIn(wave()) - 1, 1));
  return state.reducedMotion ? 1 : WaveClock::travelled(phase(), static_cast<double>(place) / last);
}

void paintGpu(const SmFrame &frame) {
  const SmLayout &layout = frame.layout;
  const SmScene &scene = frame.scene;
  double baseline = layout.gpuTitle.bottom() - (layout.wide ? 6 : 5);
  frame.canvas.text({layout.gpuTitle.left(), baseline}, text("sm.gpu"), partStyle(layout, frame.theme()));
  if (!layout.gpuSubtitle.isEmpty())
    frame.canvas.paragraph(layout.gpuSubtitle.topLeft(), layout.gpuSubtitle.width(),
                           text(scene.gpuSubtitle(frame.time)), partSubtitleStyle(layout, frame.theme()));
  bool named = scene.oneSlot() && smsNamed(frame);
  std::optional<Type> numbers = numberType(frame, slotOf(layout.cell(0), named).size());
  stampCards(frame, named);
  frame.canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  for (int sm = 0; sm < scene.sms(); ++sm)
    scene.oneSlot() ? paintOneSlot(frame, sm, named, numbers) : paintCount(frame, sm);
  frame.canvas.painter().setRenderHint(QPainter::Antialiasing, true);
  int64_t busy = scene.programsIn(frame.wave());
  if (scene.oneSlot() && busy < scene.sms() && frame.landed())
    nameIdle(frame, busy);
}

void paintTravel(const SmFrame &frame) {
  if (!frame.scene.oneSlot())
    return paintWholeWave(frame);
  if (!frame.landed())
    paintFlight(frame);
  paintFollowed(frame);
}

void paintUnderTravel(const SmFrame &frame) {
  if (frame.scene.oneSlot() && frame.scene.tiling() != Tiling::None && frame.layout.between.width() > 24)
    paintRibbon(frame);
}

} // namespace tilescope::viz
