// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every view paints with: a painter, a theme, and text that is measured before it is placed. Text is
// never clipped; it is wrapped, or left out by its caller where it does not fit. A log of all text that was
// placed lets tests assert that none overlaps another.
#pragma once

#include "visualizer/render/Theme.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace tilescope::viz {

enum class Align { Left, Center, Right };

/// How a run of text looks.
struct Style {
  Type type = Type::Small;
  Weight weight = Weight::Regular;
  QColor color;
};

/// Measures text in a theme's type. Sizes in pixels at 100 %.
class Typesetter {
public:
  explicit Typesetter(const Theme &theme) : m_theme(theme) {}
  const Theme &theme() const { return m_theme; }

  const QFont &font(Type type, Weight weight = Weight::Regular) const { return face(type, weight).font; }
  double width(const QString &text, Type type, Weight weight = Weight::Regular) const;
  double ascent(Type type) const { return face(type, Weight::Regular).metrics.ascent(); }
  /// From one baseline to the next.
  double lineHeight(Type type) const;
  /// The height of a digit or capital letter: what is centred in a cell.
  double capHeight(Type type) const { return face(type, Weight::Regular).metrics.capHeight(); }

  /// A line of a paragraph, and where it starts below the paragraph's top.
  struct Line {
    double baseline = 0, width = 0;
    std::vector<std::pair<QString, bool>> runs; ///< text, and whether it is strong
  };
  /// `text` broken into lines no wider than `width`. **Words between double asterisks** are strong. Good until the next
  /// call.
  const std::vector<Line> &paragraph(const QString &text, Type type, double width) const;
  double paragraphHeight(const QString &text, Type type, double width) const;
  /// The width of `text` on one line, asterisks not counted.
  double richWidth(const QString &text, Type type) const;

private:
  struct Face {
    QFont font;
    QFontMetricsF metrics;
    mutable QHash<QString, double> widths; ///< of what was measured lately
  };
  std::vector<Line> broken(const QString &text, Type type, double width) const;
  const Face &face(Type type, Weight weight) const;

  const Theme &m_theme;
  mutable std::map<std::pair<Type, Weight>, Face> m_faces;
  mutable std::map<std::tuple<QString, Type, double>, std::vector<Line>> m_paragraphs; ///< broken lately
};

struct PlacedText {
  QString text;
  QRectF box; ///< the ink's height: from the capitals' top to the baseline
};

class Canvas {
public:
  /// `log`, if given, takes all text that is placed.
  Canvas(QPainter &painter, const Typesetter &typesetter, std::vector<PlacedText> *log = nullptr);

  QPainter &painter() { return m_painter; }
  const Theme &theme() const { return m_typesetter.theme(); }
  const Typesetter &type() const { return m_typesetter; }
  std::vector<PlacedText> *log() const { return m_log; }
  /// Pixels of the device for one of ours; 1 where there are no pixels.
  double deviceScale() const;
  /// A picture of pixels (a widget or an image), and not a drawing of shapes (SVG, PDF).
  bool pixels() const;

  void fill(const QRectF &rect, const QColor &color);
  /// One line with its baseline at `at`, which is its left end, middle or right end. Gives the text's box.
  QRectF text(QPointF at, const QString &text, const Style &style, Align align = Align::Left);
  /// One line in the middle of `box`.
  QRectF centered(const QRectF &box, const QString &text, const Style &style);
  /// Wrapped text; `strong` is the colour of the parts between double asterisks. Gives the height.
  double paragraph(QPointF topLeft, double width, const QString &text, const Style &style,
                   std::optional<QColor> strong = {}, Align align = Align::Left);

private:
  void place(QPointF at, const QString &text, double width, const Style &style);

  QPainter &m_painter;
  const Typesetter &m_typesetter;
  std::vector<PlacedText> *m_log;
};

} // namespace tilescope::viz
