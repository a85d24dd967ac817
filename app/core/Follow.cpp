// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Follow.h"

#include "app/editor/EditorArea.h"

namespace tilescope::app {
namespace {

double shareOn(const protocol::ElementCounts &elements) {
  auto all = static_cast<double>(elements.active + elements.masked + elements.outOfBounds);
  return all > 0 ? static_cast<double>(elements.active) / all : 1;
}

bool holdsKernel(const EditorPage &page, const protocol::LaunchSummary *launch) {
  return launch && page.runPath() == QString::fromStdString(launch->kernelPath);
}

} // namespace

Follow::Follow(EditorArea &editors, RunModel &model, viz::Selection &selection, QObject *parent)
    : QObject(parent), m_editors(editors), m_model(model), m_selection(selection) {
  connect(&selection, &viz::Selection::launchChanged, this, &Follow::showLaunch);
  connect(&selection, &viz::Selection::programChanged, this, &Follow::showKernel);
  connect(&editors, &EditorArea::pageOpened, this, [this](EditorPage *page) {
    connect(&page->editor(), &QsciScintilla::cursorPositionChanged, this,
            [this, page](int line, int) { cursorMoved(*page, line); });
    showLaunch();
  });
}

void Follow::showLaunch() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  for (EditorPage *page : m_editors.pages()) {
    QHash<int, double> shares;
    if (holdsKernel(*page, launch))
      for (const protocol::AccessSummary &access : launch->accesses)
        shares[access.line - 1] = shareOn(access.elements);
    page->editor().setAccessLines(shares);
  }
  showKernel();
}

void Follow::showKernel() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  bool followed = m_hovered >= 0 || m_selection.program() >= 0;
  for (EditorPage *page : m_editors.pages()) {
    if (followed && holdsKernel(*page, launch))
      page->editor().setFollowedLines(launch->kernelLine - 1, launch->kernelEndLine - 1);
    else
      page->editor().setFollowedLines(-1, -1);
  }
}

void Follow::setHoveredProgram(qint64 program) {
  m_hovered = program;
  showKernel();
}

void Follow::cursorMoved(EditorPage &page, int line) {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  if (!holdsKernel(page, launch))
    return;
  for (size_t i = 0; i < launch->accesses.size(); ++i)
    if (launch->accesses[i].line == line + 1)
      return m_selection.setOperation(static_cast<int>(i));
}

} // namespace tilescope::app
