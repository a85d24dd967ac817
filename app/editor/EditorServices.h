// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the open editors to the language service: tells it of every change, and brings back squiggles, hints,
// hovers and completions.
#pragma once

#include "app/core/LanguageClient.h"
#include "app/editor/EditorArea.h"

namespace tilescope::app {

class HoverPopup;

class EditorServices final : public QObject {
  Q_OBJECT
public:
  EditorServices(EditorArea &area, LanguageClient &client, QObject *parent = nullptr);
  ~EditorServices() override;

  /// What is known at the cursor, as if the pointer rested there.
  void explainCursor();
  void completeAtCursor();
  /// Applies the first fix offered at the cursor, or else in its line; false if there is none.
  bool fixAtCursor();
  /// Problems that a run found in a file, shown until it is edited.
  void setRunDiagnostics(const QString &uri, std::vector<protocol::Diagnostic> diagnostics);
  void clearRunDiagnostics();
  void setHintsVisible(bool visible);
  void setTheme(const viz::Theme &theme);

signals:
  void diagnosticsChanged(const QString &uri, const std::vector<protocol::Diagnostic> &diagnostics);
  /// The text of a page differs from what the last run saw.
  void edited(tilescope::app::EditorPage *page);

private:
  void attach(EditorPage *page);
  void detach(EditorPage *page);
  void showDiagnostics(EditorPage *page);
  void askHints(EditorPage *page);
  void explain(EditorPage *page, int byte, QPoint at);
  void showMenu(EditorPage *page, QPoint at);
  void hidePopup();

  EditorArea &m_area;
  LanguageClient &m_client;
  HoverPopup *m_popup;
  QHash<QString, std::vector<protocol::Diagnostic>> m_editing, m_run;
  int m_question = 0; ///< counts what was asked to be explained
  bool m_hints = true;
};

} // namespace tilescope::app
