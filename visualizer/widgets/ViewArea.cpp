// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/ViewArea.h"

#include "visualizer/render/Text.h"

#include <QKeyEvent>
#include <QTabWidget>
#include <QVBoxLayout>

namespace tilescope::viz {

ViewArea::ViewArea(QWidget *parent)
    : QWidget(parent), m_tabs(new QTabWidget(this)), m_transport(new Transport(this)) {
  m_tabs->setObjectName("viewTabs");
  m_tabs->setDocumentMode(true);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_tabs, 1);
  column->addWidget(m_transport);
  setFocusProxy(m_tabs);
  connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
    play();
    Q_EMIT currentChanged();
  });
  connect(m_transport, &Transport::timeChanged, this, [this](double time) {
    if (LaunchView *view = current())
      view->setTime(time);
  });
}

void ViewArea::add(LaunchView *view) {
  m_views.push_back(view);
  connect(view, &LaunchView::playableChanged, this, [this, view] {
    if (view == current())
      play();
  });
  connect(view, &LaunchView::timeChanged, this, [this, view](double time) {
    if (view == current())
      m_transport->setTime(time);
  });
  connect(view, &LaunchView::keyPressed, this,
          [this](QKeyEvent *event) { event->setAccepted(m_transport->handleKey(*event)); });
  connect(view, &LaunchView::lineActivated, this, &ViewArea::lineActivated);
  m_tabs->addTab(view, text("view." + view->id()));
}

LaunchView *ViewArea::current() const { return qobject_cast<LaunchView *>(m_tabs->currentWidget()); }

void ViewArea::showView(const QString &id) {
  for (LaunchView *view : m_views)
    if (view->id() == id)
      m_tabs->setCurrentWidget(view);
}

QTabBar *ViewArea::tabBar() const { return m_tabs->tabBar(); }

/// Views keep their time while another is in front.
void ViewArea::play() {
  LaunchView *view = current();
  if (!view)
    return;
  m_transport->setVisible(view->plays());
  m_transport->setPlayable(view->playable());
  m_transport->setTime(view->time());
}

void ViewArea::setLaunch(const protocol::LaunchSummary &launch) {
  for (LaunchView *view : m_views)
    view->setLaunch(launch);
}

void ViewArea::clear() {
  for (LaunchView *view : m_views)
    view->clear();
}

void ViewArea::setStale(bool stale) {
  for (LaunchView *view : m_views)
    view->setStale(stale);
}

void ViewArea::setTheme(const Theme &theme) {
  m_transport->setTheme(theme);
  for (LaunchView *view : m_views)
    view->setTheme(theme);
}

void ViewArea::setReducedMotion(bool reduced) {
  m_transport->setReducedMotion(reduced);
  for (LaunchView *view : m_views)
    view->setReducedMotion(reduced);
}

void ViewArea::retranslate() {
  m_transport->retranslate();
  for (LaunchView *view : m_views) {
    m_tabs->setTabText(m_tabs->indexOf(view), text("view." + view->id()));
    view->retranslate();
  }
}

} // namespace tilescope::viz
