// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/EditorArea.h"

#include "app/core/Words.h"
#include "app/editor/CloseButton.h"
#include "app/editor/FindBar.h"
#include "visualizer/render/Text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace tilescope::app {
namespace {

constexpr int KeepPauseMs = 1000;
constexpr int LongestRecentList = 10;

/// The same for every name of a file, through links too.
QString absolute(const QString &path) {
  QString canonical = QFileInfo(path).canonicalFilePath();
  return canonical.isEmpty() ? QDir::cleanPath(QFileInfo(path).absoluteFilePath()) : canonical;
}

} // namespace

using viz::text;

EditorArea::EditorArea(Recovery &recovery, QWidget *parent) : QTabWidget(parent), m_recovery(recovery) {
  setObjectName("editorArea");
  setDocumentMode(true);
  setMovable(true);
  connect(this, &QTabWidget::currentChanged, this, [this] { emit currentPageChanged(current()); });
}

EditorPage *EditorArea::page(int index) const { return qobject_cast<EditorPage *>(widget(index)); }
EditorPage *EditorArea::current() const { return page(currentIndex()); }

std::vector<EditorPage *> EditorArea::pages() const {
  std::vector<EditorPage *> all;
  for (int i = 0; i < count(); ++i)
    all.push_back(page(i));
  return all;
}

EditorPage *EditorArea::findPath(const QString &path) const {
  for (EditorPage *page : pages())
    if (!page->path().isEmpty() && absolute(page->path()) == absolute(path))
      return page;
  return nullptr;
}

EditorPage *EditorArea::findUri(const QString &uri) const {
  for (EditorPage *page : pages())
    if (page->uri() == uri)
      return page;
  return nullptr;
}

EditorPage *EditorArea::addPage(const QString &path, int untitled, const TextFile &file) {
  EditorPage *replaced = count() == 1 && page(0)->isUntouched() && !path.isEmpty() ? page(0) : nullptr;
  auto *page = new EditorPage(path, untitled, file);
  page->editor().setTheme(m_theme);
  connect(page, &EditorPage::stateChanged, this, [this, page] { showTitle(page); });
  auto *pause = new QTimer(page);
  pause->setSingleShot(true);
  pause->setInterval(KeepPauseMs);
  connect(pause, &QTimer::timeout, this, [this, page] { keepForRecovery(page); });
  connect(&page->editor(), &CodeEditor::edited, pause, qOverload<>(&QTimer::start));
  int index = addTab(page, page->title());
  auto *cross = new CloseButton;
  connect(cross, &CloseButton::clicked, this, [this, page] { close(page); });
  tabBar()->setTabButton(index, QTabBar::RightSide, cross);
  setCurrentIndex(index);
  showTitle(page);
  emit pageOpened(page);
  if (replaced)
    close(replaced);
  page->setFocus();
  return page;
}

EditorPage *EditorArea::newFile() { return addPage({}, ++m_untitled, {}); }

EditorPage *EditorArea::open(const QString &path) {
  if (EditorPage *already = findPath(path)) {
    setCurrentWidget(already);
    return already;
  }
  auto loaded = loadTextFile(path);
  if (auto *error = std::get_if<FileError>(&loaded)) {
    tellError(*error);
    return nullptr;
  }
  remember(path);
  return addPage(absolute(path), 0, std::get<TextFile>(loaded));
}

EditorPage *EditorArea::openOrCreate(const QString &path) {
  QFileInfo info(path);
  if (info.exists() || info.isSymLink() || !QFileInfo(info.absolutePath()).isDir() || findPath(path))
    return open(path);
  return addPage(absolute(path), 0, {});
}

void EditorArea::goRound(int steps) {
  if (count() > 0)
    setCurrentIndex((currentIndex() + steps + count()) % count());
}

void EditorArea::chooseAndOpen() {
  QString folder =
      current() && !current()->path().isEmpty() ? QFileInfo(current()->path()).path() : QString();
  for (const QString &path :
       QFileDialog::getOpenFileNames(this, text("file.open-title"), folder, text("file.filter")))
    open(path);
}

bool EditorArea::save(EditorPage *page) {
  if (page->path().isEmpty())
    return saveAs(page);
  if (std::optional<FileError> error = page->save(page->path())) {
    tellError(*error);
    return false;
  }
  m_recovery.forget(page->uri());
  showTitle(page);
  emit pageSaved(page);
  return true;
}

