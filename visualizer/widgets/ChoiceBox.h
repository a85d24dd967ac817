// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A combo box with the arrow of all other buttons that drop something down; words without room end in dots.
#pragma once

#include <QComboBox>

namespace tilescope::viz {

class ChoiceBox final : public QComboBox {
  Q_OBJECT
public:
  using QComboBox::QComboBox;

protected:
  void paintEvent(QPaintEvent *event) override;
};

} // namespace tilescope::viz
