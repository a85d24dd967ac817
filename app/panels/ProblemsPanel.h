// SPDX-License-Identifier: GPL-3.0-or-later
//
// All diagnostics, those of the language service and those of the last run, one row each with its notes
// below. A row jumps to its place.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "visualizer/render/Theme.h"

#include <QMap>
#include <QTreeWidget>

namespace tilescope::app {

class ProblemsPanel final : public QTreeWidget {
  Q_OBJECT
public:
  explicit ProblemsPanel(QWidget *parent = nullptr);

  /// Where a list of diagnostics comes from: it replaces the earlier list of the same source.
  enum class Source { Editing, Run };
  void setDiagnostics(Source source, const QString &uri,
                      const std::vector<protocol::Diagnostic> &diagnostics);
  void clearSource(Source source);
  int count() const;
  void setTheme(const viz::Theme &theme);
  void retranslate();

signals:
  void countChanged(int count);
  void activated(const QString &uri, const protocol::Range &range);
  void fixChosen(const QString &uri, const protocol::Fix &fix);

protected:
  void paintEvent(QPaintEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  void rebuild();
  void addRow(const QString &uri, const protocol::Diagnostic &diagnostic);

  QMap<std::pair<int, QString>, std::vector<protocol::Diagnostic>> m_lists;
  viz::Theme m_theme;
};

} // namespace tilescope::app
