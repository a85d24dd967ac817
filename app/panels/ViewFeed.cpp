// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/ViewFeed.h"

#include "app/panels/CoalescingFeed.h"
#include "app/panels/SmFeed.h"
#include "app/panels/StagesFeed.h"
#include "visualizer/render/Text.h"
#include "visualizer/widgets/EmptyView.h"

namespace tilescope::app {
namespace {

/// Of a view that is still to come: its place says so, and a picture of it is refused.
class NoFeed final : public ViewFeed {
public:
  using ViewFeed::ViewFeed;
  void feed(const protocol::LaunchSummary &, const QString &) override {
    emit failed(viz::text("view." + m_view.id() + ".empty"));
  }
};

} // namespace

const QStringList &viewIds() {
  static const QStringList ids{"sm", "coalescing", "sram", "stages"};
  return ids;
}

ViewFeed *makeFeed(const QString &id, viz::Selection &selection, RunController &runs, QObject *parent) {
  if (id == "sm")
    return new SmFeed(*new viz::SmViewWidget(selection), selection, runs, parent);
  if (id == "coalescing")
    return new CoalescingFeed(*new viz::CoalescingViewWidget(selection), selection, runs, parent);
  if (id == "stages")
    return new StagesFeed(*new StagesView, selection, runs, parent);
  return new NoFeed(*new viz::EmptyView(id), selection, runs, parent);
}

} // namespace tilescope::app
