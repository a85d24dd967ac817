// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Arrangement.h"

#include "visualizer/render/Text.h"

#include <QLabel>
#include <QSettings>
#include <QTimer>

namespace tilescope::app {
namespace {

/// Raised when docks come or go, so that an old state is not read into a new window.
constexpr int StateVersion = 1;

struct Layout {
  const char *name;
  QStringList shown;
  double left, right; ///< shares of the window's width
  double bottom;      ///< share of the height below the editor
};

const QList<Layout> &layouts() {
  static const QList<Layout> all{
      {"learn", {"launches", "terminal", "problems", "view", "accesses"}, 0.13, 0.44, 0.21},
      {"teach", {"view", "terminal"}, 0.0, 0.60, 0.18},
      {"debug", {"launches", "terminal", "problems", "view", "accesses"}, 0.15, 0.36, 0.32},
  };
  return all;
}

} // namespace

QDockWidget *Arrangement::add(const QString &name, QWidget *content, bool heading) {
  auto *dock = new QDockWidget(&m_window);
  dock->setObjectName(name);
  dock->setWidget(content);
  QWidget *title = heading ? new QLabel : new QWidget;
  title->setObjectName(heading ? "dockHeading" : "");
  dock->setTitleBarWidget(title);
  m_docks[name] = dock;
  return dock;
}

const QStringList &Arrangement::names() {
  static const QStringList all{"learn", "teach", "debug"};
  return all;
}

void Arrangement::placeAll() {
  for (QDockWidget *dock : m_docks) {
    m_window.removeDockWidget(dock);
    dock->setFloating(false);
  }
  m_window.addDockWidget(Qt::LeftDockWidgetArea, m_docks["launches"]);
  m_window.addDockWidget(Qt::BottomDockWidgetArea, m_docks["terminal"]);
  m_window.addDockWidget(Qt::RightDockWidgetArea, m_docks["view"]);
  m_window.splitDockWidget(m_docks["view"], m_docks["accesses"], Qt::Vertical);
  m_window.tabifyDockWidget(m_docks["terminal"], m_docks["problems"]);
}

void Arrangement::apply(const QString &name) {
  placeAll();
  for (const Layout &layout : layouts()) {
    if (name != layout.name)
      continue;
    for (QDockWidget *dock : m_docks)
      dock->setVisible(layout.shown.contains(dock->objectName()));
    m_docks["terminal"]->raise();
    int width = m_window.width(), height = m_window.height();
    m_window.resizeDocks({m_docks["launches"], m_docks["view"]},
                         {static_cast<int>(width * layout.left), static_cast<int>(width * layout.right)},
                         Qt::Horizontal);
    m_window.resizeDocks({m_docks["terminal"], m_docks["view"], m_docks["accesses"]},
                         {static_cast<int>(height * layout.bottom), static_cast<int>(height * 0.70),
                          static_cast<int>(height * 0.20)},
                         Qt::Vertical);
  }
}

void Arrangement::restore() {
  QSettings settings;
  bool sized = m_window.restoreGeometry(settings.value("window/geometry").toByteArray());
  if (!sized)
    m_window.resize(1600, 900);
  placeAll();
  if (!m_window.restoreState(settings.value("window/state").toByteArray(), StateVersion)) {
    apply("learn");
    // Shares of the width are right only when the window has its real size.
    QTimer::singleShot(0, &m_window, [this] { apply("learn"); });
  }
}

void Arrangement::keep() const {
  QSettings settings;
  settings.setValue("window/geometry", m_window.saveGeometry());
  settings.setValue("window/state", m_window.saveState(StateVersion));
}

void Arrangement::retranslate() {
  for (QDockWidget *dock : m_docks) {
    QString title = viz::text("panel." + dock->objectName());
    dock->setWindowTitle(title);
    if (auto *heading = qobject_cast<QLabel *>(dock->titleBarWidget()))
      heading->setText(title);
  }
}

} // namespace tilescope::app
