// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cross on a tab: quiet until the pointer is over it.
#pragma once

#include <QAbstractButton>

namespace tilescope::app {

class CloseButton final : public QAbstractButton {
  Q_OBJECT
public:
  explicit CloseButton(QWidget *parent = nullptr);
  QSize sizeHint() const override { return {20, 20}; }

protected:
  void paintEvent(QPaintEvent *event) override;
};

} // namespace tilescope::app
