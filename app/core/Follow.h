// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the editors to the one selection: marks the accesses of the chosen launch in the text, makes the
// access under the cursor the chosen one, and marks the kernel of the program under the pointer.
#pragma once

#include "app/core/RunModel.h"
#include "visualizer/widgets/Selection.h"

namespace tilescope::app {

class EditorArea;
class EditorPage;

class Follow final : public QObject {
  Q_OBJECT
public:
  Follow(EditorArea &editors, RunModel &model, viz::Selection &selection, QObject *parent = nullptr);

  /// The program under the pointer in a view; -1 for none.
  void setHoveredProgram(qint64 program);

private:
  void showLaunch();
  void showKernel();
  void cursorMoved(EditorPage &page, int line);

  EditorArea &m_editors;
  RunModel &m_model;
  viz::Selection &m_selection;
  qint64 m_hovered = -1;
};

} // namespace tilescope::app
