// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/AccessTable.h"

#include "visualizer/render/Text.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace tilescope::app {

using viz::grouped;
using viz::text;

namespace {

constexpr int RowHeight = 28;
constexpr int FirstFigure = 2; ///< columns from here on are numbers
constexpr int TileColumn = 2;

Qt::Alignment alignmentOf(int column) {
  return (column < FirstFigure ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

/// The chosen row is one plate with round corners, not a row of cells; its access is strong.
class RowDelegate final : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    QStyleOptionViewItem cell = option;
    cell.state &= ~(QStyle::State_Selected | QStyle::State_HasFocus);
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
      painter->save();
      painter->setClipRect(option.rect);
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(Qt::NoPen);
      painter->setBrush(option.palette.color(QPalette::Highlight));
      painter->setOpacity(option.state & QStyle::State_Selected ? 1 : 0.5);
      QRect row(0, option.rect.top(), option.widget->width(), option.rect.height());
      painter->drawRoundedRect(row, 4, 4);
      painter->restore();
    }
    if (option.state & QStyle::State_Selected && index.column() == 1)
      cell.font.setWeight(QFont::DemiBold);
    QStyledItemDelegate::paint(painter, cell, index);
  }
};

} // namespace

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
  verticalHeader()->setDefaultSectionSize(RowHeight);
  horizontalHeader()->setHighlightSections(false);
  setItemDelegate(new RowDelegate(this));
  setMouseTracking(true);
  connect(this, &QTableWidget::cellClicked, this, &AccessTable::choose);
  connect(this, &QTableWidget::cellActivated, this, &AccessTable::choose);
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
    horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
  setAccessibleName(text("panel.accesses"));
  showLaunch();
}

void AccessTable::showLaunch() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  setRowCount(launch ? static_cast<int>(launch->accesses.size()) : 0);
  for (int row = 0; row < rowCount(); ++row)
    addRow(row, launch->accesses[static_cast<size_t>(row)]);
  horizontalHeader()->setVisible(rowCount() > 0);
  fitColumns();
}

/// Columns of figures share the width. Where it is not enough the tile goes, which the launch says too; where
/// it still is not, each takes what it needs and the table scrolls.
void AccessTable::fitColumns() {
  QHeaderView *header = horizontalHeader();
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  setColumnHidden(TileColumn, false);
  if (header->length() > viewport()->width())
    setColumnHidden(TileColumn, true);
  if (header->length() > viewport()->width())
    return;
  int before = 0, widest = 0, figures = 0;
  for (int column = 0; column < columnCount(); ++column) {
    if (column < FirstFigure)
      before += header->sectionSize(column);
    else if (!isColumnHidden(column))
      widest = std::max(widest, header->sectionSize(column)), ++figures;
  }
  if (before + widest * figures > viewport()->width()) // no room for figures of one width
    return header->setSectionResizeMode(FirstFigure - 1, QHeaderView::Stretch);
  for (int column = FirstFigure; column < columnCount(); ++column)
    header->setSectionResizeMode(column, QHeaderView::Stretch);
}

void AccessTable::choose(int row) {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  m_selection.setOperation(row);
  emit lineActivated(QString::fromStdString(launch->kernelPath),
                     launch->accesses[static_cast<size_t>(row)].line);
}

void AccessTable::resizeEvent(QResizeEvent *event) {
  QTableWidget::resizeEvent(event);
  fitColumns();
}

void AccessTable::paintEvent(QPaintEvent *event) {
  QTableWidget::paintEvent(event);
  if (rowCount() > 0)
    return;
  QPainter painter(viewport());
  painter.setPen(palette().color(QPalette::Disabled, QPalette::Text));
  painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text("access.none"));
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
    item->setTextAlignment(alignmentOf(column));
    setItem(row, column, item);
  }
}

} // namespace tilescope::app
