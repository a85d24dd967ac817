// SPDX-License-Identifier: GPL-3.0-or-later
//
// Open files that other programs change on disk: taken over silently where nothing is unsaved here, asked
// about where something is. A file that is deleted keeps its text in its tab, as unsaved.
#pragma once

#include "app/editor/EditorArea.h"

#include <QFileSystemWatcher>
#include <QSet>
#include <QTimer>

namespace tilescope::app {

class FileWatch final : public QObject {
  Q_OBJECT
public:
  explicit FileWatch(EditorArea &area, QObject *parent = nullptr);

private:
  void watch(EditorPage *page);
  void forget(EditorPage *page);
  void look();
  void lookAt(EditorPage *page);
  bool wantsTheirs(EditorPage *page);

  EditorArea &m_area;
  QFileSystemWatcher m_watcher;
  QSet<QString> m_changed;
  QTimer m_pause; ///< many programs write a file in several steps
  bool m_asking = false;
};

} // namespace tilescope::app
