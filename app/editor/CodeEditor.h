// SPDX-License-Identifier: GPL-3.0-or-later
//
// The editor of one file: QScintilla with the theme's colours, and what the language service knows painted
// into it: squiggles, hints at line ends, marks of accesses (LineOverlay.h), names to choose from
// (CompletionPopup.h). It knows no service: EditorServices.h joins the two.
#pragma once

#include "app/editor/LineOverlay.h"
#include "compiler/Protocol/Messages.h"
#include "visualizer/render/Theme.h"

#include <Qsci/qsciscintilla.h>

#include <QTimer>

namespace tilescope::app {

class CompletionPopup;
class PythonLexer;

class CodeEditor final : public QsciScintilla {
  Q_OBJECT
public:
  explicit CodeEditor(QWidget *parent = nullptr);

  void setTheme(const viz::Theme &theme);

  /// Replaces the whole text without a trace in the undo history (opening).
  void load(const QString &text);
  /// Replaces the whole text, which can be undone, and keeps the place (the file has changed on disk).
  void reload(const QString &text);
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
  /// Lines (from 0) with a load or store of the selected launch, and the share of its elements that are on.
  void setAccessLines(const QHash<int, double> &shares);
  /// The kernel that is followed, by its lines from 0; none if `first` is negative.
  void setFollowedLines(int first, int last);
  /// Outlines ranges of bytes: what the find bar has found.
  void markMatches(const std::vector<std::pair<int, int>> &ranges);
  /// Comments out the selected lines, or takes their comment signs away.
  void toggleComment();

  protocol::Position cursor() const;
  int cursorByte() const;
  /// Where a place in the text is on the screen: the top of its line.
  QPoint screenPoint(int byte) const;
  int lineHeight() const;
  void goTo(protocol::Position position);
  void select(const protocol::Range &range);

  void showCompletions(const protocol::CompletionList &list);
  CompletionPopup &completions() { return *m_completions; }

signals:
  void edited();
  void completionWanted();
  /// The pointer rests over a place, or the place is asked about by keyboard.
  void hoverWanted(int byte, QPoint globalPosition);
  void hoverEnded();
  /// The menu key or right button; the editor has no menu of its own words.
  void contextMenuWanted(QPoint globalPosition);
  /// The visible part changed, so that what is shown for a place is no longer beside it.
  void viewMoved();
  /// Escape, with nothing of the editor's own to close.
  void escaped();

protected:
  void paintEvent(QPaintEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;
  bool viewportEvent(QEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;

private:
  enum Indicator { ErrorSquiggle = 8, WarningSquiggle, LibraryName, FindMatch, DecoratorName };

  void setUpMargins();
  void setUpIndicators();
  void setUpKeys();
  void connectScintilla();
  void connectCompletions();
  void textEdited();
  int typedStart() const;
  void updateCompletions();
  void complete(const QString &name);
  void indentAfterColon();
  void colourLibraryNames(int fromLine, int toLine);
  /// Fills `indicator` under what matches in a line and begins in the lexer's `style`.
  void colourMatches(int line, const QRegularExpression &names, int indicator, int style);
  void colourVisibleLibraryNames();
  void fill(int indicator, const protocol::Range &range);
  void clearIndicator(int indicator);
  void updateNumberMargin();

  PythonLexer *m_lexer;
  viz::Theme m_theme;
  std::vector<protocol::Diagnostic> m_diagnostics;
  LineOverlay m_overlay;
  CompletionPopup *m_completions;
  int m_completionStart = 0;
  QTimer m_typing;
  QTimer m_recolour;
  bool m_loading = false;
};

} // namespace tilescope::app