bool EditorArea::saveAs(EditorPage *page) {
  QString proposal = page->path().isEmpty() ? QDir::homePath() + "/main.py" : page->path();
  QString path = QFileDialog::getSaveFileName(this, text("file.save-title"), proposal, text("file.filter"));
  if (path.isEmpty())
    return false;
  QString oldUri = page->uri();
  if (std::optional<FileError> error = page->save(absolute(path))) {
    tellError(*error);
    return false;
  }
  m_recovery.forget(oldUri);
  remember(path);
  showTitle(page);
  emit pageRenamed(page, oldUri);
  emit pageSaved(page);
  return true;
}

bool EditorArea::mayDiscard(EditorPage *page) {
  if (!page->isUnsaved())
    return true;
  setCurrentWidget(page);
  QMessageBox box(QMessageBox::NoIcon, text("file.unsaved-title"), text("file.unsaved", {page->title()}),
                  QMessageBox::NoButton, this);
  QPushButton *save = box.addButton(text("file.save"), QMessageBox::AcceptRole);
  QPushButton *discard = box.addButton(text("file.discard"), QMessageBox::DestructiveRole);
  box.addButton(text("file.keep-editing"), QMessageBox::RejectRole);
  box.setDefaultButton(save);
  box.exec();
  if (box.clickedButton() == static_cast<QAbstractButton *>(save))
    return this->save(page);
  return box.clickedButton() == static_cast<QAbstractButton *>(discard);
}

bool EditorArea::close(EditorPage *page) {
  if (!page || !mayDiscard(page))
    return false;
  m_recovery.forget(page->uri());
  emit pageClosing(page);
  removeTab(indexOf(page));
  page->deleteLater();
  return true;
}

bool EditorArea::closeAll() {
  for (EditorPage *page : pages())
    if (!mayDiscard(page))
      return false;
  for (EditorPage *page : pages())
    m_recovery.forget(page->uri());
  return true;
}

void EditorArea::restore(const std::vector<Recovery::Text> &texts) {
  for (const Recovery::Text &kept : texts) {
    EditorPage *page = kept.path.isEmpty() ? nullptr : findPath(kept.path);
    if (!page)
      page = addPage(kept.path, kept.path.isEmpty() ? ++m_untitled : 0, {kept.text, kept.byteOrderMark});
    page->restore(kept.text);
    keepForRecovery(page);
  }
}

void EditorArea::keepForRecovery(EditorPage *page) {
  if (page->isUnsaved())
    m_recovery.keep(page->uri(), {page->path(), page->editor().content(), page->byteOrderMark()});
  else
    m_recovery.forget(page->uri());
}

void EditorArea::showTitle(EditorPage *page) {
  int index = indexOf(page);
  if (index < 0)
    return;
  setTabText(index, page->isUnsaved() ? page->title() + " •" : page->title());
  setTabToolTip(index, QDir::toNativeSeparators(page->path()));
  page->editor().setAccessibleName(page->title());
  if (page == current())
    emit currentPageChanged(page);
}

void EditorArea::setTheme(const viz::Theme &theme) {
  m_theme = theme;
  for (EditorPage *page : pages())
    page->editor().setTheme(theme);
}

void EditorArea::retranslate() {
  QList<QToolButton *> scroll = tabBar()->findChildren<QToolButton *>(Qt::FindDirectChildrenOnly);
  const char *names[] = {"action.previous-tab", "action.next-tab"};
  for (qsizetype i = 0; i < std::min<qsizetype>(2, scroll.size()); ++i)
    scroll[i]->setAccessibleName(text(names[i]));
  for (EditorPage *page : pages()) {
    showTitle(page);
    page->findBar().retranslate();
    tabBar()->tabButton(indexOf(page), QTabBar::RightSide)->setAccessibleName(text("action.close"));
  }
}

QStringList EditorArea::recentFiles() { return QSettings().value("recentFiles").toStringList(); }

void EditorArea::remember(const QString &path) {
  QStringList recent = recentFiles();
  recent.removeAll(absolute(path));
  recent.prepend(absolute(path));
  QSettings().setValue("recentFiles", QStringList(recent.mid(0, LongestRecentList)));
  emit recentFilesChanged();
}

void EditorArea::tellError(const FileError &error) {
  QMessageBox box(QMessageBox::NoIcon, text("app.name"), errorText(error), QMessageBox::NoButton, this);
  box.addButton(text("dialog.ok"), QMessageBox::AcceptRole);
  box.exec();
}

} // namespace tilescope::app
