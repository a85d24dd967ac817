// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/EditorPage.h"

#include "app/editor/FindBar.h"
#include "visualizer/render/Text.h"

#include <QDir>
#include <QFileInfo>
#include <QUrl>
#include <QVBoxLayout>

namespace tilescope::app {

EditorPage::EditorPage(QString path, int untitled, const TextFile &file, QWidget *parent)
    : QWidget(parent), m_path(std::move(path)), m_untitled(untitled), m_byteOrderMark(file.byteOrderMark),
      m_editor(new CodeEditor), m_findBar(new FindBar(*m_editor)) {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_editor, 1);
  layout->addWidget(m_findBar);
  setFocusProxy(m_editor);
  m_editor->load(file.text);
  connect(m_editor, &QsciScintilla::modificationChanged, this, &EditorPage::stateChanged);
}

QString EditorPage::title() const {
  return m_path.isEmpty() ? viz::text("editor.untitled", {QString::number(m_untitled)})
                          : QFileInfo(m_path).fileName();
}

QString EditorPage::uri() const {
  return m_path.isEmpty() ? QString("untitled:%1.py").arg(m_untitled)
                          : QUrl::fromLocalFile(m_path).toString(QUrl::FullyEncoded);
}

QString EditorPage::runPath() const {
  return m_path.isEmpty() ? QDir::tempPath() + QString("/untitled-%1.py").arg(m_untitled) : m_path;
}

std::optional<FileError> EditorPage::save(const QString &path) {
  if (std::optional<FileError> error = saveTextFile(path, {m_editor->content(), m_byteOrderMark}))
    return error;
  m_path = path;
  m_recovered = false;
  m_editor->setModified(false);
  emit stateChanged();
  return std::nullopt;
}

void EditorPage::restore(const QString &text) {
  m_editor->load(text);
  m_recovered = true;
  emit stateChanged();
}

} // namespace tilescope::app
