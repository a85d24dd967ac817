// SPDX-License-Identifier: GPL-3.0-or-later
//
// The editor of one file: QScintilla with the theme's colours, and what the language service knows painted
// into it: squiggles, hints at line ends, marks of accesses. It knows no service: EditorServices.h joins the
// two.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "visualizer/render/Theme.h"

#include <Qsci/qsciscintilla.h>

#include <QTimer>

namespace tilescope::app {

class PythonLexer;

class CodeEditor final : public QsciScintilla {
  Q_OBJECT
public:
  explicit CodeEditor(QWidget *parent = nullptr);

  void setTheme(const viz::Theme &theme);

  /// Replaces the whole text without a trace in the undo history (opening, reverting).
  void load(const QString &text);
  /// The text exactly as it is, line ends included.
  QString content() const;

  void setDiagnostics(std::vector<protocol::Diagnostic> diagnostics);
  const std::vector<protocol::Diagnostic> &diagnostics() const { return m_diagnostics; }
  /// The diagnostics that cover a place, worst first.
  std::vector<const protocol::Diagnostic *> diagnosticsAt(int byte) const;
  /// Applies the fix of a diagnostic as one step of the undo history.
  void applyFix(const protocol::Fix &fix);

  /// One hint a line, by line from 0; shown when typing has stopped.
  void setHints(QHash<int, QString> hints);
  /// Lines (from 0) with a load or store of the selected launch.
  void setAccessLines(const QList<int> &lines);

  protocol::Position cursor() const;
  int cursorByte() const;
  void goTo(protocol::Position position);
  void select(const protocol::Range &range);

  void showCompletions(const protocol::CompletionList &list);

signals:
  void edited();
  void completionWanted();
  /// The pointer rests over a place, or the place is asked about by keyboard.
  void hoverWanted(int byte, QPoint globalPosition);
  void hoverEnded();
  /// The menu key or right button; the editor has no menu of its own words.
  void contextMenuWanted(QPoint globalPosition);
  /// The visible part changed, so hints may be missing.
  void viewMoved();

protected:
  void paintEvent(QPaintEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  enum Indicator { ErrorSquiggle = 8, WarningSquiggle, LibraryName, FindMatch };
  enum Marker { AccessMark = 1, ErrorMark, WarningMark };
  enum Margin { NumberMargin, MarkMargin, FoldMargin };

  void setUpMargins();
  void setUpIndicators();
  void connectScintilla();
  void colourLibraryNames(int fromLine, int toLine);
  void colourVisibleLibraryNames();
  void paintHints(QPainter &painter);
  void paintHint(QPainter &painter, int line, const QString &hint, bool current);
  void fill(int indicator, const protocol::Range &range);
  void clearIndicator(int indicator);
  void updateNumberMargin();
  bool wantsCompletionAfter(int character) const;

  PythonLexer *m_lexer;
  viz::Theme m_theme;
  std::vector<protocol::Diagnostic> m_diagnostics;
  QHash<int, QString> m_hints;
  QTimer m_typing;
  QTimer m_recolour;
  bool m_loading = false;
};

} // namespace tilescope::app
