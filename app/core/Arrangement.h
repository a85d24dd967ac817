// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which panel stands where: the docks by their stable names, three ready-made arrangements, and what the user
// made of them, kept between starts.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QMap>

namespace tilescope::app {

class Arrangement final {
public:
  explicit Arrangement(QMainWindow &window) : m_window(window) {}

  /// `name` is the dock's object name and the catalogue key "panel.<name>" of its title. Panels that say
  /// themselves what they are, or stand behind tabs, need no heading.
  QDockWidget *add(const QString &name, QWidget *content, bool heading = false);
  QDockWidget *dock(const QString &name) const { return m_docks.value(name); }
  const QMap<QString, QDockWidget *> &docks() const { return m_docks; }

  /// "learn", "teach" or "debug".
  static const QStringList &names();
  void apply(const QString &name);
  /// The window has become small or large: panels get their shares of it, unless the user has set them.
  void fit();
  void restore();
  /// With a title bar each panel can be dragged elsewhere, floated and closed; without one it has just its
  /// heading, if any.
  void setMovable(bool movable);
  void keep() const;
  void retranslate();

private:
  void placeAll();
  void size();
  QMainWindow &m_window;
  QMap<QString, QDockWidget *> m_docks;
  QMap<QString, QWidget *> m_headings;
  QString m_applied; ///< the ready-made arrangement in use; empty for one that was kept
};

} // namespace tilescope::app
