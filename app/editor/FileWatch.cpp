// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/FileWatch.h"

#include "visualizer/render/Text.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace tilescope::app {
namespace {

using viz::text;

constexpr int PauseMs = 150;

} // namespace

FileWatch::FileWatch(EditorArea &area, QObject *parent) : QObject(parent), m_area(area) {
  m_pause.setSingleShot(true);
  m_pause.setInterval(PauseMs);
  connect(&m_pause, &QTimer::timeout, this, &FileWatch::look);
  connect(&area, &EditorArea::pageOpened, this, &FileWatch::watch);
  connect(&area, &EditorArea::pageSaved, this, &FileWatch::watch);
  connect(&area, &EditorArea::pageClosing, this, &FileWatch::forget);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this](const QString &path) {
    m_changed.insert(path);
    m_pause.start();
  });
}

void FileWatch::forget(EditorPage *page) {
  if (!page->path().isEmpty())
    m_watcher.removePath(page->path());
}

void FileWatch::watch(EditorPage *page) {
  forget(page); // a file that was replaced, as saving does, is no longer the one that was watched
  if (QFileInfo::exists(page->path()))
    m_watcher.addPath(page->path());
}

void FileWatch::look() {
  if (m_asking)
    return m_pause.start();
  for (const QString &path : std::exchange(m_changed, {}))
    if (EditorPage *page = m_area.findPath(path))
      lookAt(page);
}

void FileWatch::lookAt(EditorPage *page) {
  watch(page);
  bool unsaved = page->isUnsaved();
  if (page->look() == EditorPage::Disk::Changed && (!unsaved || wantsTheirs(page)))
    page->reload();
}

bool FileWatch::wantsTheirs(EditorPage *page) {
  QMessageBox box(QMessageBox::NoIcon, text("file.changed-title"), text("file.changed", {page->title()}),
                  QMessageBox::NoButton, &m_area);
  QPushButton *theirs = box.addButton(text("file.reload"), QMessageBox::DestructiveRole);
  QPushButton *mine = box.addButton(text("file.keep-mine"), QMessageBox::RejectRole);
  box.setDefaultButton(mine);
  box.setEscapeButton(mine);
  m_asking = true;
  box.exec();
  m_asking = false;
  return box.clickedButton() == static_cast<QAbstractButton *>(theirs);
}

} // namespace tilescope::app
