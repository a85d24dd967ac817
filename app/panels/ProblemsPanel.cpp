// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/ProblemsPanel.h"

#include "app/core/Words.h"
#include "visualizer/render/Text.h"

#include <QContextMenuEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QUrl>

#include <algorithm>

namespace tilescope::app {
namespace {

using viz::text;

/// A row's place in the text, and its fix.
struct Row {
  QString uri;
  protocol::Range range;
  std::optional<protocol::Fix> fix;
};

QString fileName(const QString &uri) { return QFileInfo(QUrl(uri).path()).fileName(); }

/// Cells stand in from the edges as the header's words do.
class InsetDelegate final : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int Inset = 10;

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * Inset, 0);
  }
  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    QStyleOptionViewItem cell = option;
    cell.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver | QStyle::State_HasFocus);
    cell.rect.adjust(Inset, 0, -Inset, 0);
    QStyledItemDelegate::paint(painter, cell, index);
  }
};

bool sameProblem(const protocol::Diagnostic &a, const protocol::Diagnostic &b) {
  return a.code == b.code && a.range == b.range;
}

} // namespace
} // namespace tilescope::app

Q_DECLARE_METATYPE(tilescope::app::Row)

namespace tilescope::app {

ProblemsPanel::ProblemsPanel(QWidget *parent) : QTreeWidget(parent) {
  setObjectName("problems");
  setColumnCount(3);
  setUniformRowHeights(true);
  setTextElideMode(Qt::ElideRight);
  setRootIsDecorated(false);
  setAllColumnsShowFocus(true);
  setFrameShape(QFrame::NoFrame);
  setIndentation(16);
  setItemDelegate(new InsetDelegate(this));
  setEditTriggers(NoEditTriggers);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  auto jump = [this](QTreeWidgetItem *item) {
    auto row = item->data(0, Qt::UserRole).value<Row>();
    emit activated(row.uri, row.range);
  };
  connect(this, &QTreeWidget::itemActivated, this, [this, jump](QTreeWidgetItem *item) {
    auto row = item->data(0, Qt::UserRole).value<Row>();
    if (item->parent() && row.fix)
      emit fixChosen(row.uri, *row.fix);
    else
      jump(item);
  });
  connect(this, &QTreeWidget::itemClicked, this, jump);
  retranslate();
}

void ProblemsPanel::setDiagnostics(Source source, const QString &uri,
                                   const std::vector<protocol::Diagnostic> &diagnostics) {
  std::pair key{static_cast<int>(source), uri};
  if (diagnostics.empty() ? m_lists.remove(key) > 0 : true) {
    if (!diagnostics.empty())
      m_lists[key] = diagnostics;
    rebuild();
  }
}

void ProblemsPanel::clearSource(Source source) {
  m_lists.removeIf([&](auto entry) { return entry.key().first == static_cast<int>(source); });
  rebuild();
}

int ProblemsPanel::count() const { return topLevelItemCount(); }

void ProblemsPanel::setTheme(const viz::Theme &theme) {
  m_theme = theme;
  rebuild();
}

void ProblemsPanel::retranslate() {
  setHeaderLabels({text("problems.message"), text("problems.file"), text("problems.line")});
  setAccessibleName(text("panel.problems"));
  rebuild();
}

void ProblemsPanel::rebuild() {
  clear();
  for (auto list = m_lists.cbegin(); list != m_lists.cend(); ++list) {
    // What editing shows already is not said again by the run.
    auto editing = m_lists.value({static_cast<int>(Source::Editing), list.key().second});
    for (const protocol::Diagnostic &diagnostic : list.value()) {
      bool again = list.key().first == static_cast<int>(Source::Run) &&
                   std::any_of(editing.begin(), editing.end(), [&](const protocol::Diagnostic &other) {
                     return sameProblem(diagnostic, other);
                   });
      if (!again)
        addRow(list.key().second, diagnostic);
    }
  }
  setHeaderHidden(count() == 0);
  emit countChanged(count());
}

void ProblemsPanel::paintEvent(QPaintEvent *event) {
  QTreeWidget::paintEvent(event);
  if (count() > 0)
    return;
  QPainter painter(viewport());
  painter.setPen(palette().color(QPalette::Disabled, QPalette::Text));
  painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text("problems.none"));
}

void ProblemsPanel::addRow(const QString &uri, const protocol::Diagnostic &diagnostic) {
  auto makeItem = [&](const QString &words, const QString &file, const protocol::Range &range,
                      std::optional<protocol::Fix> fix) {
    auto *item =
        new QTreeWidgetItem({words, fileName(file), viz::grouped(static_cast<qint64>(range.start.line) + 1)});
    item->setData(0, Qt::UserRole, QVariant::fromValue(Row{file, range, std::move(fix)}));
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(0, words);
    for (int column : {1, 2})
      item->setForeground(column, m_theme.text2);
    return item;
  };
  QTreeWidgetItem *item = makeItem(diagnosticText(diagnostic), uri, diagnostic.range, diagnostic.data.fix);
  item->setForeground(0, diagnostic.severity == 1 ? m_theme.hazard.text : m_theme.ink);
  for (const protocol::Note &note : diagnostic.data.notes)
    item->addChild(makeItem(noteText(note), QString::fromStdString(note.uri), note.range, std::nullopt));
  if (diagnostic.data.fix)
    item->addChild(
        makeItem("+ " + fixText(*diagnostic.data.fix), uri, diagnostic.data.fix->range, diagnostic.data.fix));
  addTopLevelItem(item);
  item->setExpanded(true);
}

void ProblemsPanel::contextMenuEvent(QContextMenuEvent *event) {
  QTreeWidgetItem *item = itemAt(event->pos());
  auto row = item ? item->data(0, Qt::UserRole).value<Row>() : Row{};
  if (!row.fix)
    return;
  QMenu menu(this);
  menu.addAction(fixText(*row.fix), this, [this, row] { emit fixChosen(row.uri, *row.fix); });
  menu.exec(event->globalPos());
}

} // namespace tilescope::app
