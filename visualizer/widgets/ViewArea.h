// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The views of a launch behind tabs, over the one transport bar that plays whichever is in front.
#pragma once

#include "visualizer/widgets/LaunchView.h"

#include <vector>

class QTabBar;
class QTabWidget;

namespace tilescope::viz {

class ViewArea final : public QWidget {
  Q_OBJECT
public:
  explicit ViewArea(QWidget *parent = nullptr);

  /// Takes the view over, as the last tab.
  void add(LaunchView *view);
  const std::vector<LaunchView *> &views() const { return m_views; }
  /// Null before the first was added.
  LaunchView *current() const;
  /// Brings the view of that id to the front; nothing where there is none.
  void showView(const QString &id);
  QTabBar *tabBar() const;

  // What all views are told.
  void setLaunch(const protocol::LaunchSummary &launch);
  void clear();
  void setStale(bool stale);
  void setTheme(const Theme &theme);
  void setReducedMotion(bool reduced);
  void retranslate();

Q_SIGNALS:
  void currentChanged();
  void lineActivated(const QString &path, int line); ///< from 1, by any of the views

private:
  void play();

  QTabWidget *m_tabs;
  Transport *m_transport;
  std::vector<LaunchView *> m_views;
};

} // namespace tilescope::viz
