// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/TerminalPanel.h"

#include "visualizer/render/Text.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QScrollBar>

namespace tilescope::app {
namespace {

constexpr int LongestScrollback = 20000; ///< lines
constexpr int GatherMs = 30;
constexpr qsizetype LongestWait =
    4 << 20; ///< characters gathered at most; older ones would scroll away anyway

} // namespace

TerminalPanel::TerminalPanel(QWidget *parent) : QPlainTextEdit(parent) {
  setObjectName("terminal");
  setReadOnly(true);
  setUndoRedoEnabled(false);
  setFrameShape(QFrame::NoFrame);
  setMaximumBlockCount(LongestScrollback);
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  document()->setDocumentMargin(14);
  m_pause.setSingleShot(true);
  m_pause.setInterval(GatherMs);
  connect(&m_pause, &QTimer::timeout, this, &TerminalPanel::flush);
}

void TerminalPanel::setTheme(const viz::Theme &theme) {
  m_theme = theme;
  setFont(theme.codeFont());
  QPalette colours = palette();
  colours.setColor(QPalette::Base, theme.ground);
  colours.setColor(QPalette::Text, theme.ink);
  setPalette(colours);
}

void TerminalPanel::restart(const QString &firstLine) {
  m_waiting.clear();
  clear();
  say(firstLine);
}

void TerminalPanel::say(const QString &line, Voice voice) {
  flush();
  QTextCursor end(document());
  end.movePosition(QTextCursor::End);
  append((end.atBlockStart() ? QString() : QStringLiteral("\n")) + line + "\n", voice);
}

void TerminalPanel::print(const QString &text) {
  m_waiting += text;
  if (m_waiting.size() > LongestWait)
    m_waiting = m_waiting.right(LongestWait / 2);
  if (!m_pause.isActive())
    m_pause.start();
}

void TerminalPanel::flush() {
  m_pause.stop();
  if (!m_waiting.isEmpty())
    append(std::exchange(m_waiting, {}), Voice::Program);
}

void TerminalPanel::append(const QString &text, Voice voice) {
  QScrollBar *bar = verticalScrollBar();
  bool follow = bar->value() >= bar->maximum() - 2;
  QTextCharFormat format;
  format.setForeground(voice == Voice::Program   ? m_theme.ink
                       : voice == Voice::Problem ? m_theme.hazard.text
                                                 : m_theme.text3);
  QTextCursor end(document());
  end.movePosition(QTextCursor::End);
  end.insertText(text, format);
  if (follow)
    bar->setValue(bar->maximum());
}

void TerminalPanel::contextMenuEvent(QContextMenuEvent *event) {
  QMenu menu(this);
  QAction *copy = menu.addAction(viz::text("terminal.copy"), this, &QPlainTextEdit::copy);
  copy->setEnabled(textCursor().hasSelection());
  menu.addAction(viz::text("terminal.select-all"), this, &QPlainTextEdit::selectAll);
  menu.addSeparator();
  menu.addAction(viz::text("terminal.clear"), this, &QPlainTextEdit::clear);
  menu.exec(event->globalPos());
}

} // namespace tilescope::app
