// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/RequestTable.h"

#include "visualizer/render/Text.h"

#include <QAbstractTableModel>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <array>

namespace tilescope::viz {

namespace {

struct Column {
  const char *key;
  int64_t (*value)(const WarpRequest &request, int64_t order);
};

const std::array<Column, 9> &columns() {
  static const std::array<Column, 9> all{
      Column{"coalescing.table.request", [](const WarpRequest &, int64_t order) { return order + 1; }},
      Column{"coalescing.table.warp", [](const WarpRequest &r, int64_t) { return int64_t{r.warp}; }},
      Column{"coalescing.table.instruction", [](const WarpRequest &r, int64_t) { return int64_t{r.instruction}; }},
      Column{"coalescing.table.lanes", [](const WarpRequest &r, int64_t) { return int64_t{r.lanesOn()}; }},
      Column{"coalescing.table.used", [](const WarpRequest &r, int64_t) { return r.bytesUsed; }},
      Column{"coalescing.table.sectors",
             [](const WarpRequest &r, int64_t) { return static_cast<int64_t>(r.sectors.size()); }},
      Column{"coalescing.table.ideal", [](const WarpRequest &r, int64_t) { return r.ideal(); }},
      Column{"coalescing.table.neighbours", [](const WarpRequest &r, int64_t) { return r.bytesOfNeighbours(); }},
      Column{"coalescing.table.nobody", [](const WarpRequest &r, int64_t) { return r.bytesOfNobody(); }}};
  return all;
}

} // namespace

class RequestTable::Model final : public QAbstractTableModel {
public:
  using QAbstractTableModel::QAbstractTableModel;

  void setScene(const CoalescingScene *scene) {
    beginResetModel();
    m_scene = scene;
    endResetModel();
  }
  int rowCount(const QModelIndex &parent = {}) const override {
    return m_scene && !parent.isValid() ? static_cast<int>(m_scene->clock().requests()) : 0;
  }
  int columnCount(const QModelIndex &parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(columns().size());
  }
  /// Nothing while the request's page is not here.
  std::optional<int64_t> value(int row, int column) const {
    const WarpRequest &request = m_scene->request(row);
    return request.known || column < 4 ? std::optional(columns()[static_cast<size_t>(column)].value(request, row))
                                       : std::nullopt;
  }
  QVariant data(const QModelIndex &index, int role) const override {
    if (role == Qt::TextAlignmentRole)
      return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
      return {};
    std::optional<int64_t> number = value(index.row(), index.column());
    return number ? grouped(*number) : QString();
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
      return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole)
      return text(columns()[static_cast<size_t>(section)].key);
    return {};
  }

private:
  const CoalescingScene *m_scene = nullptr;
};

RequestTable::RequestTable(QWidget *parent) : QTableView(parent), m_model(new Model(this)) {
  setModel(m_model);
  setSelectionBehavior(SelectRows);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setFrameShape(NoFrame);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(24);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  horizontalHeader()->setHighlightSections(false);
}

void RequestTable::setScene(const CoalescingScene *scene) {
  setAccessibleName(text("coalescing.table"));
  m_model->setScene(scene);
}

void RequestTable::setRequest(int64_t order) {
  if (order >= m_model->rowCount() || currentIndex().row() == order)
    return;
  m_quiet = true;
  setCurrentIndex(m_model->index(static_cast<int>(order), 0));
  m_quiet = false;
}

void RequestTable::currentChanged(const QModelIndex &current, const QModelIndex &previous) {
  QTableView::currentChanged(current, previous);
  if (current.isValid() && !m_quiet)
    Q_EMIT requestChosen(current.row());
}

QString RequestTable::csv() const {
  QStringList lines;
  auto line = [&](auto cell) {
    QStringList cells;
    for (int column = 0; column < m_model->columnCount(); ++column)
      cells += cell(column);
    lines += cells.join(',');
  };
  line([&](int column) {
    return '"' + m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().replace('"', "\"\"") + '"';
  });
  QModelIndexList chosen = selectionModel()->selectedRows();
  bool some = chosen.size() > 1;
  for (int row = 0; row < m_model->rowCount(); ++row)
    if (!some || selectionModel()->isRowSelected(row))
      line([&](int column) {
        std::optional<int64_t> number = m_model->value(row, column);
        return number ? QString::number(*number) : QString();
      });
  return lines.join('\n') + '\n';
}

void RequestTable::keyPressEvent(QKeyEvent *event) {
  if (event->matches(QKeySequence::Copy))
    return QGuiApplication::clipboard()->setText(csv());
  QTableView::keyPressEvent(event);
}

} // namespace tilescope::viz
