// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Marks.h"

#include "visualizer/render/Hatch.h"
#include "visualizer/render/Text.h"

#include <array>
#include <cmath>

namespace tilescope::viz {

namespace {

constexpr double HatchStep = 6, HatchLine = 1.5;
constexpr double BadgePadding = 13, BadgeRing = 3.5;

void strokePolygon(Canvas &canvas, const QPolygonF &shape, const QPen &pen) {
  canvas.painter().setPen(pen);
  canvas.painter().setBrush(Qt::NoBrush);
  canvas.painter().drawPolygon(shape);
}

QPen solid(const QColor &color, double width) {
  return QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
}

QString evidenceWord(Evidence evidence) {
  static constexpr std::array Keys{"evidence.measured", "evidence.modelled", "evidence.interpreted",
                                   "evidence.counted"};
  return text(Keys[static_cast<size_t>(evidence)]);
}

} // namespace

void outline(Canvas &canvas, const QRectF &rect, const QColor &color, double width) {
  double half = width / 2;
  canvas.painter().setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  canvas.painter().setBrush(Qt::NoBrush);
  canvas.painter().drawRect(rect.adjusted(half, half, -half, -half));
}

void outline(Canvas &canvas, const QPolygonF &shape, const QColor &color, double width) {
  strokePolygon(canvas, shape, solid(color, width));
}

void dashed(Canvas &canvas, const QPolygonF &shape, const QColor &color, double width) {
  QPen pen(color, width);
  pen.setDashPattern({4 / width, 3 / width});
  strokePolygon(canvas, shape, pen);
}

void hatch(Canvas &canvas, const QPolygonF &shape, const QColor &ground, const QColor &line) {
  QPainter &painter = canvas.painter();
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawPolygon(shape);
  std::vector<QLineF> lines = hatchLines(shape, HatchStep);
  painter.setPen(QPen(line, HatchLine, Qt::SolidLine, Qt::FlatCap));
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

void hatch(Canvas &canvas, const QRectF &rect) {
  hatch(canvas, QPolygonF(rect), canvas.theme().ground, canvas.theme().hair2);
}

void card(Canvas &canvas, const QRectF &rect) {
  canvas.painter().setPen(QPen(canvas.theme().hair, canvas.theme().stroke));
  canvas.painter().setBrush(canvas.theme().panel);
  canvas.painter().drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

QRectF plate(Canvas &canvas, const QRectF &box, const QString &text, bool outlined) {
  const Theme &theme = canvas.theme();
  for (Type type : {Type::Body, Type::Label}) {
    double pad = type == Type::Body ? 12 : 8;
    QSizeF size(canvas.type().width(text, type, Weight::Semibold) + 2 * pad,
                std::round(canvas.type().capHeight(type)) + (outlined ? 16 : 12));
    if (type == Type::Label)
      size.setHeight(std::round(canvas.type().capHeight(type)) + (outlined ? 9 : 7));
    if (size.width() > box.width() || size.height() > box.height())
      continue;
    QRectF plate(box.center() - QPointF(size.width() / 2, size.height() / 2), size);
    canvas.painter().setPen(outlined ? QPen(theme.ink, 2) : Qt::NoPen);
    canvas.painter().setBrush(theme.ground);
    canvas.painter().drawRoundedRect(plate, 4, 4);
    canvas.centered(plate, text, {type, Weight::Semibold, theme.ink});
    return plate;
  }
  return {};
}

double badgeWidth(const Typesetter &type, Evidence evidence, const QString &detail) {
  double width = 2 * BadgePadding + 10 + type.width(evidenceWord(evidence), Type::Label, Weight::Semibold);
  return detail.isEmpty() ? width : width + 6 + type.width(detail, Type::Label);
}

QRectF badge(Canvas &canvas, QPointF corner, Evidence evidence, const QString &detail) {
  const Theme &theme = canvas.theme();
  double width = badgeWidth(canvas.type(), evidence, detail);
  double height = canvas.type().lineHeight(Type::Label) + 5;
  QRectF box(corner.x() - width, corner.y(), width, height);
  QPainter &painter = canvas.painter();
  painter.setPen(QPen(theme.hair2, theme.stroke));
  painter.setBrush(theme.ground);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2);
  painter.setPen(QPen(theme.ink, 1.5));
  painter.setBrush(evidence == Evidence::Measured ? QBrush(theme.ink) : Qt::NoBrush);
  painter.drawEllipse(QPointF(box.left() + BadgePadding, box.center().y()), BadgeRing, BadgeRing);
  double baseline = box.center().y() + canvas.type().capHeight(Type::Label) / 2;
  QRectF word = canvas.text({box.left() + BadgePadding + 10, baseline}, evidenceWord(evidence),
                            {Type::Label, Weight::Semibold, theme.ink});
  if (!detail.isEmpty())
    canvas.text({word.right() + 6, baseline}, detail, {Type::Label, Weight::Regular, theme.text2});
  return box;
}

void figure(Canvas &canvas, double x, const FigureRow &row, const QString &label, const QString &number,
            Type type, Weight weight) {
  const Theme &theme = canvas.theme();
  canvas.text({x, row.labelBaseline}, label, {Type::Label, Weight::Regular, theme.text2});
  canvas.text({x, row.baseline}, number, {type, weight, theme.ink});
}

void bar(Canvas &canvas, const QRectF &track, double share, bool strong) {
  const Theme &theme = canvas.theme();
  auto rounded = [&](const QRectF &rect, const QColor &color) {
    canvas.painter().setPen(Qt::NoPen);
    canvas.painter().setBrush(color);
    canvas.painter().drawRoundedRect(rect, 2, 2);
  };
  rounded(track, theme.empty);
  rounded({track.topLeft(), QSizeF(track.width() * share, track.height())}, strong ? theme.ink : theme.hair2);
}

void connector(Canvas &canvas, const QPainterPath &path, const QColor &color, double width) {
  canvas.painter().strokePath(path, solid(canvas.theme().ground, width + 4));
  canvas.painter().strokePath(path, solid(color, width));
}

QPainterPath connectorPath(QPointF from, QPointF to) {
  QPainterPath path(from);
  double span = to.x() - from.x();
  path.cubicTo(from + QPointF(0.6 * span, 0), to - QPointF(0.37 * span, 0), to);
  return path;
}

void arrow(Canvas &canvas, double left, double right, double y) {
  canvas.painter().setPen(solid(canvas.theme().ink, canvas.theme().followedStroke));
  canvas.painter().drawLine(QPointF(left, y), QPointF(right, y));
  canvas.painter().drawPolyline(QPolygonF{{right - 8, y - 6}, {right, y}, {right - 8, y + 6}});
}

void ribbon(Canvas &canvas, const QLineF &from, const QLineF &to) {
  double span = to.x1() - from.x1();
  QPainterPath path(from.p1());
  path.cubicTo(from.p1() + QPointF(0.45 * span, 0), to.p1() - QPointF(0.46 * span, 0), to.p1());
  path.lineTo(to.p2());
  path.cubicTo(to.p2() - QPointF(0.46 * span, 0), from.p2() + QPointF(0.45 * span, 0), from.p2());
  canvas.painter().fillPath(path, canvas.theme().empty);
}

void playhead(Canvas &canvas, double x, double top, double bottom) {
  const Theme &theme = canvas.theme();
  QPainterPath line(QPointF(x, top - 10));
  line.lineTo(x, bottom + 4);
  canvas.painter().strokePath(line, QPen(theme.ground, 5));
  canvas.painter().strokePath(line, QPen(theme.ink, 2));
  canvas.painter().setPen(Qt::NoPen);
  canvas.painter().setBrush(theme.ink);
  canvas.painter().drawPolygon(QPolygonF{{x - 6, top - 12}, {x + 6, top - 12}, {x, top - 4}});
}

void callout(Canvas &canvas, QPointF at, const QRectF &bounds, const QStringList &lines) {
  const Theme &theme = canvas.theme();
  constexpr double Padding = 10, Away = 14;
  double most = std::max(80.0, std::min(360.0, bounds.width() - 2 * Padding - 8)), width = 0,
         height = 2 * Padding;
  for (const QString &line : lines) {
    for (const Typesetter::Line &part : canvas.type().paragraph(line, Type::Label, most))
      width = std::max(width, part.width);
    height += canvas.type().paragraphHeight(line, Type::Label, most);
  }
  QRectF box(at + QPointF(Away, Away), QSizeF(std::ceil(width) + 2 * Padding, height));
  if (box.right() > bounds.right() - 4)
    box.moveRight(std::max(at.x() - Away, bounds.left() + 4 + box.width()));
  if (box.bottom() > bounds.bottom() - 4)
    box.moveBottom(std::max(at.y() - Away, bounds.top() + 4 + box.height()));
  canvas.painter().setPen(QPen(theme.hair2, 1));
  canvas.painter().setBrush(theme.ground);
  canvas.painter().drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  QPointF top = box.topLeft() + QPointF(Padding, Padding);
  for (const QString &line : lines)
    top.ry() += canvas.paragraph(top, most, line, {Type::Label, Weight::Regular, theme.text2}, theme.ink);
}

double narration(Canvas &canvas, const QRectF &box, const QString &text, Type type) {
  const Theme &theme = canvas.theme();
  double height = canvas.paragraph(box.topLeft() + QPointF(16, 0), box.width() - 16, text,
                                   {type, Weight::Regular, theme.text2}, theme.ink);
  canvas.fill({box.left(), box.top(), 3, height}, theme.ink);
  return height;
}

double narrationHeight(const Typesetter &type, const QString &text, double width, Type size) {
  return type.paragraphHeight(text, size, width - 16);
}

} // namespace tilescope::viz
