// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/TerminalPanel.h"

#include "visualizer/render/Text.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
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
  viewport()->setMouseTracking(true);
  document()->setDocumentMargin(16);
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

void TerminalPanel::restart(const QString &readyLine) {
  m_waiting.clear();
  clear();
  say(readyLine);
  m_fresh = true;
}

void TerminalPanel::begin(const QString &line) {
  m_waiting.clear();
  if (!std::exchange(m_fresh, false))
    clear();
  say(line);
}

void TerminalPanel::say(const QString &line, Voice voice) { sayLine(line, voice, {}); }

void TerminalPanel::sayProblem(const QString &line, const QString &path, int number) {
  sayLine(line, Voice::Problem, QString::number(number) + ":" + path);
}

void TerminalPanel::sayLine(const QString &line, Voice voice, const QString &link) {
  flush();
  QTextCursor end(document());
  end.movePosition(QTextCursor::End);
  if (!end.atBlockStart())
    append("\n", voice);
  append(line, voice, link);
  append("\n", voice);
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

void TerminalPanel::append(const QString &text, Voice voice, const QString &link) {
  QScrollBar *bar = verticalScrollBar();
  bool follow = bar->value() >= bar->maximum() - 2;
  QTextCharFormat format;
  format.setForeground(voice == Voice::Program   ? m_theme.ink
                       : voice == Voice::Problem ? m_theme.hazard.text
                                                 : m_theme.text3);
  format.setAnchor(!link.isEmpty());
  format.setAnchorHref(link);
  QTextCursor end(document());
  end.movePosition(QTextCursor::End);
  end.insertText(text, format);
  if (follow)
    bar->setValue(bar->maximum());
}

QString TerminalPanel::linkAt(QPoint place) const {
  QTextCursor cursor = cursorForPosition(place);
  if (cursor.atBlockEnd() && place.x() > cursorRect(cursor).right() + 2)
    return {};
  cursor.movePosition(QTextCursor::EndOfBlock);
  return cursor.charFormat().anchorHref();
}

void TerminalPanel::mouseMoveEvent(QMouseEvent *event) {
  QPlainTextEdit::mouseMoveEvent(event);
  viewport()->setCursor(linkAt(event->pos()).isEmpty() ? Qt::IBeamCursor : Qt::PointingHandCursor);
}

void TerminalPanel::mouseReleaseEvent(QMouseEvent *event) {
  QPlainTextEdit::mouseReleaseEvent(event);
  QString link = linkAt(event->pos());
  if (event->button() == Qt::LeftButton && !link.isEmpty() && !textCursor().hasSelection())
    emit lineActivated(link.section(':', 1), link.section(':', 0, 0).toInt());
}

/// The block at the end: what comes next comes here.
void TerminalPanel::paintEvent(QPaintEvent *event) {
  QPlainTextEdit::paintEvent(event);
  QTextCursor end(document());
  end.movePosition(QTextCursor::End);
  QRect place = cursorRect(end);
  QPainter(viewport())
      .fillRect(
          QRect(place.left(), place.top() + 1, fontMetrics().averageCharWidth(), fontMetrics().height() - 1),
          m_theme.hair2);
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
