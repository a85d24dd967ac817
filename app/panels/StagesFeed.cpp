// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/StagesFeed.h"

#include "app/core/Words.h"

namespace tilescope::app {

namespace {

constexpr int64_t LinesAtOnce = 2000; ///< of CodeTextRequest::count

} // namespace

StagesFeed::StagesFeed(StagesView &view, viz::Selection &selection, RunController &runs, QObject *parent)
    : ViewFeed(view, selection, runs, parent), m_stages(view) {
  connect(&view, &StagesView::textNeeded, this, &StagesFeed::askText);
  connect(&view, &StagesView::shown, this, [this] {
    if (m_waits)
      begin();
  });
}

void StagesFeed::feed(const protocol::LaunchSummary &, const QString &gpu) {
  m_gpu = gpu;
  begin();
}

void StagesFeed::begin() {
  ++m_turn;
  // A view without a parent is painted into a file.
  m_waits = m_gpu.isEmpty() || !(m_view.isVisible() || !m_view.parentWidget());
  if (m_waits || m_selection.launch() < 0)
    return;
  protocol::CodeRequest request;
  request.launch = m_selection.launch();
  request.gpu = m_gpu.toStdString();
  m_runs.ask<protocol::CodeInfo>(
      "tilescope/code", request,
      [this, turn = m_turn](const protocol::CodeInfo &info) {
        if (turn == m_turn)
          m_stages.setCode(info);
      },
      failure(), "code");
}

void StagesFeed::askText(int stage, qint64 first) {
  protocol::CodeTextRequest request;
  request.launch = m_selection.launch();
  request.gpu = m_gpu.toStdString();
  request.stage = stage;
  request.first = first;
  request.count = LinesAtOnce;
  m_runs.ask<protocol::CodeText>(
      "tilescope/code/text", request,
      [this, turn = m_turn](const protocol::CodeText &page) {
        if (turn != m_turn)
          return;
        m_stages.addText(page);
        if (page.lines.size() < static_cast<size_t>(LinesAtOnce))
          emit complete();
      },
      failure(), "code-text");
}

ServiceProcess::Failure StagesFeed::failure() {
  return [this, turn = m_turn](const protocol::ErrorData &error) {
    if (turn != m_turn || error.id == "replaced")
      return;
    m_stages.setProblem(errorText(error));
    emit failed(errorText(error));
  };
}

} // namespace tilescope::app
