// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of a drop-down list: a name at the left, something quiet at the right (keys, a type), elided where it
// does not fit.
#pragma once

#include <QStyledItemDelegate>

namespace tilescope::app {

class PairDelegate final : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  /// Of an item: what stands at the right.
  static constexpr int AsideRole = Qt::UserRole + 1;
  static constexpr int RowHeight = 26;

  void setNameFont(const QFont &font) { m_nameFont = font; }
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
  QFont m_nameFont;
};

} // namespace tilescope::app
