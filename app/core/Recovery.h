// SPDX-License-Identifier: GPL-3.0-or-later
//
// Unsaved text survives a crash. Each running program keeps what is unsaved in a folder of its own, locked
// while it lives; a folder whose owner is gone holds what a crashed one left behind.
#pragma once

#include <QLockFile>
#include <QString>

#include <memory>
#include <vector>

namespace tilescope::app {

class Recovery final {
public:
  struct Text {
    QString path; ///< empty for one that was never saved
    QString text;
    bool byteOrderMark = false;
  };

  /// `folder` holds the folders of all running programs.
  explicit Recovery(QString folder);
  ~Recovery(); ///< removes this program's folder: it ends in good order

  /// Keeps the text of an open file, by any key that stays the same while it is open.
  void keep(const QString &key, const Text &text);
  void forget(const QString &key);

  /// What crashed programs left; asking again gives it again until discard().
  std::vector<Text> leftBehind() const;
  void discardLeftBehind();

  static QString defaultFolder();

private:
  std::vector<QString> abandonedFolders() const;
  QString fileOf(const QString &key) const;

  const QString m_root;
  QString m_own;
  std::unique_ptr<QLockFile> m_lock;
};

} // namespace tilescope::app
