// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures: how many waves, how much of the GPU's time they use, and what limits an SM.
#include "visualizer/render/Marks.h"
#include "visualizer/render/SmParts.h"
#include "visualizer/render/Text.h"

#include <cmath>

namespace tilescope::viz {

namespace {

/// Paints down a column and knows where it is.
class Column {
public:
  Column(const SmFrame &frame, const QRectF &box) : m_frame(frame), m_box(box), m_y(box.top()) {}

  Canvas &canvas() { return m_frame.canvas; }
  const Theme &theme() const { return m_frame.theme(); }
  double room() const { return m_box.bottom() - m_y; }
  void skip(double height) { m_y += height; }

  double height(const QString &words, Type type) const {
    return m_frame.canvas.type().paragraphHeight(words, type, m_box.width());
  }
  void words(const QString &words, const Style &style) {
    m_y += canvas().paragraph({m_box.left(), m_y}, m_box.width(), words, style, theme().ink);
  }
  void rule() {
    canvas().fill({m_box.left(), std::round(m_y), m_box.width(), 1}, theme().hair);
    m_y += 1;
  }

  void headline() {
    const SmScene &scene = m_frame.scene;
    words(text("sm.waves"), {Type::Part, Weight::Semibold, theme().ink});
    m_y += 20;
    double baseline = m_y + 54;
    QRectF number = canvas().text({m_box.left() - 2, baseline}, wavesText(scene),
                                  {Type::BigFigure, Weight::Bold, theme().ink});
    double left = number.right() + 22, width = m_box.right() - left;
    QString lines[] = {text(scene.programsOverSlots()), text(scene.usage())};
    double fits =
        std::max(canvas().type().width(lines[0], Type::Small), canvas().type().width(lines[1], Type::Small));
    Style style{Type::Small, Weight::Regular, theme().text2};
    m_y = baseline + 14;
    if (fits <= width) {
      canvas().text({left, baseline - 22}, lines[0], style);
      canvas().text({left, baseline - 2}, lines[1], style);
    } else {
      for (const QString &line : lines)
        words(line, style);
    }
  }

  void limit(const LimitBar &limit) {
    Style style{Type::Small, limit.limiting ? Weight::Semibold : Weight::Regular,
                limit.limiting ? theme().ink : theme().text2};
    double baseline = m_y + 14;
    canvas().text({m_box.left(), baseline}, text(limit.resource), style);
    canvas().text({m_box.right(), baseline}, text(limit.figure), style, Align::Right);
    bar(canvas(), {m_box.left(), m_y + 22, m_box.width(), 8}, limit.share, limit.limiting);
    m_y += 34;
    words(text(limit.note), {Type::Label, Weight::Regular, theme().text3});
  }

private:
  const SmFrame &m_frame;
  QRectF m_box;
  double m_y;
};

} // namespace

void paintWavesColumn(const SmFrame &frame) {
  const Theme &theme = frame.theme();
  Column column(frame, frame.layout.waves);
  column.headline();
  column.skip(28);
  column.words(text("sm.limits"), {Type::Body, Weight::Semibold, theme.ink});
  column.words(text("sm.limits.subtitle"), {Type::Label, Weight::Regular, theme.text3});
  for (const LimitBar &limit : frame.scene.limits()) {
    if (column.room() < 60)
      return;
    column.skip(12);
    column.limit(limit);
  }
  Style plain{Type::Small, Weight::Regular, theme.text2};
  if (Phrase unknown = frame.scene.unknownLimits(); !unknown.empty()) {
    if (column.room() < column.height(text(unknown), plain.type) + 12)
      return;
    column.skip(12);
    column.words(text(unknown), plain);
  }
  double lines = 0;
  for (const Phrase &line : frame.scene.room())
    lines += column.height(text(line), plain.type) + 4;
  if (lines == 0 || column.room() < lines + 34)
    return;
  column.skip(16);
  column.rule();
  column.skip(14);
  for (const Phrase &line : frame.scene.room()) {
    column.words(text(line), plain);
    column.skip(4);
  }
}

void paintFigures(const SmFrame &frame) {
  const SmLayout &layout = frame.layout;
  Canvas &canvas = frame.canvas;
  if (!layout.limitsLine.isEmpty())
    canvas.paragraph(layout.limitsLine.topLeft(), layout.limitsLine.width(),
                     text(frame.scene.unknownLimits()), {Type::Label, Weight::Regular, frame.theme().text3});
  if (layout.figures.isEmpty())
    return;
  std::vector<std::pair<QString, QString>> row = figureRow(frame.scene);
  Type big = bigFigureType(layout), plain = layout.small ? Type::Body : Type::Figure;
  double line = canvas.type().lineHeight(Type::Label);
  FigureRow baselines{layout.figures.top() + line - 4, layout.figures.bottom() - (layout.small ? 3 : 8)};
  double widths = figureWidth(canvas.type(), row[0], big);
  // As many as fit with a fair distance, the last one at the right edge as in a table.
  size_t count = 1;
  for (; count < row.size(); ++count) {
    double width = figureWidth(canvas.type(), row[count], plain);
    if (widths + width + 16.0 * static_cast<double>(count) > layout.figures.width())
      break;
    widths += width;
  }
  double gap = count > 1 ? (layout.figures.width() - widths) / static_cast<double>(count - 1) : 0;
  gap = std::min(gap, layout.small ? 40.0 : 72.0);
  double x = layout.figures.left();
  for (size_t i = 0; i < count; ++i) {
    Type type = i == 0 ? big : plain;
    figure(canvas, x, baselines, row[i].first, row[i].second, type, i == 0 ? Weight::Bold : Weight::Semibold);
    x += figureWidth(canvas.type(), row[i], type) + gap;
  }
}

} // namespace tilescope::viz
