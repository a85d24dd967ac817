// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/PairDelegate.h"

#include <QPainter>

namespace tilescope::app {
namespace {

constexpr int SideMargin = 10;
constexpr int NameGap = 24;

} // namespace

QSize PairDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
  int name = QFontMetrics(m_nameFont).horizontalAdvance(index.data().toString());
  int aside = option.fontMetrics.horizontalAdvance(index.data(AsideRole).toString());
  return {2 * SideMargin + name + (aside ? NameGap + aside : 0), RowHeight};
}

void PairDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const {
  painter->save();
  if (option.state & QStyle::State_Selected) {
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(option.palette.color(QPalette::Highlight));
    painter->drawRoundedRect(option.rect, 4, 4);
  }
  QRect box = option.rect.adjusted(SideMargin, 0, -SideMargin, 0);
  QString name = index.data().toString();
  QFontMetrics metrics(m_nameFont);
  painter->setFont(m_nameFont);
  painter->setPen(option.palette.color(QPalette::Text));
  painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                    metrics.elidedText(name, Qt::ElideRight, box.width()));
  box.adjust(metrics.horizontalAdvance(name) + NameGap, 0, 0, 0);
  if (box.width() > NameGap) {
    painter->setFont(option.font);
    painter->setPen(option.palette.color(QPalette::Disabled, QPalette::Text));
    painter->drawText(
        box, Qt::AlignRight | Qt::AlignVCenter,
        option.fontMetrics.elidedText(index.data(AsideRole).toString(), Qt::ElideRight, box.width()));
  }
  painter->restore();
}

} // namespace tilescope::app
