// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds the view "Coalescing": the lanes of the chosen access page by page, then the count of the whole launch, which
// goes on in slices; when all is counted the pages once more, because by then it is known which bytes nobody uses.
// A view behind another is fed when it comes to the front.
#pragma once

#include "app/panels/ViewFeed.h"
#include "visualizer/widgets/CoalescingViewWidget.h"

#include <QElapsedTimer>

namespace tilescope::app {

class CoalescingFeed final : public ViewFeed {
  Q_OBJECT
public:
  CoalescingFeed(viz::CoalescingViewWidget &view, viz::Selection &selection, RunController &runs, QObject *parent);

  void feed(const protocol::LaunchSummary &launch, const QString &gpu) override;

private:
  void begin();
  void askPage(int64_t first);
  void takePage(const protocol::AccessDetail &page, int64_t first);
  void askCount();
  void takeCount(const protocol::AccessCount &count);
  bool isSeen() const;
  ServiceProcess::Failure failure();

  viz::CoalescingViewWidget &m_coalescing;
  QString m_gpu;
  int m_turn = 0;       ///< another with each thing that is asked for
  bool m_waits = false; ///< until the view is seen
  bool m_again = false; ///< pages come the second time
  int64_t m_countedAtPages = 0;
  QElapsedTimer m_counting;
};

} // namespace tilescope::app
