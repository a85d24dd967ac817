// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/AccessTable.h"

#include "visualizer/render/Text.h"

#include <QHeaderView>

namespace tilescope::app {

using viz::grouped;
using viz::text;

AccessTable::AccessTable(RunModel &model, viz::Selection &selection, QWidget *parent)
    : QTableWidget(parent), m_model(model), m_selection(selection) {
  setObjectName("accessTable");
  setColumnCount(7);
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(28);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  connect(this, &QTableWidget::cellClicked, this, [this](int row) {
    const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
    m_selection.setOperation(row);
    emit lineActivated(QString::fromStdString(launch->kernelPath),
                       launch->accesses[static_cast<size_t>(row)].line);
  });
  connect(&model, &RunModel::reset, this, &AccessTable::showLaunch);
  connect(&selection, &viz::Selection::launchChanged, this, &AccessTable::showLaunch);
  connect(&selection, &viz::Selection::operationChanged, this,
          [this](int row) { row < 0 ? clearSelection() : selectRow(row); });
  retranslate();
}

void AccessTable::retranslate() {
  setHorizontalHeaderLabels({text("access.line"), text("access.access"), text("access.tile"),
                             text("access.on"), text("access.masked"), text("access.outside"),
                             text("access.bytes")});
  for (int column = 0; column < columnCount(); ++column)
    horizontalHeaderItem(column)->setTextAlignment((column == 1 ? Qt::AlignLeft : Qt::AlignRight) |
                                                   Qt::AlignVCenter);
  setAccessibleName(text("panel.accesses"));
  showLaunch();
}

void AccessTable::showLaunch() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  setRowCount(launch ? static_cast<int>(launch->accesses.size()) : 0);
  for (int row = 0; row < rowCount(); ++row)
    addRow(row, launch->accesses[static_cast<size_t>(row)]);
}

void AccessTable::addRow(int row, const protocol::AccessSummary &access) {
  QString what = text(QString("access.%1").arg(QString::fromStdString(access.op))) + " " +
                 QString::fromStdString(access.tensor);
  QString tile = access.shape.empty() ? text("access.scalar") : shapeText(access.shape);
  QStringList cells{grouped(access.line),
                    what,
                    tile,
                    grouped(static_cast<qint64>(access.elements.active)),
                    grouped(static_cast<qint64>(access.elements.masked)),
                    grouped(static_cast<qint64>(access.elements.outOfBounds)),
                    viz::byteSize(static_cast<qint64>(access.bytes))};
  for (int column = 0; column < cells.size(); ++column) {
    auto *item = new QTableWidgetItem(cells[column]);
    item->setTextAlignment((column == 1 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    setItem(row, column, item);
  }
}

} // namespace tilescope::app
