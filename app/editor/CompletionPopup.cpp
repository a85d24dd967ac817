// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/CompletionPopup.h"

#include "app/core/PairDelegate.h"
#include "app/editor/Placement.h"
#include "visualizer/render/Text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::app {
namespace {

constexpr int MostRows = 10;
constexpr int MostNames = 500; ///< more than that nobody reads
constexpr int Width = 440;

} // namespace

std::vector<const protocol::CompletionItem *> fitting(const std::vector<protocol::CompletionItem> &items,
                                                      const QString &typed) {
  std::vector<const protocol::CompletionItem *> begin, within;
  for (const protocol::CompletionItem &item : items) {
    qsizetype at = QString::fromStdString(item.label).indexOf(typed, 0, Qt::CaseInsensitive);
    if (at >= 0)
      (at == 0 ? begin : within).push_back(&item);
  }
  begin.insert(begin.end(), within.begin(), within.end());
  return begin;
}

CompletionPopup::CompletionPopup(QWidget *editor)
    : QFrame(editor, Qt::ToolTip), m_list(new QListWidget), m_delegate(new PairDelegate(this)),
      m_signature(new QLabel), m_help(new QLabel) {
  setObjectName("popup");
  setAttribute(Qt::WA_ShowWithoutActivating);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 8);
  layout->setSpacing(2);
  layout->addWidget(m_list);
  m_list->setItemDelegate(m_delegate);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setUniformItemSizes(true);
  for (QLabel *label : {m_signature, m_help}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(10, 2, 10, 2);
    layout->addWidget(label);
  }
  m_help->setProperty("quiet", true);
  connect(m_list, &QListWidget::currentRowChanged, this, &CompletionPopup::describe);
  connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem *item) {
    hide();
    emit chosen(item->text());
  });
}

void CompletionPopup::setTheme(const viz::Theme &theme) {
  m_delegate->setNameFont(theme.codeFont());
  m_list->setFont(theme.font(viz::Type::Label));
  m_signature->setFont(theme.codeFont(12));
  m_help->setFont(theme.font(viz::Type::Label));
}

void CompletionPopup::open(const protocol::CompletionList &list, const QString &typed, QPoint place,
                           int lineHeight) {
  m_items = list.items;
  m_place = place;
  m_lineHeight = lineHeight;
  fill(typed);
  setVisible(m_list->count() > 0);
}

void CompletionPopup::setTyped(const QString &typed) {
  fill(typed);
  auto *only = m_list->count() == 1 ? m_list->item(0) : nullptr;
  if (m_list->count() == 0 || (only && only->text() == typed))
    hide();
}

void CompletionPopup::fill(const QString &typed) {
  m_list->clear();
  for (const protocol::CompletionItem *item : fitting(m_items, typed)) {
    auto *row = new QListWidgetItem(QString::fromStdString(item->label), m_list);
    row->setData(Qt::UserRole, static_cast<int>(item - m_items.data()));
    row->setData(PairDelegate::AsideRole, QString::fromStdString(item->detail));
    if (m_list->count() == MostNames)
      break;
  }
  m_list->setCurrentRow(0);
  fit();
}

void CompletionPopup::describe() {
  QListWidgetItem *row = m_list->currentItem();
  protocol::CompletionItem item;
  if (row)
    item = m_items[static_cast<size_t>(row->data(Qt::UserRole).toInt())];
  bool signature = item.detail.rfind('(', 0) == 0;
  m_signature->setText(QString::fromStdString(signature ? item.label + item.detail : item.detail));
  m_signature->setVisible(!item.detail.empty());
  m_help->setText(item.helpKey.empty() ? QString() : viz::text(QString::fromStdString(item.helpKey)));
  m_help->setVisible(!item.helpKey.empty());
  fit();
}

void CompletionPopup::fit() {
  int rows = std::min(m_list->count(), MostRows);
  m_list->setFixedHeight(rows * PairDelegate::RowHeight);
  int height = m_list->height() + 12;
  for (QLabel *label : {m_signature, m_help})
    if (!label->isHidden())
      height += label->heightForWidth(Width - 10) + 2;
  setFixedSize(Width, height);
  placeByLine(*this, m_place, m_lineHeight);
}

void CompletionPopup::goDown(int rows) {
  int last = m_list->count() - 1;
  int row = m_list->currentRow() + rows;
  // A single step goes round, a page stops at the end.
  bool step = rows == 1 || rows == -1;
  m_list->setCurrentRow(step && row > last ? 0 : step && row < 0 ? last : std::clamp(row, 0, last));
}

bool CompletionPopup::handleKey(const QKeyEvent &event) {
  if (!isVisible())
    return false;
  switch (event.key()) {
  case Qt::Key_Down:
    return goDown(1), true;
  case Qt::Key_Up:
    return goDown(-1), true;
  case Qt::Key_PageDown:
    return goDown(MostRows), true;
  case Qt::Key_PageUp:
    return goDown(-MostRows), true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
  case Qt::Key_Tab:
    hide();
    emit chosen(m_list->currentItem()->text());
    return true;
  case Qt::Key_Escape:
    return hide(), true;
  default:
    return false;
  }
}

} // namespace tilescope::app
