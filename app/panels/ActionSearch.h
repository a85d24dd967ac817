// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Search actions": a field in the tool bar; what matches drops down below it, Return does it.
#pragma once

#include "app/core/Actions.h"

#include <QLineEdit>
#include <QListWidget>

namespace tilescope::app {

class ActionSearch final : public QLineEdit {
  Q_OBJECT
public:
  explicit ActionSearch(const Actions &actions, QWidget *parent = nullptr);
  void retranslate();
  void start();

signals:
  /// An action was chosen, or none: the keyboard goes back to where it was.
  void left();

protected:
  void keyPressEvent(QKeyEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void showMatches();
  void carryOut(QListWidgetItem *item);

  const Actions &m_actions;
  QFrame *m_popup;
  QListWidget *m_list;
};

} // namespace tilescope::app
