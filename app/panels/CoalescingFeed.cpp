// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/CoalescingFeed.h"

#include "app/core/Words.h"

namespace tilescope::app {

using viz::CoalescingViewWidget;

namespace {

constexpr int64_t RequestsAtOnce = 256; ///< of AccessDetailRequest::count
/// A picture without a window does not wait longer for the count of a large grid, and says how far it got.
constexpr int PictureCountMs = 10000;

} // namespace

CoalescingFeed::CoalescingFeed(CoalescingViewWidget &view, viz::Selection &selection, RunController &runs,
                               QObject *parent)
    : ViewFeed(view, selection, runs, parent), m_coalescing(view) {
  connect(&view, &CoalescingViewWidget::wanted, this, &CoalescingFeed::begin);
  connect(&view, &CoalescingViewWidget::shown, this, [this] {
    if (m_waits)
      begin();
  });
}

void CoalescingFeed::feed(const protocol::LaunchSummary &, const QString &gpu) {
  m_gpu = gpu;
  begin();
}

/// One without a parent is painted into a file.
bool CoalescingFeed::isSeen() const { return m_view.isVisible() || !m_view.parentWidget(); }

void CoalescingFeed::begin() {
  ++m_turn;
  m_again = false;
  m_waits = !isSeen() || m_gpu.isEmpty();
  if (m_waits)
    return;
  if (m_coalescing.asked().access < 0)
    emit complete();
  else
    askPage(0);
}

void CoalescingFeed::askPage(int64_t first) {
  CoalescingViewWidget::Asked asked = m_coalescing.asked();
  protocol::AccessDetailRequest request;
  request.launch = m_selection.launch();
  request.program = asked.program;
  request.access = asked.access;
  request.execution = asked.execution;
  request.first = first;
  request.count = RequestsAtOnce;
  request.gpu = m_gpu.toStdString();
  int turn = m_turn;
  m_runs.ask<protocol::AccessDetail>(
      "tilescope/access", request,
      [this, turn, first](const protocol::AccessDetail &page) {
        if (turn == m_turn)
          takePage(page, first);
      },
      failure(), "access");
}

void CoalescingFeed::takePage(const protocol::AccessDetail &page, int64_t first) {
  if (first == 0 && !m_again)
    m_coalescing.setAccess(page, m_gpu), m_countedAtPages = page.count.counted;
  else
    m_coalescing.addPage(page);
  int64_t next = first + RequestsAtOnce;
  if (next < m_coalescing.scene().allRequests())
    return askPage(next);
  if (m_again)
    return emit complete();
  m_counting.start();
  takeCount(page.count);
}

void CoalescingFeed::askCount() {
  protocol::AccessCountRequest request;
  request.launch = m_selection.launch();
  request.access = m_coalescing.asked().access;
  request.gpu = m_gpu.toStdString();
  int turn = m_turn;
  m_runs.ask<protocol::AccessCount>(
      "tilescope/access/count", request,
      [this, turn](const protocol::AccessCount &count) {
        if (turn == m_turn)
          takeCount(count);
      },
      failure(), "access-count");
}

void CoalescingFeed::takeCount(const protocol::AccessCount &count) {
  m_coalescing.setCount(count);
  bool late = !m_view.parentWidget() && m_counting.elapsed() > PictureCountMs;
  if (count.counted < count.programs && !late) {
    m_waits = !isSeen();
    return m_waits ? void() : askCount();
  }
  m_again = true;
  if (count.counted > m_countedAtPages)
    askPage(0);
  else
    emit complete();
}

ServiceProcess::Failure CoalescingFeed::failure() {
  return [this, turn = m_turn](const protocol::ErrorData &error) {
    if (turn != m_turn || error.id == "replaced")
      return;
    m_coalescing.setProblem(errorText(error));
    emit failed(errorText(error));
  };
}

} // namespace tilescope::app
