// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps one view fed: asks the run process for what the view lacks of the chosen launch. The window has a feed for each
// of its views, and a picture without a window has one: what is painted then is what the window shows. One class a
// view, made by makeFeed.
#pragma once

#include "app/core/RunController.h"
#include "visualizer/widgets/LaunchView.h"
#include "visualizer/widgets/Selection.h"

namespace tilescope::app {

class ViewFeed : public QObject {
  Q_OBJECT
public:
  ViewFeed(viz::LaunchView &view, viz::Selection &selection, RunController &runs, QObject *parent)
      : QObject(parent), m_view(view), m_selection(selection), m_runs(runs) {}

  viz::LaunchView &view() const { return m_view; }
  /// The view shows the selection's launch, but lacks the rest, or what it has is of another GPU.
  virtual void feed(const protocol::LaunchSummary &launch, const QString &gpu) = 0;

signals:
  /// The view has all that its picture shows.
  void complete();
  /// It never will, and why: a sentence.
  void failed(const QString &reason);
  void programHovered(qint64 program); ///< -1 for none

protected:
  viz::LaunchView &m_view;
  viz::Selection &m_selection;
  RunController &m_runs;
};

/// What views are called, in the order of their tabs.
const QStringList &viewIds();
/// Makes a view and its feed; `id` is one of viewIds(). The feed belongs to `parent`, the view to nobody yet.
ViewFeed *makeFeed(const QString &id, viz::Selection &selection, RunController &runs, QObject *parent);

} // namespace tilescope::app
