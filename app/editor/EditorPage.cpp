// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/EditorPage.h"

#include "app/editor/FindBar.h"
#include "visualizer/render/Text.h"

#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QUrl>
#include <QVBoxLayout>

namespace tilescope::app {
namespace {

constexpr int TopPadding = 10;

} // namespace

EditorPage::EditorPage(QString path, int untitled, const TextFile &file, QWidget *parent)
    : QWidget(parent), m_path(std::move(path)), m_untitled(untitled), m_byteOrderMark(file.byteOrderMark),
      m_onDisk(file), m_editor(new CodeEditor), m_findBar(new FindBar(*m_editor)) {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, TopPadding, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_editor, 1);
  layout->addWidget(m_findBar);
  setFocusProxy(m_editor);
  m_editor->load(file.text);
  connect(m_editor, &QsciScintilla::modificationChanged, this, &EditorPage::stateChanged);
  connect(m_editor, &CodeEditor::escaped, this, [this] {
    if (m_findBar->isVisible())
      m_findBar->close();
  });
}

void EditorPage::paintEvent(QPaintEvent *) {
  QPainter(this).fillRect(rect(), palette().color(QPalette::Base));
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
  TextFile file{m_editor->content(), m_byteOrderMark};
  if (std::optional<FileError> error = saveTextFile(path, file))
    return error;
  m_path = path;
  m_onDisk = file;
  m_differs = false;
  m_editor->setModified(false);
  emit stateChanged();
  return std::nullopt;
}

void EditorPage::restore(const QString &text) {
  m_editor->load(text);
  m_differs = true;
  emit stateChanged();
}

EditorPage::Disk EditorPage::look() {
  if (!QFileInfo::exists(m_path)) {
    m_differs = true;
    emit stateChanged();
    return Disk::Gone;
  }
  auto loaded = loadTextFile(m_path);
  auto *file = std::get_if<TextFile>(&loaded); // what cannot be read is no news
  if (!file || file->text == m_onDisk.text)
    return Disk::Same;
  m_onDisk = *file;
  m_differs = true;
  return Disk::Changed;
}

void EditorPage::reload() {
  m_byteOrderMark = m_onDisk.byteOrderMark;
  m_differs = false;
  m_editor->reload(m_onDisk.text);
  emit stateChanged();
}

} // namespace tilescope::app
