// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds the view "Tiles on SMs": the schedule, then the tiles page by page, and the program under the pointer.
#pragma once

#include "app/panels/ViewFeed.h"
#include "visualizer/widgets/SmViewWidget.h"

namespace tilescope::app {

class SmFeed final : public ViewFeed {
  Q_OBJECT
public:
  SmFeed(viz::SmViewWidget &view, viz::Selection &selection, RunController &runs, QObject *parent);

  void feed(const protocol::LaunchSummary &launch, const QString &gpu) override;

private:
  void askTiles(int output, qint64 first, qint64 count);
  void askSchedule(const protocol::ScheduleRequest &request);
  void reportComplete();

  viz::SmViewWidget &m_sm;
  bool m_scheduled = false;
  int m_pages = 0; ///< asked for and not yet here
};

} // namespace tilescope::app
