// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/ActionSearch.h"

#include "app/core/PairDelegate.h"
#include "visualizer/render/Text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace tilescope::app {
namespace {

constexpr int MostMatches = 14;
constexpr int PopupWidth = 380;

} // namespace

ActionSearch::ActionSearch(const Actions &actions, QWidget *parent)
    : QLineEdit(parent), m_actions(actions), m_popup(new QFrame(this, Qt::ToolTip)), m_list(new QListWidget) {
  setObjectName("actionSearch");
  setMinimumWidth(220);
  setMaximumWidth(320);
  setTextMargins(22, 0, 0, 0);
  m_popup->setObjectName("popup");
  auto *layout = new QVBoxLayout(m_popup);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addWidget(m_list);
  auto *delegate = new PairDelegate(m_list);
  delegate->setNameFont(font());
  m_list->setItemDelegate(delegate);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(this, &QLineEdit::textEdited, this, &ActionSearch::showMatches);
  connect(m_list, &QListWidget::itemClicked, this, &ActionSearch::carryOut);
  retranslate();
}

void ActionSearch::retranslate() {
  setPlaceholderText(viz::text("search.actions"));
  setAccessibleName(viz::text("search.actions"));
}

void ActionSearch::start() {
  setFocus();
  selectAll();
  showMatches();
}

void ActionSearch::showMatches() {
  m_list->clear();
  QStringList wanted = text().simplified().split(' ', Qt::SkipEmptyParts);
  for (QAction *action : m_actions.all()) {
    QString words = action->text().remove('&');
    bool matches = std::all_of(wanted.begin(), wanted.end(), [&](const QString &part) {
      return words.contains(part, Qt::CaseInsensitive);
    });
    if (!matches || !action->isEnabled())
      continue;
    auto *item = new QListWidgetItem(words, m_list);
    item->setData(PairDelegate::AsideRole, action->shortcut().toString(QKeySequence::NativeText));
    item->setData(Qt::UserRole, QVariant::fromValue<QObject *>(action));
  }
  m_list->sortItems();
  m_list->setCurrentRow(0);
  int rows = std::min(m_list->count(), MostMatches);
  if (rows == 0)
    return m_popup->hide();
  m_popup->setFixedSize(std::max(width(), PopupWidth), rows * PairDelegate::RowHeight + 10);
  m_popup->move(mapToGlobal(QPoint(width() - m_popup->width(), height() + 4)));
  m_popup->show();
}

void ActionSearch::carryOut(QListWidgetItem *item) {
  m_popup->hide();
  clear();
  emit left();
  if (item)
    qobject_cast<QAction *>(item->data(Qt::UserRole).value<QObject *>())->trigger();
}

void ActionSearch::keyPressEvent(QKeyEvent *event) {
  int row = m_list->currentRow();
  switch (event->key()) {
  case Qt::Key_Down:
    return m_list->setCurrentRow(std::min(row + 1, m_list->count() - 1));
  case Qt::Key_Up:
    return m_list->setCurrentRow(std::max(row - 1, 0));
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (m_popup->isVisible())
      carryOut(m_list->currentItem());
    return;
  case Qt::Key_Escape:
    return carryOut(nullptr);
  default:
    QLineEdit::keyPressEvent(event);
  }
}

void ActionSearch::focusOutEvent(QFocusEvent *event) {
  m_popup->hide();
  QLineEdit::focusOutEvent(event);
}

void ActionSearch::paintEvent(QPaintEvent *event) {
  QLineEdit::paintEvent(event);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(palette().color(QPalette::PlaceholderText), 1.6, Qt::SolidLine, Qt::RoundCap));
  QPointF centre(17, height() / 2.0 - 1);
  painter.drawEllipse(centre, 4.5, 4.5);
  painter.drawLine(centre + QPointF(3.5, 3.5), centre + QPointF(7, 7));
  if (!text().isEmpty() || width() < 260)
    return;
  QString keys = QKeySequence("Ctrl+Shift+P").toString(QKeySequence::NativeText);
  painter.drawText(rect().adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, keys);
}

} // namespace tilescope::app
