// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/FindBar.h"

#include "app/editor/CodeEditor.h"
#include "visualizer/render/Text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace tilescope::app {

namespace {

constexpr int RecountPauseMs = 100; ///< after an edit, before matches are looked for again

} // namespace

using viz::text;
using Sci = QsciScintillaBase;

FindBar::FindBar(CodeEditor &editor, QWidget *parent)
    : QWidget(parent), m_editor(editor), m_pattern(new QLineEdit), m_replacement(new QLineEdit),
      m_case(new QCheckBox), m_words(new QCheckBox), m_regex(new QCheckBox), m_count(new QLabel),
      m_next(new QPushButton), m_previous(new QPushButton), m_one(new QPushButton), m_all(new QPushButton),
      m_close(new QPushButton) {
  setObjectName("findBar");
  setAutoFillBackground(true);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(8);
  layout->addWidget(makeRow({m_pattern, m_count, m_previous, m_next, m_case, m_words, m_regex, m_close}));
  m_replaceRow = makeRow({m_replacement, m_one, m_all});
  layout->addWidget(m_replaceRow);
  connect(m_pattern, &QLineEdit::textChanged, this, &FindBar::showCount);
  for (QCheckBox *box : {m_case, m_words, m_regex})
    connect(box, &QCheckBox::toggled, this, &FindBar::showCount);
  connect(m_next, &QPushButton::clicked, this, &FindBar::findNext);
  connect(m_previous, &QPushButton::clicked, this, &FindBar::findPrevious);
  connect(m_one, &QPushButton::clicked, this, &FindBar::replaceOne);
  connect(m_all, &QPushButton::clicked, this, &FindBar::replaceAll);
  connect(m_close, &QPushButton::clicked, this, &FindBar::close);
  m_recount.setSingleShot(true);
  m_recount.setInterval(RecountPauseMs);
  connect(&m_recount, &QTimer::timeout, this, &FindBar::showCount);
  connect(&editor, &CodeEditor::edited, this, [this] {
    if (isVisible())
      m_recount.start();
  });
  retranslate();
  hide();
}

QWidget *FindBar::makeRow(std::initializer_list<QWidget *> widgets) {
  auto *row = new QWidget(this);
  auto *layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  for (QWidget *widget : widgets)
    layout->addWidget(widget, qobject_cast<QLineEdit *>(widget) ? 1 : 0);
  return row;
}

void FindBar::retranslate() {
  m_pattern->setPlaceholderText(text("find.pattern"));
  m_pattern->setAccessibleName(text("find.pattern"));
  m_replacement->setPlaceholderText(text("find.replacement"));
  m_replacement->setAccessibleName(text("find.replacement"));
  m_case->setText(text("find.case"));
  m_words->setText(text("find.words"));
  m_regex->setText(text("find.regex"));
  m_next->setText(text("find.next"));
  m_previous->setText(text("find.previous"));
  m_one->setText(text("find.replace"));
  m_all->setText(text("find.replace-all"));
  m_close->setText(text("find.close"));
  showCount();
}

void FindBar::open(bool withReplace) {
  QString selected = m_editor.selectedText();
  if (!selected.isEmpty() && !selected.contains('\n'))
    m_pattern->setText(selected);
  m_replaceRow->setVisible(withReplace);
  show();
  m_pattern->setFocus();
  m_pattern->selectAll();
  showCount();
}

void FindBar::close() {
  hide();
  m_editor.markMatches({});
  m_editor.setFocus();
}

int FindBar::searchFlags() const {
  return (m_case->isChecked() ? Sci::SCFIND_MATCHCASE : 0) |
         (m_words->isChecked() ? Sci::SCFIND_WHOLEWORD : 0) |
         (m_regex->isChecked() ? Sci::SCFIND_REGEXP | Sci::SCFIND_CXX11REGEX : 0);
}

