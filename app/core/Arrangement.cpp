// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Arrangement.h"

#include "visualizer/render/Text.h"

#include <QLabel>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include <algorithm>

namespace tilescope::app {
namespace {

/// Raised when docks come or go, so that an old state is not read into a new window.
constexpr int StateVersion = 1;

constexpr int SmallWidth = 1600;
constexpr int LeastBottom = 180;

/// Shares of the window. A small one has two more, since code and lists need room there.
struct Layout {
  const char *name;
  QStringList shown;
  double left, smallLeft;
  double right, smallRight;
  double bottom; ///< share of the height below editor and view
};

const QList<Layout> &layouts() {
  static const QList<Layout> all{
      {"learn", {"launches", "terminal", "problems", "view", "accesses"}, 0.129, 0.165, 0.4625, 0.36, 0.2255},
      {"teach", {"view", "terminal"}, 0, 0, 0.60, 0.56, 0.18},
      {"debug", {"launches", "terminal", "problems", "view", "accesses"}, 0.15, 0.165, 0.36, 0.33, 0.32},
  };
  return all;
}

} // namespace

QDockWidget *Arrangement::add(const QString &name, QWidget *content, bool heading) {
  auto *dock = new QDockWidget(&m_window);
  dock->setObjectName(name);
  dock->setWidget(content);
  QWidget *title = heading ? new QLabel(dock) : new QWidget(dock);
  title->setObjectName(heading ? "dockHeading" : "");
  dock->setTitleBarWidget(title);
  m_headings[name] = title;
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
  for (const Layout &layout : layouts())
    if (name == layout.name)
      for (QDockWidget *dock : m_docks)
        dock->setVisible(layout.shown.contains(dock->objectName()));
  m_docks["terminal"]->raise();
  m_applied = name;
  fit();
}

void Arrangement::fit() {
  size();
  // Once more when every bar has its height.
  QTimer::singleShot(0, &m_window, [this] { size(); });
}

void Arrangement::size() {
  auto found = std::find_if(layouts().begin(), layouts().end(),
                            [&](const Layout &layout) { return m_applied == layout.name; });
  if (found == layouts().end())
    return;
  bool small = m_window.width() < SmallWidth;
  auto share = [](int whole, double part) { return static_cast<int>(whole * part); };
  m_window.resizeDocks({m_docks["launches"], m_docks["view"]},
                       {share(m_window.width(), small ? found->smallLeft : found->left),
                        share(m_window.width(), small ? found->smallRight : found->right)},
                       Qt::Horizontal);
  int bars = m_window.menuWidget()->height() + m_window.findChild<QToolBar *>()->height() +
             m_window.findChild<QStatusBar *>()->height();
  int room = m_window.height() - bars;
  int bottom = std::max(LeastBottom, share(room, found->bottom));
  m_window.resizeDocks({m_docks["terminal"]}, {bottom}, Qt::Vertical);
  m_window.resizeDocks({m_docks["view"], m_docks["accesses"]}, {room - bottom, bottom}, Qt::Vertical);
}

void Arrangement::restore() {
  QSettings settings;
  bool sized = m_window.restoreGeometry(settings.value("window/geometry").toByteArray());
  if (!sized) {
    QSize room = m_window.screen()->availableSize();
    m_window.resize(QSize(1760, 1000).boundedTo(room));
    if (room.width() <= SmallWidth)
      m_window.setWindowState(Qt::WindowMaximized);
  }
  placeAll();
  if (!m_window.restoreState(settings.value("window/state").toByteArray(), StateVersion)) {
    apply("learn");
  }
}

void Arrangement::setMovable(bool movable) {
  for (QDockWidget *dock : m_docks) {
    QWidget *heading = m_headings[dock->objectName()];
    dock->setTitleBarWidget(movable ? nullptr : heading);
    heading->setVisible(!movable);
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
    if (auto *heading = qobject_cast<QLabel *>(m_headings[dock->objectName()]))
      heading->setText(title);
  }
}

} // namespace tilescope::app
