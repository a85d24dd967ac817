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

class QTabWidget;

namespace tilescope::viz {
class SmViewWidget;
}

namespace tilescope::app {

class AccessTable;
class EditorArea;
class EditorPage;
class EditorServices;
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
  explicit MainWindow(const QString &tilec);
  ~MainWindow() override;

  /// Opens files; with none it offers what a crash left, or an empty file.
  void openFiles(const QStringList &paths);
  void run();
  void setThemeName(const QString &name);
  /// One of Arrangement::names().
  void arrange(const QString &name) { m_arrangement.apply(name); }

  EditorArea &editors() { return *m_editors; }
  RunController &runs() { return m_runs; }
  ServiceProcess &languageService() { return m_languageProcess; }

protected:
  void closeEvent(QCloseEvent *event) override;
  void changeEvent(QEvent *event) override;

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
  void goToLine(const QString &path, int line);
  void goToRange(const QString &uri, const protocol::Range &range);
  void showAccessMarks();
  void offerRecovery();
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
  MenuBar *m_menuBar = nullptr;
  ToolBar *m_toolBar = nullptr;
  StatusBar *m_statusBar = nullptr;
  LaunchPanel *m_launchPanel = nullptr;
  TerminalPanel *m_terminal = nullptr;
  ProblemsPanel *m_problems = nullptr;
  AccessTable *m_accesses = nullptr;
  viz::SmViewWidget *m_view = nullptr;
  QTabWidget *m_viewTabs = nullptr;
  ViewController *m_viewController = nullptr;
  Arrangement m_arrangement;
  QString m_ranUri;
};

} // namespace tilescope::app
