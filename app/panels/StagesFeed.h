// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds the view "Stages": what stages there are, then the text of the chosen one page by page. Nothing is compiled
// while the view is behind another.
#pragma once

#include "app/panels/StagesView.h"
#include "app/panels/ViewFeed.h"

namespace tilescope::app {

class StagesFeed final : public ViewFeed {
  Q_OBJECT
public:
  StagesFeed(StagesView &view, viz::Selection &selection, RunController &runs, QObject *parent);

  void feed(const protocol::LaunchSummary &launch, const QString &gpu) override;

private:
  void begin();
  void askText(int stage, qint64 first);
  ServiceProcess::Failure failure();

  StagesView &m_stages;
  QString m_gpu;
  int m_turn = 0;       ///< another with each thing that is asked for
  bool m_waits = false; ///< until the view is seen
};

} // namespace tilescope::app
