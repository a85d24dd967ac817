// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is painted over QScintilla's own painting, line by line: hints at line ends, the band of the current
// line through the margins, its number, marks of accesses and problems, fold marks, and the bar beside the
// kernel that is followed. All of it is lines and shapes, so it is sharp at every scale and has the theme's
// colours.
#pragma once

#include "visualizer/render/Theme.h"

#include <QHash>
#include <QString>

class QPainter;
class QsciScintilla;

namespace tilescope::app {

class LineOverlay final {
public:
  enum Margin { MarkMargin, NumberMargin, FoldMargin };
  /// Scintilla's markers serve as memory: they stay with their line when text is edited. An access is marked
  /// by AccessMark + how many of its five bars are filled.
  static constexpr int Bars = 5;
  enum Marker { AccessMark = 1, ErrorMark = AccessMark + Bars + 1, WarningMark };

  explicit LineOverlay(QsciScintilla &editor) : m_editor(editor) {}

  void setTheme(const viz::Theme &theme) { m_theme = theme; }
  /// One hint a line, by line from 0.
  void setHints(QHash<int, QString> hints) { m_hints = std::move(hints); }
  /// Lines came or went: hints below them stay with their lines.
  void shiftHints(int line, int added);
  /// Lines from 0, both included; none if `first` is negative.
  void setFollowed(int first, int last);
  const QHash<int, QString> &hints() const { return m_hints; }

  /// `typing`: the current line shows no hint.
  void paint(QPainter &painter, bool typing) const;

private:
  struct Line {
    int number; ///< from 0
    int top, height;
    bool current;
  };
  void paintLine(QPainter &painter, const Line &line, bool typing) const;
  void paintCurrent(QPainter &painter, const Line &line) const;
  void paintMarks(QPainter &painter, const Line &line) const;
  void paintFold(QPainter &painter, const Line &line) const;
  void paintHint(QPainter &painter, const Line &line) const;
  int marginLeft(int margin) const;
  double zoomed(double pixels) const;

  QsciScintilla &m_editor;
  viz::Theme m_theme;
  QHash<int, QString> m_hints;
  int m_followedFirst = -1, m_followedLast = -1;
};

} // namespace tilescope::app
