// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's actions and the menus that list them.
#include "app/core/MainWindow.h"

#include "app/core/Words.h"
#include "app/editor/EditorArea.h"
#include "app/editor/EditorServices.h"
#include "app/editor/FindBar.h"
#include "app/panels/AccessTable.h"
#include "app/panels/ActionSearch.h"
#include "app/panels/Bars.h"
#include "app/panels/LaunchPanel.h"
#include "app/panels/TerminalPanel.h"
#include "visualizer/render/Text.h"
#include "visualizer/widgets/ViewArea.h"

#include <QActionGroup>
#include <QDir>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>

namespace tilescope::app {
namespace {

using viz::text;

/// The menus, each with the names of its actions; "-" is a line, "*" a submenu that is filled elsewhere.
struct MenuDescription {
  const char *name;
  QStringList items;
};

const QList<MenuDescription> &menuDescriptions() {
  static const QList<MenuDescription> all{
      {"file", {"new", "open", "*recent", "-", "save", "save-as", "-", "close", "quit"}},
      {"edit",
       {"undo", "redo", "-", "cut", "copy", "paste", "-", "find", "replace", "find-next", "find-previous",
        "-", "comment", "fix", "complete", "explain", "fold-all"}},
      {"view",
       {"view-sm", "view-coalescing", "view-sram", "-", "zoom-in", "zoom-out", "zoom-reset", "-", "hints", "reduce-motion", "-", "*theme", "*language"}},
      {"run", {"run", "stop", "-", "clear-terminal"}},
      {"window",
       {"search", "next-tab", "previous-tab", "next-panel", "-", "arrange-learn", "arrange-teach",
        "arrange-debug", "arrange-reset", "-", "move-panels", "*panels"}},
      {"help", {"about"}},
  };
  return all;
}

/// The first of a panel's widgets that takes the keyboard; null if it is hidden or has none.
QWidget *entryOf(QWidget *panel) {
  if (!panel->isVisible())
    return nullptr;
  if (panel->focusPolicy() & Qt::TabFocus)
    return panel;
  for (QWidget *inner : panel->findChildren<QWidget *>())
    if (inner->isVisible() && inner->isEnabled() && inner->focusPolicy() & Qt::TabFocus)
      return inner;
  return nullptr;
}

} // namespace

/// From panel to panel by keyboard: in the editor, Tab indents.
void MainWindow::focusNextPanel() {
  QList<QWidget *> panels{m_editors->currentWidget(),
                          m_arrangement.dock("terminal"),
                          m_arrangement.dock("problems"),
                          m_views->current(),
                          m_accesses,
                          m_launchPanel};
  panels.removeAll(nullptr);
  QWidget *focus = focusWidget();
  qsizetype now = 0;
  for (qsizetype i = 0; i < panels.size(); ++i)
    if (focus && (panels[i] == focus || panels[i]->isAncestorOf(focus)))
      now = i;
  for (qsizetype step = 1; step < panels.size(); ++step)
    if (QWidget *entry = entryOf(panels[(now + step) % panels.size()]))
      return entry->setFocus(Qt::TabFocusReason);
}

void MainWindow::makeActions() {
  auto withEditor = [this](auto act) {
    return [this, act] {
      if (EditorPage *page = m_editors->current())
        act(*page);
    };
  };
  m_actions.add("new", [this] { m_editors->newFile(); }, QKeySequence::New);
  m_actions.add("open", [this] { m_editors->chooseAndOpen(); }, QKeySequence::Open);
  m_actions.add("save", withEditor([this](EditorPage &page) { m_editors->save(&page); }), QKeySequence::Save);
  m_actions.add("save-as", withEditor([this](EditorPage &page) { m_editors->saveAs(&page); }),
                QKeySequence("Ctrl+Shift+S"));
  m_actions.add("close", withEditor([this](EditorPage &page) { m_editors->close(&page); }),
                QKeySequence("Ctrl+W"));
  m_actions.add("quit", [this] { close(); }, QKeySequence("Ctrl+Q"));
  // The editor has these keys itself; the shortcuts are shown, and taken where the editor lacks the focus.
  m_actions.add("undo", withEditor([](EditorPage &page) { page.editor().undo(); }), QKeySequence::Undo);
  m_actions.add("redo", withEditor([](EditorPage &page) { page.editor().redo(); }),
                QKeySequence("Ctrl+Shift+Z"));
  m_actions.add("cut", withEditor([](EditorPage &page) { page.editor().cut(); }));
  m_actions.add("copy", withEditor([](EditorPage &page) { page.editor().copy(); }));
  m_actions.add("paste", withEditor([](EditorPage &page) { page.editor().paste(); }));
  m_actions.add("find", withEditor([](EditorPage &page) { page.findBar().open(false); }), QKeySequence::Find);
  m_actions.add("replace", withEditor([](EditorPage &page) { page.findBar().open(true); }),
                QKeySequence("Ctrl+H"));
  m_actions.add("find-next", withEditor([](EditorPage &page) { page.findBar().findNext(); }),
                QKeySequence("F3"));
  m_actions.add("find-previous", withEditor([](EditorPage &page) { page.findBar().findPrevious(); }),
                QKeySequence("Shift+F3"));
  m_actions.add("comment", withEditor([](EditorPage &page) { page.editor().toggleComment(); }),
                QKeySequence("Ctrl+/"));
  m_actions.add("next-tab", [this] { m_editors->goRound(1); }, QKeySequence("Ctrl+Tab"));
  m_actions.add("previous-tab", [this] { m_editors->goRound(-1); }, QKeySequence("Ctrl+Shift+Tab"));
  m_actions.add("next-panel", [this] { focusNextPanel(); }, QKeySequence("F6"));
  m_actions.add("fix", [this] { m_services->fixAtCursor(); }, QKeySequence("Ctrl+."));
  m_actions.add("complete", [this] { m_services->completeAtCursor(); }, QKeySequence("Ctrl+Space"));
  m_actions.add("explain", [this] { m_services->explainCursor(); }, QKeySequence("Ctrl+I"));
  m_actions.add("fold-all", withEditor([](EditorPage &page) { page.editor().foldAll(); }));
  m_actions.add("zoom-in", withEditor([](EditorPage &page) { page.editor().zoomIn(); }),
                QKeySequence("Ctrl++"));
  m_actions.add("zoom-out", withEditor([](EditorPage &page) { page.editor().zoomOut(); }),
                QKeySequence("Ctrl+-"));
  m_actions.add("zoom-reset", withEditor([](EditorPage &page) { page.editor().zoomTo(0); }),
                QKeySequence("Ctrl+0"));
  int number = 0;
  for (const viz::LaunchView *view : m_views->views())
    m_actions.add("view-" + view->id(), [this, id = view->id()] { showView(id); },
                  QKeySequence(QString("Alt+%1").arg(++number)));
  m_actions.add("run", [this] { run(); }, QKeySequence("F5"));
  m_actions.add("stop", [this] { m_runs.stop(); }, QKeySequence("Shift+F5"))->setEnabled(false);
  m_actions.add("clear-terminal", [this] { m_terminal->clear(); });
  m_actions.add("search", [this] { m_toolBar->search().start(); }, QKeySequence("Ctrl+Shift+P"));
  for (const QString &name : Arrangement::names())
    m_actions.add("arrange-" + name, [this, name] { m_arrangement.apply(name); });
  m_actions.add("arrange-reset", [this] { m_arrangement.apply("learn"); });
  m_actions.addChoice("move-panels", [this](bool on) { m_arrangement.setMovable(on); });
  m_actions.add("about", [this] {
    QMessageBox box(QMessageBox::NoIcon, text("about.title"),
                    text("about.text", {QCoreApplication::applicationVersion()}), QMessageBox::NoButton,
                    this);
    box.addButton(text("dialog.ok"), QMessageBox::AcceptRole);
    box.exec();
  });
  m_actions
      .addChoice("hints",
                 [this](bool on) {
                   QSettings().setValue("hints", on);
                   m_services->setHintsVisible(on);
                 })
      ->setChecked(QSettings().value("hints", true).toBool());
  m_actions
      .addChoice("reduce-motion",
                 [this](bool on) {
                   QSettings().setValue("reduceMotion", on);
                   m_views->setReducedMotion(on);
                 })
      ->setChecked(QSettings().value("reduceMotion", false).toBool());
  for (const char *name : {"light", "dark", "system"})
    m_actions.add(QString("theme-") + name, [this, name = QString(name)] {
      QSettings().setValue("theme", name);
      setThemeName(name);
    });
  for (const QString &code : languages())
    m_actions.add("language-" + code, [this, code] { emit m_statusBar->languageChosen(code); });
}

void MainWindow::makeMenus() {
  for (const MenuDescription &description : menuDescriptions()) {
    QMenu *menu = m_menuBar->addMenu(QString());
    menu->setObjectName(description.name);
    for (const QString &item : description.items) {
      if (item == "-")
        menu->addSeparator();
      else if (item.startsWith('*'))
        menu->addMenu(new QMenu(menu))->menu()->setObjectName(item.mid(1));
      else
        menu->addAction(m_actions[item]);
    }
  }
  auto fill = [this](const char *menu, const QStringList &items) {
    for (const QString &item : items)
      findChild<QMenu *>(menu)->addAction(m_actions[item]);
  };
  fill("theme", {"theme-light", "theme-dark", "theme-system"});
  fill("language", {"language-en", "language-fr", "language-zh"});
  for (QDockWidget *dock : m_arrangement.docks())
    findChild<QMenu *>("panels")->addAction(dock->toggleViewAction());
}

void MainWindow::fillMenus() {
  for (QMenu *menu : m_menuBar->findChildren<QMenu *>())
    if (!menu->objectName().isEmpty())
      menu->setTitle(text("menu." + menu->objectName()));
  fillRecentFiles();
}

void MainWindow::fillRecentFiles() {
  auto *menu = findChild<QMenu *>("recent");
  menu->clear();
  for (const QString &path : EditorArea::recentFiles())
    menu->addAction(QDir::toNativeSeparators(path).replace('&', "&&"), this,
                    [this, path] { m_editors->open(path); });
  menu->setEnabled(!menu->isEmpty());
}

} // namespace tilescope::app
