// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The requests of the view "Coalescing" as a table of figures: for who reads numbers rather than pictures, with a
// screen reader too. Ctrl+C copies the chosen rows, or all, as comma-separated values with their headings.
#pragma once

#include "visualizer/model/CoalescingScene.h"

#include <QTableView>

namespace tilescope::viz {

class RequestTable final : public QTableView {
  Q_OBJECT
public:
  explicit RequestTable(QWidget *parent = nullptr);

  /// What is shown lives elsewhere; null for none. To be called again when it or the language has changed.
  void setScene(const CoalescingScene *scene);
  /// The request that goes on.
  void setRequest(int64_t order);
  /// Numbers without grouping, as other programs read them.
  QString csv() const;

Q_SIGNALS:
  void requestChosen(qint64 order); ///< clicked, or by the keyboard

protected:
  void keyPressEvent(QKeyEvent *event) override;
  void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
  class Model;
  Model *m_model;
  bool m_quiet = false; ///< the row is set from outside
};

} // namespace tilescope::viz