std::vector<std::pair<int, int>> FindBar::matches() const {
  std::vector<std::pair<int, int>> found;
  QByteArray pattern = m_pattern->text().toUtf8();
  int length = m_editor.length();
  if (pattern.isEmpty())
    return found;
  m_editor.SendScintilla(Sci::SCI_SETSEARCHFLAGS, static_cast<unsigned long>(searchFlags()));
  for (int from = 0; from <= length;) {
    m_editor.SendScintilla(Sci::SCI_SETTARGETRANGE, static_cast<unsigned long>(from),
                           static_cast<long>(length));
    long at = m_editor.SendScintilla(Sci::SCI_SEARCHINTARGET, static_cast<unsigned long>(pattern.size()),
                                     pattern.constData());
    if (at < 0)
      break;
    int end = static_cast<int>(m_editor.SendScintilla(Sci::SCI_GETTARGETEND));
    found.emplace_back(static_cast<int>(at), end);
    from = end > at ? end : end + 1;
  }
  return found;
}

void FindBar::showCount() {
  std::vector<std::pair<int, int>> all = matches();
  m_editor.markMatches(isVisible() ? all : std::vector<std::pair<int, int>>());
  if (m_pattern->text().isEmpty())
    m_count->clear();
  else
    m_count->setText(all.empty() ? text("find.no-match")
                                 : viz::countText("find.count", static_cast<qint64>(all.size())));
}

void FindBar::find(bool forward) {
  showCount();
  std::vector<std::pair<int, int>> all = matches();
  if (all.empty())
    return;
  auto selectionStart = static_cast<int>(m_editor.SendScintilla(Sci::SCI_GETSELECTIONSTART));
  auto selectionEnd = static_cast<int>(m_editor.SendScintilla(Sci::SCI_GETSELECTIONEND));
  auto next = forward
                  ? std::find_if(all.begin(), all.end(), [&](auto &m) { return m.first >= selectionEnd; })
                  : std::find_if(all.begin(), all.end(), [&](auto &m) { return m.second > selectionStart; });
  size_t index = static_cast<size_t>(next - all.begin());
  index = forward ? index % all.size() : (index + all.size() - 1) % all.size();
  m_editor.SendScintilla(Sci::SCI_SETSEL, static_cast<unsigned long>(all[index].first),
                         static_cast<long>(all[index].second));
  m_editor.SendScintilla(Sci::SCI_SCROLLCARET);
}

void FindBar::replaceTarget() {
  QByteArray replacement = m_replacement->text().toUtf8();
  unsigned command = Sci::SCI_REPLACETARGET;
  if (m_regex->isChecked()) { // match once more, so that \\1 means this match's group
    QByteArray pattern = m_pattern->text().toUtf8();
    m_editor.SendScintilla(Sci::SCI_SEARCHINTARGET, static_cast<unsigned long>(pattern.size()),
                           pattern.constData());
    command = Sci::SCI_REPLACETARGETRE;
  }
  m_editor.SendScintilla(command, static_cast<unsigned long>(replacement.size()), replacement.constData());
}

void FindBar::replaceOne() {
  auto start = static_cast<int>(m_editor.SendScintilla(Sci::SCI_GETSELECTIONSTART));
  auto end = static_cast<int>(m_editor.SendScintilla(Sci::SCI_GETSELECTIONEND));
  std::vector<std::pair<int, int>> all = matches();
  if (std::find(all.begin(), all.end(), std::pair(start, end)) == all.end())
    return find(true);
  m_editor.SendScintilla(Sci::SCI_SETTARGETRANGE, static_cast<unsigned long>(start), static_cast<long>(end));
  replaceTarget();
  m_editor.SendScintilla(Sci::SCI_GOTOPOS,
                         static_cast<unsigned long>(m_editor.SendScintilla(Sci::SCI_GETTARGETEND)));
  find(true);
}

void FindBar::replaceAll() {
  std::vector<std::pair<int, int>> all = matches();
  m_editor.beginUndoAction();
  for (auto match = all.rbegin(); match != all.rend(); ++match) {
    m_editor.SendScintilla(Sci::SCI_SETTARGETRANGE, static_cast<unsigned long>(match->first),
                           static_cast<long>(match->second));
    replaceTarget();
  }
  m_editor.endUndoAction();
  m_recount.stop();
  m_editor.markMatches({});
  m_count->setText(viz::countText("find.replaced", static_cast<qint64>(all.size())));
}

void FindBar::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Escape)
    close();
  else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    find(!(event->modifiers() & Qt::ShiftModifier));
  else
    QWidget::keyPressEvent(event);
}

} // namespace tilescope::app
