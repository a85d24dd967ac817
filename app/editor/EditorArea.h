// SPDX-License-Identifier: GPL-3.0-or-later
//
// The open files as tabs: opening, saving, closing with a guard for what is unsaved, recent files, and what
// is kept for the case of a crash.
#pragma once

#include "app/core/Recovery.h"
#include "app/editor/EditorPage.h"

#include <QTabWidget>

namespace tilescope::app {

class EditorArea final : public QTabWidget {
  Q_OBJECT
public:
  explicit EditorArea(Recovery &recovery, QWidget *parent = nullptr);

  EditorPage *current() const;
  EditorPage *page(int index) const;
  EditorPage *findPath(const QString &path) const;
  EditorPage *findUri(const QString &uri) const;
  std::vector<EditorPage *> pages() const;

  EditorPage *newFile();
  /// Null after an error, which the user has been told.
  EditorPage *open(const QString &path);
  /// The same; for a file that does not exist yet an empty page, which saving makes into that file.
  EditorPage *openOrCreate(const QString &path);
  void chooseAndOpen();
  bool save(EditorPage *page);
  bool saveAs(EditorPage *page);
  bool close(EditorPage *page);
  /// Asks about each unsaved file; false if the user wants to go on.
  bool closeAll();
  /// The tab `steps` to the right, going round at the ends.
  void goRound(int steps);
  /// Opens what a crashed program left behind.
  void restore(const std::vector<Recovery::Text> &texts);

  void setTheme(const viz::Theme &theme);
  void retranslate();
  void tellError(const FileError &error);

  static QStringList recentFiles();

signals:
  void pageOpened(tilescope::app::EditorPage *page);
  void pageClosing(tilescope::app::EditorPage *page);
  /// Its path has changed; it was known by `oldUri`.
  void pageRenamed(tilescope::app::EditorPage *page, const QString &oldUri);
  void currentPageChanged(tilescope::app::EditorPage *page);
  void recentFilesChanged();
  /// Written under its path, an old one or a new one.
  void pageSaved(tilescope::app::EditorPage *page);

private:
  EditorPage *addPage(const QString &path, int untitled, const TextFile &file);
  void showTitle(EditorPage *page);
  void keepForRecovery(EditorPage *page);
  bool mayDiscard(EditorPage *page);
  void remember(const QString &path);

  Recovery &m_recovery;
  viz::Theme m_theme = viz::Theme::light();
  int m_untitled = 0;
};

} // namespace tilescope::app
