// SPDX-License-Identifier: GPL-3.0-or-later
//
// One open file: its editor, its find bar, and what is known of it on disk.
#pragma once

#include "app/core/TextFile.h"
#include "app/editor/CodeEditor.h"

#include <QWidget>

namespace tilescope::app {

class FindBar;

class EditorPage final : public QWidget {
  Q_OBJECT
public:
  /// `untitled`: its number among files that were never saved; 0 for one with a path.
  EditorPage(QString path, int untitled, const TextFile &file, QWidget *parent = nullptr);

  CodeEditor &editor() { return *m_editor; }
  const CodeEditor &editor() const { return *m_editor; }
  FindBar &findBar() { return *m_findBar; }

  const QString &path() const { return m_path; }
  /// "main.py", or "untitled 1" in the reader's language.
  QString title() const;
  /// What the language service and the run process call it.
  QString uri() const;
  QString runPath() const;
  bool isUnsaved() const { return m_editor->isModified() || m_differs; }
  bool isUntouched() const { return m_path.isEmpty() && !isUnsaved() && m_editor->length() == 0; }
  bool byteOrderMark() const { return m_byteOrderMark; }

  /// Writes to `path`, which is its path from then on.
  std::optional<FileError> save(const QString &path);
  /// Text from a crash: differs from what is on disk.
  void restore(const QString &text);

  /// How the file on disk stands to what this page last read or wrote. Asking again after Changed gives Same.
  enum class Disk { Same, Changed, Gone };
  Disk look();
  /// Takes the text that look() found changed.
  void reload();

signals:
  void stateChanged();

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QString m_path;
  int m_untitled;
  bool m_byteOrderMark;
  TextFile m_onDisk;      ///< as last read or written
  bool m_differs = false; ///< from what is on disk, though it was not edited here
  CodeEditor *m_editor;
  FindBar *m_findBar;
};

} // namespace tilescope::app
