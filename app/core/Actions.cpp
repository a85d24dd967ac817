// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Actions.h"

#include "visualizer/render/Text.h"

#include <QWidget>

namespace tilescope::app {

Actions::Actions(QWidget &window) : QObject(&window), m_window(window) {}

QAction *Actions::insert(const QString &name) {
  auto *action = new QAction(&m_window);
  action->setObjectName(name);
  m_window.addAction(action);
  m_actions[name] = action;
  return action;
}

QAction *Actions::add(const QString &name, std::function<void()> triggered, const QKeySequence &shortcut) {
  QAction *action = insert(name);
  action->setShortcut(shortcut);
  connect(action, &QAction::triggered, this, [triggered = std::move(triggered)] { triggered(); });
  return action;
}

QAction *Actions::addChoice(const QString &name, std::function<void(bool)> toggled) {
  QAction *action = insert(name);
  action->setCheckable(true);
  connect(action, &QAction::toggled, this, std::move(toggled));
  return action;
}

void Actions::retranslate() {
  for (auto action = m_actions.cbegin(); action != m_actions.cend(); ++action)
    action.value()->setText(viz::text("action." + action.key()));
}

} // namespace tilescope::app
