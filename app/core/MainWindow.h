// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window: puts the parts together and connects them. What the parts do is their own business; menus are
// in WindowMenus.cpp, the arrangement of docks in Arrangement.h.
#pragma once

#include "app/core/Actions.h"
#include "app/core/Arrangement.h"
#include "app/core/LanguageClient.h"
#include "app/core/Recovery.h"
#include "app/core/RunController.h"
#include "app/core/RunModel.h"
#include "app/core/ServiceProcess.h"
#include "visualizer/render/Theme.h"
#include "visualizer/widgets/Selection.h"

#include <QMainWindow>

class QTabBar;

namespace tilescope::viz {
class ViewArea;
}

namespace tilescope::app {

class AccessTable;
class EditorArea;
class EditorPage;
class EditorServices;
class Follow;
class LaunchPanel;
class MenuBar;
class ProblemsPanel;
class StatusBar;
class TerminalPanel;
class ToolBar;
class ViewController;

class MainWindow final : public QMainWindow {
  Q_OBJECT
public:
  /// An empty `theme` is the one that was kept.
  explicit MainWindow(const QString &tilec, const QString &theme = {});
  ~MainWindow() override;

  /// Opens files, or an empty one. A file that does not exist yet is an empty page of that name.
  void openFiles(const QStringList &paths);
  /// Asks whether to restore what a crash left behind, if it did.
  void offerRecovery();
  void run();
  /// "light", "dark" or "system"; does not keep it.
  void setThemeName(const QString &name);
  /// One of Arrangement::names().
  void arrange(const QString &name) { m_arrangement.apply(name); }

  /// Brings a view to the front: "sm", "coalescing", "sram".
  void showView(const QString &id);

  EditorArea &editors() { return *m_editors; }
  RunController &runs() { return m_runs; }
  ServiceProcess &languageService() { return m_languageProcess; }

protected:
  void closeEvent(QCloseEvent *event) override;
  void changeEvent(QEvent *event) override;
  void childEvent(QChildEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;
  void dropEvent(QDropEvent *event) override;
  bool eventFilter(QObject *object, QEvent *event) override;

private:
  void makeParts();
  void makeDocks();
  void makeActions(); // WindowMenus.cpp
  void makeMenus();   // WindowMenus.cpp
  void connectRuns();
  void connectEditors();
  void connectNavigation();
  void retranslate();
  void fillMenus(); // WindowMenus.cpp
  void fillRecentFiles();
  void showTitle();
  void focusNextPanel(); // WindowMenus.cpp
  void goToLine(const QString &path, int line);
  void goToRange(const QString &uri, const protocol::Range &range);
  void setCompact(bool compact);
  void watchTabs(QTabBar *tabs);
  void paintStrip(QTabBar &tabs, QEvent &event);
  void showPlace(EditorPage *page);
  void reportRun(const protocol::RunReport &report);
  void readyLine();

  viz::Theme m_theme;
  Recovery m_recovery;
  ServiceProcess m_languageProcess;
  ServiceProcess m_runProcess;
  LanguageClient m_language;
  RunController m_runs;
  RunModel m_model;
  viz::Selection m_selection;
  Actions m_actions;

  EditorArea *m_editors = nullptr;
  EditorServices *m_services = nullptr;
  Follow *m_follow = nullptr;
  MenuBar *m_menuBar = nullptr;
  ToolBar *m_toolBar = nullptr;
  StatusBar *m_statusBar = nullptr;
  LaunchPanel *m_launchPanel = nullptr;
  TerminalPanel *m_terminal = nullptr;
  ProblemsPanel *m_problems = nullptr;
  AccessTable *m_accesses = nullptr;
  viz::ViewArea *m_views = nullptr;
  ViewController *m_viewController = nullptr;
  Arrangement m_arrangement;
  QString m_ranUri;
  bool m_compact = false;
};

} // namespace tilescope::app
