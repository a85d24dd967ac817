// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marks that all views share; visualizer/docs/painting.md says what each means. They take rectangles and
// words and know nothing of any view.
#pragma once

#include "visualizer/render/Canvas.h"

#include <QPainterPath>
#include <QPolygonF>

namespace tilescope::viz {

/// How sure a figure is: a filled dot for measured, a ring for modelled, interpreted or counted.
enum class Evidence { Measured, Modelled, Interpreted, Counted };

/// An outline that lies inside `rect`.
void outline(Canvas &canvas, const QRectF &rect, const QColor &color, double width);
void outline(Canvas &canvas, const QPolygonF &shape, const QColor &color, double width);
/// Not there yet, or not real.
void dashed(Canvas &canvas, const QPolygonF &shape, const QColor &color, double width);
/// Waste, hazard or nothing there, on `ground`.
void hatch(Canvas &canvas, const QPolygonF &shape, const QColor &ground, const QColor &line);
void hatch(Canvas &canvas, const QRectF &rect);
/// A quiet box with round corners, such as an SM.
void card(Canvas &canvas, const QRectF &rect);

/// Strong words on a plate of the ground colour in the middle of `box`, so that they can stand on data.
/// Gives the plate; draws nothing and gives an empty one where it does not fit.
QRectF plate(Canvas &canvas, const QRectF &box, const QString &text, bool outlined);

/// With its right top corner at `corner`; gives its box. `detail` may be empty.
QRectF badge(Canvas &canvas, QPointF corner, Evidence evidence, const QString &detail);
double badgeWidth(const Typesetter &type, Evidence evidence, const QString &detail);

/// A number and the label above it, each on the baseline that all figures of its row share.
struct FigureRow {
  double labelBaseline = 0, baseline = 0;
};
void figure(Canvas &canvas, double x, const FigureRow &row, const QString &label, const QString &number,
            Type type, Weight weight);

/// A bar of `share` of a track.
void bar(Canvas &canvas, const QRectF &track, double share, bool strong);

/// A line or curve that may cross data: with a casing of the ground colour.
void connector(Canvas &canvas, const QPainterPath &path, const QColor &color, double width);
QPainterPath connectorPath(QPointF from, QPointF to);
/// An arrow to the right at height `y`.
void arrow(Canvas &canvas, double left, double right, double y);
/// A quiet band from the right side of one thing to the left side of another.
void ribbon(Canvas &canvas, const QLineF &from, const QLineF &to);
/// The playhead of a timeline, with its flag above `top`.
void playhead(Canvas &canvas, double x, double top, double bottom);

/// A small card of words beside `at`, inside `bounds`: the first line strong.
void callout(Canvas &canvas, QPointF at, const QRectF &bounds, const QStringList &lines);

/// A bar and a line of narration; **strong** parts in ink. Gives the height.
double narration(Canvas &canvas, const QRectF &box, const QString &text, Type type);
double narrationHeight(const Typesetter &type, const QString &text, double width, Type size);

} // namespace tilescope::viz
