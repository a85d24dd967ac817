// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Canvas.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QTextBoundaryFinder>
#include <cmath>

namespace tilescope::viz {

namespace {

constexpr int MostKept = 2048;

/// A stretch of text that is not broken, with the spaces after it.
struct Word {
  QString text;
  bool strong = false;
  bool mayBreakAfter = false;
};

/// Where lines may be broken by Unicode's rules, between Chinese characters too, and where strength changes.
std::vector<Word> wordsOf(const QString &marked) {
  QString plain;
  std::vector<bool> strong;
  bool on = false;
  for (qsizetype i = 0; i < marked.size(); ++i) {
    if (marked.mid(i, 2) == "**") {
      on = !on;
      ++i;
      continue;
    }
    plain += marked[i];
    strong.push_back(on);
  }
  std::vector<Word> words;
  QTextBoundaryFinder finder(QTextBoundaryFinder::Line, plain);
  for (qsizetype i = 0; i < plain.size(); ++i) {
    bool continues = !words.empty() && !words.back().mayBreakAfter &&
                     words.back().strong == strong[static_cast<size_t>(i)];
    if (!continues)
      words.push_back({{}, strong[static_cast<size_t>(i)], false});
    words.back().text += plain[i];
    finder.setPosition(i + 1);
    words.back().mayBreakAfter = finder.isAtBoundary();
  }
  return words;
}

} // namespace

const Typesetter::Face &Typesetter::face(Type type, Weight weight) const {
  auto key = std::pair(type, weight);
  auto found = m_faces.find(key);
  if (found == m_faces.end()) {
    QFont font = m_theme.font(type, weight);
    found = m_faces.emplace(key, Face{font, QFontMetricsF(font), {}}).first;
  }
  return found->second;
}

double Typesetter::width(const QString &text, Type type, Weight weight) const {
  // Most of a frame's words were in the last one too.
  const Face &face = this->face(type, weight);
  if (auto known = face.widths.constFind(text); known != face.widths.constEnd())
    return *known;
  if (face.widths.size() >= MostKept)
    face.widths.clear();
  return *face.widths.insert(text, face.metrics.horizontalAdvance(text));
}

double Typesetter::lineHeight(Type type) const { return std::round(m_theme.size(type) * 1.4); }

const std::vector<Typesetter::Line> &Typesetter::paragraph(const QString &text, Type type, double width) const {
  std::tuple key(text, type, width);
  if (auto known = m_paragraphs.find(key); known != m_paragraphs.end())
    return known->second;
  if (m_paragraphs.size() >= MostKept)
    m_paragraphs.clear();
  return m_paragraphs.emplace(std::move(key), broken(text, type, width)).first->second;
}

std::vector<Typesetter::Line> Typesetter::broken(const QString &text, Type type, double width) const {
  auto weight = [](bool strong) { return strong ? Weight::Semibold : Weight::Regular; };
  auto trimmed = [](QString text) {
    while (text.endsWith(' '))
      text.chop(1);
    return text;
  };
  std::vector<Line> lines(1);
  std::vector<Word> words = wordsOf(text);
  double line = lineHeight(type), advance = 0;
  lines[0].baseline = std::round((line + capHeight(type)) / 2);
  for (size_t i = 0; i < words.size();) {
    // All words up to the next place where a line may be broken stay together.
    size_t end = i;
    double unit = 0, visible = 0;
    do {
      visible = unit + this->width(trimmed(words[end].text), type, weight(words[end].strong));
      unit += this->width(words[end].text, type, weight(words[end].strong));
    } while (!words[end++].mayBreakAfter && end < words.size());
    if (advance > 0 && advance + visible > width) {
      lines.push_back({lines.back().baseline + line, 0, {}});
      advance = 0;
    }
    Line &last = lines.back();
    last.width = advance + visible;
    advance += unit;
    for (; i < end; ++i) {
      if (last.runs.empty() || last.runs.back().second != words[i].strong)
        last.runs.push_back({{}, words[i].strong});
      last.runs.back().first += words[i].text;
    }
  }
  return lines;
}

double Typesetter::paragraphHeight(const QString &text, Type type, double width) const {
  return text.isEmpty() ? 0 : static_cast<double>(paragraph(text, type, width).size()) * lineHeight(type);
}

double Typesetter::richWidth(const QString &text, Type type) const {
  return paragraph(text, type, 1e9)[0].width;
}

Canvas::Canvas(QPainter &painter, const Typesetter &typesetter, std::vector<PlacedText> *log)
    : m_painter(painter), m_typesetter(typesetter), m_log(log) {
  m_painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
}

double Canvas::deviceScale() const { return pixels() ? m_painter.deviceTransform().m11() : 1; }

bool Canvas::pixels() const {
  const QPaintEngine *engine = m_painter.paintEngine();
  return engine && (engine->type() == QPaintEngine::Raster || engine->type() == QPaintEngine::OpenGL2);
}

void Canvas::fill(const QRectF &rect, const QColor &color) { m_painter.fillRect(rect, color); }

void Canvas::place(QPointF at, const QString &text, double width, const Style &style) {
  m_painter.setFont(m_typesetter.font(style.type, style.weight));
  m_painter.setPen(style.color);
  m_painter.drawText(at, text);
  double height = m_typesetter.capHeight(style.type);
  if (m_log)
    m_log->push_back({text, m_painter.transform().mapRect(QRectF(at.x(), at.y() - height, width, height))});
}

QRectF Canvas::text(QPointF at, const QString &text, const Style &style, Align align) {
  double width = m_typesetter.width(text, style.type, style.weight);
  if (align != Align::Left)
    at.rx() -= align == Align::Right ? width : width / 2;
  place(at, text, width, style);
  double height = m_typesetter.capHeight(style.type);
  return {at.x(), at.y() - height, width, height};
}

QRectF Canvas::centered(const QRectF &box, const QString &text, const Style &style) {
  QPointF middle = box.center() + QPointF(0, m_typesetter.capHeight(style.type) / 2);
  return this->text(middle, text, style, Align::Center);
}

double Canvas::paragraph(QPointF topLeft, double width, const QString &text, const Style &style,
                         std::optional<QColor> strong, Align align) {
  if (text.isEmpty())
    return 0;
  const std::vector<Typesetter::Line> &lines = m_typesetter.paragraph(text, style.type, width);
  for (const Typesetter::Line &line : lines) {
    double free = width - line.width;
    double x = topLeft.x() + (align == Align::Right ? free : align == Align::Center ? free / 2 : 0);
    for (const auto &[run, isStrong] : line.runs) {
      Style look = style;
      if (isStrong)
        look.weight = Weight::Semibold, look.color = strong.value_or(style.color);
      double advance = m_typesetter.width(run, look.type, look.weight);
      place({x, topLeft.y() + line.baseline}, run, advance, look);
      x += advance;
    }
  }
  return static_cast<double>(lines.size()) * m_typesetter.lineHeight(style.type);
}

} // namespace tilescope::viz
