// SPDX-License-Identifier: GPL-3.0-or-later
//
// A list of rows as the side panels show them: a name, a figure at the right, quiet lines below, a bar. Rows
// are data; one delegate paints them all.
#pragma once

#include "visualizer/render/Theme.h"

#include <QListView>
#include <QStandardItemModel>

#include <limits>

namespace tilescope::app {

struct PanelRow {
  QString title;
  QString beside; ///< quiet, right after the title
  QString right;
  QStringList below; ///< quiet lines
  double share = -1; ///< of a bar, 0 to 1; none if negative
  bool code = false; ///< the title is a name from the script
  bool strong = false;
};

class RowList final : public QListView {
  Q_OBJECT
public:
  explicit RowList(QWidget *parent = nullptr);

  void setTheme(const viz::Theme &theme);
  void setRows(const QList<PanelRow> &rows);
  void addRow(const PanelRow &row);
  void setCurrentRow(int row);
  /// Longer lists scroll; without it all rows are shown.
  void setMostRows(int rows) { m_mostRows = rows; }
  int rows() const { return m_model.rowCount(); }
  QSize sizeHint() const override;
  /// The panel around it scrolls, not the list.
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

signals:
  /// By pointer or keyboard, the one that is current already too.
  void rowChosen(int row);

private:
  class Delegate;
  Delegate *m_delegate;
  QStandardItemModel m_model;
  bool m_quiet = false;
  int m_mostRows = std::numeric_limits<int>::max();
};

} // namespace tilescope::app

Q_DECLARE_METATYPE(tilescope::app::PanelRow)
