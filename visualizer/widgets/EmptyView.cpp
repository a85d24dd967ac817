// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/EmptyView.h"

#include "visualizer/render/Canvas.h"
#include "visualizer/render/Text.h"

#include <QPainter>
#include <algorithm>

namespace tilescope::viz {

void EmptyView::setTheme(const Theme &theme) {
  m_theme = theme;
  update();
}

void EmptyView::paint(QPainter &painter, const QRectF &box, double, const Theme &theme) const {
  paintNothing(painter, box, theme, text("view." + m_id + ".empty"), text("view." + m_id + ".hint"));
}

void EmptyView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  paint(painter, rect(), 0, m_theme);
}

void paintNothing(QPainter &painter, const QRectF &box, const Theme &theme, const QString &title,
                  const QString &hint) {
  Typesetter type(theme);
  Canvas canvas(painter, type);
  canvas.fill(box, theme.ground);
  double width = std::min(420.0, box.width() - 48), left = box.left() + (box.width() - width) / 2,
         top = box.top() + box.height() * 0.4;
  top += canvas.paragraph({left, top}, width, title, {Type::Narration, Weight::Semibold, theme.ink}, {},
                          Align::Center);
  if (!hint.isEmpty())
    canvas.paragraph({left, top + 8}, width, hint, {Type::Small, Weight::Regular, theme.text2}, {},
                     Align::Center);
}

} // namespace tilescope::viz
