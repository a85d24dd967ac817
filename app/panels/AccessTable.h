// SPDX-License-Identifier: GPL-3.0-or-later
//
// The loads, stores and atomics of the chosen launch as a table of figures, counted by the interpreter.
#pragma once

#include "app/core/RunModel.h"
#include "visualizer/widgets/Selection.h"

#include <QTableWidget>

namespace tilescope::app {

class AccessTable final : public QTableWidget {
  Q_OBJECT
public:
  AccessTable(RunModel &model, viz::Selection &selection, QWidget *parent = nullptr);
  void retranslate();

signals:
  void lineActivated(const QString &path, int line);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  void showLaunch();
  void fitColumns();
  void choose(int row);
  void addRow(int row, const protocol::AccessSummary &access);

  RunModel &m_model;
  viz::Selection &m_selection;
};

} // namespace tilescope::app
