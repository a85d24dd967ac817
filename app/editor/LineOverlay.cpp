// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/LineOverlay.h"

#include <Qsci/qsciscintilla.h>

#include <QPainter>

#include <algorithm>

namespace tilescope::app {
namespace {

constexpr int HintGap = 20;
constexpr int TextMargin = 4; ///< between the margins and the text
constexpr int FollowedWidth = 3;
constexpr double SmallestHint = 9;
constexpr double PointsToPixels = 96.0 / 72.0;

long ask(const QsciScintilla &editor, unsigned message, long first = 0, long second = 0) {
  return editor.SendScintilla(message, static_cast<unsigned long>(first), second);
}

} // namespace

using Sci = QsciScintillaBase;

void LineOverlay::shiftHints(int line, int added) {
  if (added == 0 || m_hints.isEmpty())
    return;
  QHash<int, QString> moved;
  for (auto hint = m_hints.cbegin(); hint != m_hints.cend(); ++hint) {
    if (hint.key() <= line)
      moved[hint.key()] = *hint;
    else if (added > 0 || hint.key() > line - added)
      moved[hint.key() + added] = *hint;
  }
  m_hints = std::move(moved);
}

void LineOverlay::setFollowed(int first, int last) {
  m_followedFirst = first;
  m_followedLast = last;
}

int LineOverlay::marginLeft(int margin) const {
  int left = 0;
  for (int before = 0; before < margin; ++before)
    left += m_editor.marginWidth(before);
  return left;
}

double LineOverlay::zoomed(double pixels) const {
  return std::max(SmallestHint,
                  pixels + static_cast<double>(ask(m_editor, Sci::SCI_GETZOOM)) * PointsToPixels);
}

void LineOverlay::paint(QPainter &painter, bool typing) const {
  painter.setRenderHint(QPainter::Antialiasing);
  long current = ask(m_editor, Sci::SCI_LINEFROMPOSITION, ask(m_editor, Sci::SCI_GETCURRENTPOS));
  long first = ask(m_editor, Sci::SCI_GETFIRSTVISIBLELINE);
  long count = ask(m_editor, Sci::SCI_LINESONSCREEN);
  int height = static_cast<int>(ask(m_editor, Sci::SCI_TEXTHEIGHT));
  long previous = -1;
  for (long row = 0; row <= count; ++row) {
    long number = ask(m_editor, Sci::SCI_DOCLINEFROMVISIBLE, first + row);
    if (number == previous)
      continue; // below the last line
    previous = number;
    paintLine(painter, {static_cast<int>(number), static_cast<int>(row) * height, height, number == current},
              typing);
  }
}

void LineOverlay::paintLine(QPainter &painter, const Line &line, bool typing) const {
  if (line.current)
    paintCurrent(painter, line);
  if (line.number >= m_followedFirst && line.number <= m_followedLast && m_followedFirst >= 0)
    painter.fillRect(QRect(0, line.top, FollowedWidth, line.height), m_theme.followed);
  paintMarks(painter, line);
  paintFold(painter, line);
  if (m_hints.contains(line.number) && !(typing && line.current))
    paintHint(painter, line);
}

void LineOverlay::paintCurrent(QPainter &painter, const Line &line) const {
  int right = marginLeft(FoldMargin);
  painter.fillRect(QRect(0, line.top, right + m_editor.marginWidth(FoldMargin) + TextMargin, line.height),
                   m_theme.selection);
  QFont font = m_theme.codeFont(zoomed(12));
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  painter.setPen(m_theme.ink);
  painter.drawText(QRect(0, line.top, right - 3, line.height), Qt::AlignRight | Qt::AlignVCenter,
                   QString::number(line.number + 1));
}

void LineOverlay::paintMarks(QPainter &painter, const Line &line) const {
  auto markers = static_cast<unsigned>(ask(m_editor, Sci::SCI_MARKERGET, line.number));
  double middle = line.top + line.height / 2.0;
  if (markers & (1U << ErrorMark | 1U << WarningMark)) {
    QPointF centre(12, middle);
    painter.setPen(QPen(markers & 1U << ErrorMark ? m_theme.hazard.fill : m_theme.text3, 2, Qt::SolidLine,
                        Qt::RoundCap));
    painter.drawLine(centre - QPointF(3.5, 3.5), centre + QPointF(3.5, 3.5));
    painter.drawLine(centre + QPointF(-3.5, 3.5), centre + QPointF(3.5, -3.5));
    return;
  }
  for (int filled = 0; filled <= Bars; ++filled) {
    if (!(markers & 1U << (AccessMark + filled)))
      continue;
    for (int bar = 0; bar < Bars; ++bar) {
      QRectF box(5 + 3.2 * bar, middle - 4.5, 2.4, 9);
      painter.setPen(bar < filled ? QPen(Qt::NoPen) : QPen(m_theme.hbm.fill, 0.8));
      painter.setBrush(bar < filled ? m_theme.hbm.fill : m_theme.hbm.tint);
      painter.drawRect(box);
    }
  }
}

void LineOverlay::paintFold(QPainter &painter, const Line &line) const {
  if (!(ask(m_editor, Sci::SCI_GETFOLDLEVEL, line.number) & Sci::SC_FOLDLEVELHEADERFLAG))
    return;
  bool open = ask(m_editor, Sci::SCI_GETFOLDEXPANDED, line.number) != 0;
  QPointF at(marginLeft(FoldMargin) + m_editor.marginWidth(FoldMargin) / 2.0, line.top + line.height / 2.0);
  painter.setPen(QPen(open ? m_theme.hair2 : m_theme.ink, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(open ? QPolygonF{at + QPointF(-3, -1.5), at + QPointF(0, 1.5), at + QPointF(3, -1.5)}
                            : QPolygonF{at + QPointF(-1.5, -3), at + QPointF(1.5, 0), at + QPointF(-1.5, 3)});
}

void LineOverlay::paintHint(QPainter &painter, const Line &line) const {
  long end = ask(m_editor, Sci::SCI_GETLINEENDPOSITION, line.number);
  int x = static_cast<int>(ask(m_editor, Sci::SCI_POINTXFROMPOSITION, 0, end)) + HintGap;
  QString hint = m_hints[line.number];
  QFont font = m_theme.font(viz::Type::Label);
  font.setPixelSize(static_cast<int>(zoomed(12)));
  QRect plate(x, line.top + 1, QFontMetrics(font).horizontalAdvance(hint) + 16, line.height - 2);
  if (x < marginLeft(FoldMargin) || plate.right() > m_editor.viewport()->width() - 8)
    return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(line.current ? m_theme.hbm.tint : m_theme.panel);
  painter.drawRoundedRect(plate, 3, 3);
  painter.setFont(font);
  painter.setPen(line.current ? m_theme.hbm.text : m_theme.text2);
  painter.drawText(plate, Qt::AlignCenter, hint);
}

} // namespace tilescope::app
