// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/ChoiceBox.h"

#include "visualizer/widgets/Icons.h"

#include <QStylePainter>

namespace tilescope::viz {

/// The style sheet leaves the place of the arrow empty.
void ChoiceBox::paintEvent(QPaintEvent *) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
  option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  painter.setRenderHint(QPainter::Antialiasing);
  paintIcon(painter, Icon::Chevron, QPointF(width() - 14, height() / 2.0), palette().color(QPalette::Text));
}

} // namespace tilescope::viz
