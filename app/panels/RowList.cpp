// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/RowList.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStyledItemDelegate>

namespace tilescope::app {
namespace {

constexpr int Margin = 8;
constexpr int LineGap = 3;
constexpr int ShareBarHeight = 5;

PanelRow rowOf(const QModelIndex &index) { return index.data(Qt::UserRole).value<PanelRow>(); }

} // namespace

class RowList::Delegate final : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  viz::Theme theme = viz::Theme::light();

  QFont titleFont(const PanelRow &row) const {
    QFont font = row.code ? theme.codeFont() : theme.font(viz::Type::Small);
    font.setWeight(row.strong ? QFont::DemiBold : QFont::Normal);
    return font;
  }
  QFont quietFont() const { return theme.font(viz::Type::Label); }

  QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override {
    PanelRow row = rowOf(index);
    int height = 2 * Margin + QFontMetrics(titleFont(row)).height();
    height += static_cast<int>(row.below.size()) * (QFontMetrics(quietFont()).height() + LineGap);
    height += row.share >= 0 ? ShareBarHeight + 5 : 0;
    return {100, height - (row.below.isEmpty() && row.share < 0 ? 6 : 2)};
  }

  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    PanelRow row = rowOf(index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintGround(painter, option);
    QRect box = option.rect.adjusted(Margin, Margin - 2, -Margin, -Margin + 2);
    QFontMetrics metrics(titleFont(row));
    QRect line(box.left(), box.top(), box.width(), metrics.height());
    paintTitle(painter, line, row);
    int y = line.bottom() + 1 + LineGap;
    painter->setFont(quietFont());
    painter->setPen(theme.text2);
    QFontMetrics quiet(quietFont());
    for (const QString &text : row.below) {
      QRect place(box.left(), y, box.width(), quiet.height());
      painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                        quiet.elidedText(text, Qt::ElideRight, box.width()));
      y += quiet.height() + LineGap;
    }
    if (row.share >= 0)
      paintBar(painter, QRectF(box.left(), y + 1, box.width(), ShareBarHeight), row.share);
    painter->restore();
  }

private:
  void paintGround(QPainter *painter, const QStyleOptionViewItem &option) const {
    bool chosen = option.state & QStyle::State_Selected;
    if (!chosen && !(option.state & QStyle::State_MouseOver))
      return;
    QColor colour = theme.selection;
    colour.setAlphaF(chosen ? 1.0F : 0.5F);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawRoundedRect(option.rect, 4, 4);
  }

  void paintTitle(QPainter *painter, QRect line, const PanelRow &row) const {
    QFont font = titleFont(row);
    QFont rightFont =
        theme.font(viz::Type::Small, row.share >= 0 ? viz::Weight::Semibold : viz::Weight::Regular);
    int rightWidth = QFontMetrics(rightFont).horizontalAdvance(row.right);
    painter->setFont(rightFont);
    painter->setPen(row.share >= 0 ? theme.ink : theme.text2);
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.right);
    QRect left = line.adjusted(0, 0, -rightWidth - 8, 0);
    QFontMetrics metrics(font);
    painter->setFont(font);
    painter->setPen(theme.ink);
    painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(row.title, Qt::ElideRight, left.width()));
    left.adjust(metrics.horizontalAdvance(row.title) + 10, 0, 0, 0);
    if (left.width() < 12)
      return;
    painter->setFont(quietFont());
    painter->setPen(theme.text2);
    painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(quietFont()).elidedText(row.beside, Qt::ElideRight, left.width()));
  }

  void paintBar(QPainter *painter, QRectF bar, double share) const {
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(theme.hbm.fill, 1));
    painter->setBrush(theme.hbm.tint);
    painter->drawRect(bar);
    painter->fillRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), theme.hbm.fill);
  }
};

RowList::RowList(QWidget *parent) : QListView(parent), m_delegate(new Delegate(this)) {
  setItemDelegate(m_delegate);
  setModel(&m_model);
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(ScrollPerPixel);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  viewport()->setAutoFillBackground(false);
  connect(this, &QListView::clicked, this, [this](const QModelIndex &index) { emit rowChosen(index.row()); });
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
    if (!m_quiet && index.isValid() && QGuiApplication::mouseButtons() == Qt::NoButton)
      emit rowChosen(index.row());
  });
}

void RowList::setTheme(const viz::Theme &theme) {
  m_delegate->theme = theme;
  doItemsLayout();
  updateGeometry();
}

void RowList::setRows(const QList<PanelRow> &rows) {
  m_quiet = true;
  m_model.clear();
  for (const PanelRow &row : rows)
    addRow(row);
  m_quiet = false;
  updateGeometry();
}

void RowList::addRow(const PanelRow &row) {
  auto *item = new QStandardItem;
  item->setData(QVariant::fromValue(row), Qt::UserRole);
  item->setData(QStringList({row.title, row.beside, row.right, row.below.join(", ")}).join(" "),
                Qt::AccessibleTextRole);
  m_model.appendRow(item);
  updateGeometry();
}

void RowList::setCurrentRow(int row) {
  m_quiet = true;
  setCurrentIndex(m_model.index(row, 0));
  m_quiet = false;
}

QSize RowList::sizeHint() const {
  int height = 2;
  for (int row = 0; row < std::min(m_model.rowCount(), m_mostRows); ++row)
    height += sizeHintForRow(row);
  return {200, height};
}

} // namespace tilescope::app
