// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything that the program can do, by name: the menus, the shortcuts and the search box are made from this
// one list. Texts come from the catalogue, "action.<name>".
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QMap>
#include <QObject>

#include <functional>

namespace tilescope::app {

class Actions final : public QObject {
  Q_OBJECT
public:
  explicit Actions(QWidget &window);

  QAction *add(const QString &name, std::function<void()> triggered, const QKeySequence &shortcut = {});
  QAction *addChoice(const QString &name, std::function<void(bool)> toggled);
  QAction *operator[](const QString &name) const { return m_actions.value(name); }
  const QMap<QString, QAction *> &all() const { return m_actions; }
  void retranslate();

private:
  QAction *insert(const QString &name);

  QWidget &m_window;
  QMap<QString, QAction *> m_actions;
};

} // namespace tilescope::app
