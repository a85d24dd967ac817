// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/EditorServices.h"

#include "app/core/Words.h"
#include "app/editor/Columns.h"
#include "app/editor/CompletionPopup.h"
#include "app/editor/HoverPopup.h"
#include "visualizer/render/Text.h"

#include <QApplication>
#include <QMenu>
#include <QPointer>

namespace tilescope::app {

using viz::text;

EditorServices::EditorServices(EditorArea &area, LanguageClient &client, QObject *parent)
    : QObject(parent), m_area(area), m_client(client), m_popup(new HoverPopup) {
  connect(&area, &EditorArea::pageOpened, this, &EditorServices::attach);
  connect(&area, &EditorArea::pageClosing, this, &EditorServices::detach);
  connect(&area, &EditorArea::pageRenamed, this, [this](EditorPage *page, const QString &oldUri) {
    m_client.close(oldUri);
    emit diagnosticsChanged(oldUri, {});
    m_client.open(page->uri(), page->editor().content());
  });
  connect(&client, &LanguageClient::diagnosticsPublished, this,
          [this](const QString &uri, const std::vector<protocol::Diagnostic> &diagnostics) {
            m_editing[uri] = diagnostics;
            if (EditorPage *page = m_area.findUri(uri)) {
              showDiagnostics(page);
              askHints(page);
            }
            emit diagnosticsChanged(uri, diagnostics);
          });
}

EditorServices::~EditorServices() { delete m_popup; }

void EditorServices::setTheme(const viz::Theme &theme) { m_popup->setTheme(theme); }

void EditorServices::attach(EditorPage *page) {
  CodeEditor *editor = &page->editor();
  m_client.open(page->uri(), editor->content());
  connect(editor, &CodeEditor::edited, page, [this, page, editor] {
    hidePopup();
    m_client.change(page->uri(),
                    [editor = QPointer(editor)] { return editor ? editor->content() : QString(); });
    if (m_run.remove(page->uri()))
      showDiagnostics(page);
    emit edited(page);
  });
  connect(editor, &CodeEditor::completionWanted, page, [this] { completeAtCursor(); });
  connect(editor, &CodeEditor::hoverWanted, page, [this, page](int byte, QPoint at) {
    if (!QApplication::activePopupWidget() && !page->editor().completions().isVisible())
      explain(page, byte, at);
  });
  connect(editor, &CodeEditor::hoverEnded, this, &EditorServices::hidePopup);
  connect(editor, &CodeEditor::escaped, this, &EditorServices::hidePopup);
  connect(editor, &QsciScintilla::cursorPositionChanged, this, &EditorServices::hidePopup);
  connect(editor, &CodeEditor::contextMenuWanted, page, [this, page](QPoint at) { showMenu(page, at); });
  connect(editor, &CodeEditor::viewMoved, this, &EditorServices::hidePopup);
}

void EditorServices::hidePopup() {
  ++m_question;
  m_popup->hide();
}

void EditorServices::detach(EditorPage *page) {
  hidePopup();
  m_client.close(page->uri());
  m_editing.remove(page->uri());
  m_run.remove(page->uri());
  emit diagnosticsChanged(page->uri(), {});
}

void EditorServices::setRunDiagnostics(const QString &uri, std::vector<protocol::Diagnostic> diagnostics) {
  m_run[uri] = std::move(diagnostics);
  if (EditorPage *page = m_area.findUri(uri))
    showDiagnostics(page);
}

void EditorServices::clearRunDiagnostics() {
  m_run.clear();
  for (EditorPage *page : m_area.pages())
    showDiagnostics(page);
}

void EditorServices::showDiagnostics(EditorPage *page) {
  std::vector<protocol::Diagnostic> all = m_editing.value(page->uri());
  std::vector<protocol::Diagnostic> run = m_run.value(page->uri());
  all.insert(all.end(), run.begin(), run.end());
  page->editor().setDiagnostics(std::move(all));
}

void EditorServices::askHints(EditorPage *page) {
  if (!m_hints)
    return page->editor().setHints({});
  protocol::Range whole{{0, 0}, {static_cast<uint32_t>(page->editor().lines()), 0}};
  m_client.hints(page->uri(), whole, [page = QPointer(page)](const std::vector<protocol::InlayHint> &hints) {
    if (!page)
      return;
    QHash<int, QString> byLine;
    for (const protocol::InlayHint &hint : hints)
      byLine[static_cast<int>(hint.position.line)] = QString::fromStdString(hint.label);
    page->editor().setHints(std::move(byLine));
  });
}

void EditorServices::setHintsVisible(bool visible) {
  m_hints = visible;
  for (EditorPage *page : m_area.pages())
    askHints(page);
}

void EditorServices::explainCursor() {
  EditorPage *page = m_area.current();
  if (!page)
    return;
  CodeEditor &editor = page->editor();
  int byte = editor.cursorByte();
  explain(page, byte, editor.screenPoint(byte));
}

void EditorServices::explain(EditorPage *page, int byte, QPoint at) {
  CodeEditor &editor = page->editor();
  HoverPopup::Content content;
  for (const protocol::Diagnostic *diagnostic : editor.diagnosticsAt(byte))
    content.diagnostics.push_back(*diagnostic);
  int lineHeight = editor.lineHeight();
  m_popup->showAt(at, lineHeight, content);
  m_client.hover(
      page->uri(), protocolPosition(editor, byte),
      [this, at, lineHeight, content, question = ++m_question](const protocol::Hover &hover) mutable {
        if (question != m_question)
          return; // the pointer or the text has moved on
        content.hover = hover.data;
        m_popup->showAt(at, lineHeight, content);
      });
}

void EditorServices::completeAtCursor() {
  EditorPage *page = m_area.current();
  if (!page)
    return;
  protocol::Position at = page->editor().cursor();
  m_client.complete(page->uri(), at, [page = QPointer(page), at](const protocol::CompletionList &list) {
    if (page && page->editor().cursor().line == at.line && page->editor().hasFocus())
      page->editor().showCompletions(list);
  });
}

bool EditorServices::fixAtCursor() {
  EditorPage *page = m_area.current();
  if (!page)
    return false;
  std::vector<const protocol::Diagnostic *> candidates =
      page->editor().diagnosticsAt(page->editor().cursorByte());
  for (const protocol::Diagnostic &diagnostic : page->editor().diagnostics())
    if (diagnostic.range.start.line == page->editor().cursor().line)
      candidates.push_back(&diagnostic);
  for (const protocol::Diagnostic *diagnostic : candidates) {
    if (!diagnostic->data.fix)
      continue;
    page->editor().applyFix(protocol::Fix(*diagnostic->data.fix));
    return true;
  }
  return false;
}

void EditorServices::showMenu(EditorPage *page, QPoint at) {
  hidePopup();
  CodeEditor &editor = page->editor();
  QMenu menu(&editor);
  for (const protocol::Diagnostic *diagnostic : editor.diagnosticsAt(editor.cursorByte()))
    if (diagnostic->data.fix)
      menu.addAction(fixText(*diagnostic->data.fix), &editor,
                     [&editor, fix = *diagnostic->data.fix] { editor.applyFix(fix); });
  if (!menu.isEmpty())
    menu.addSeparator();
  bool selected = editor.hasSelectedText();
  menu.addAction(text("edit.undo"), &editor, &QsciScintilla::undo)->setEnabled(editor.isUndoAvailable());
  menu.addAction(text("edit.redo"), &editor, &QsciScintilla::redo)->setEnabled(editor.isRedoAvailable());
  menu.addSeparator();
  menu.addAction(text("edit.cut"), &editor, &QsciScintilla::cut)->setEnabled(selected);
  menu.addAction(text("edit.copy"), &editor, &QsciScintilla::copy)->setEnabled(selected);
  menu.addAction(text("edit.paste"), &editor, &QsciScintilla::paste);
  menu.addSeparator();
  menu.addAction(text("edit.select-all"), &editor, [&editor] { editor.selectAll(); });
  menu.exec(at);
}

} // namespace tilescope::app
