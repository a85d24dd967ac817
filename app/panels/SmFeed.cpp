// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/SmFeed.h"

#include "app/core/Words.h"

namespace tilescope::app {

using viz::SmViewWidget;

SmFeed::SmFeed(SmViewWidget &view, viz::Selection &selection, RunController &runs, QObject *parent)
    : ViewFeed(view, selection, runs, parent), m_sm(view) {
  connect(&view, &SmViewWidget::tilesNeeded, this, &SmFeed::askTiles);
  connect(&view, &SmViewWidget::programDetailNeeded, this, [this](qint64 program) {
    m_runs.askProgram(m_selection.launch(), program,
                      [this](const protocol::ProgramDetail &detail) { m_sm.setProgramDetail(detail); });
  });
  connect(&view, &SmViewWidget::programHovered, this, &SmFeed::programHovered);
}

void SmFeed::askTiles(int output, qint64 first, qint64 count) {
  int launch = m_selection.launch();
  ++m_pages;
  m_runs.askTiles(launch, output, first, count, [this, launch, output](const protocol::TilePage &page) {
    --m_pages;
    if (launch != m_selection.launch())
      return;
    m_sm.addTiles(output, page); // which may ask for more
    reportComplete();
  });
}

void SmFeed::feed(const protocol::LaunchSummary &launch, const QString &gpu) {
  m_scheduled = false;
  protocol::ScheduleRequest request;
  request.gpu = gpu.toStdString();
  request.programs = static_cast<int64_t>(launch.programs);
  request.numWarps = launch.numWarps;
  askSchedule(request);
}

void SmFeed::askSchedule(const protocol::ScheduleRequest &request) {
  int launch = m_selection.launch();
  auto show = [this, launch](const protocol::Schedule &schedule) {
    if (launch != m_selection.launch())
      return;
    m_sm.setSchedule(schedule);
    m_scheduled = true;
    reportComplete();
  };
  m_runs.askSchedule(request, show, [this](const protocol::ErrorData &error) { emit failed(errorText(error)); });
}

void SmFeed::reportComplete() {
  if (m_scheduled && m_pages == 0)
    emit complete();
}

} // namespace tilescope::app
