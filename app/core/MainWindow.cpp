// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/MainWindow.h"

#include "app/core/AppStyle.h"
#include "app/core/Follow.h"
#include "app/core/Words.h"
#include "app/editor/EditorArea.h"
#include "app/editor/EditorServices.h"
#include "app/editor/FileWatch.h"
#include "app/panels/AccessTable.h"
#include "app/panels/ActionSearch.h"
#include "app/panels/Bars.h"
#include "app/panels/LaunchPanel.h"
#include "app/panels/ProblemsPanel.h"
#include "app/panels/StagesView.h"
#include "app/panels/TerminalPanel.h"
#include "app/panels/ViewController.h"
#include "visualizer/render/Text.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QSettings>
#include <QStyle>
#include <QTabBar>
#include <QUrl>
#include <QVBoxLayout>

namespace tilescope::app {

using viz::grouped;
using viz::text;

namespace {

/// Below this the bars are lower and margins narrower.
constexpr QSize RoomyWindow(1600, 900);
constexpr int MenuHeight = 32, CompactMenuHeight = 28;

/// Makes a widget measure itself again.
void tellStyleChange(QWidget &widget) {
  QEvent changed(QEvent::StyleChange);
  QCoreApplication::sendEvent(&widget, &changed);
}

/// The table hangs in the panel's margin as the picture above it does.
QWidget *inMargin(QWidget *widget) {
  auto *panel = new QWidget;
  panel->setObjectName("accessPanel");
  auto *layout = new QVBoxLayout(panel);
  layout->setContentsMargins(48, 4, 16, 0);
  layout->addWidget(widget);
  return panel;
}

} // namespace

MainWindow::MainWindow(const QString &tilec, const QString &theme)
    : m_recovery(Recovery::defaultFolder()), m_languageProcess(tilec, ServiceProcess::Role::Language),
      m_runProcess(tilec, ServiceProcess::Role::Run), m_language(m_languageProcess), m_runs(m_runProcess),
      m_actions(*this), m_arrangement(*this) {
  makeParts();
  makeDocks();
  makeActions();
  makeMenus();
  connectEditors();
  connectRuns();
  connectNavigation();
  setThemeName(theme.isEmpty() ? QSettings().value("theme", "system").toString() : theme);
  retranslate();
  m_arrangement.restore();
  m_languageProcess.start();
  m_runProcess.start();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeParts() {
  m_menuBar = new MenuBar;
  m_menuBar->setFixedHeight(MenuHeight);
  setMenuBar(m_menuBar);
  m_toolBar = new ToolBar(m_model, m_selection, m_actions);
  addToolBar(m_toolBar);
  m_statusBar = new StatusBar;
  setStatusBar(m_statusBar);
  m_editors = new EditorArea(m_recovery);
  setCentralWidget(m_editors);
  m_editors->installEventFilter(this);
  m_services = new EditorServices(*m_editors, m_language, this);
  m_follow = new Follow(*m_editors, m_model, m_selection, this);
  new FileWatch(*m_editors, this);
  m_launchPanel = new LaunchPanel(m_model, m_selection);
  m_terminal = new TerminalPanel;
  m_problems = new ProblemsPanel;
  m_accesses = new AccessTable(m_model, m_selection);
  m_views = new viz::ViewArea;
  m_viewController = new ViewController(m_model, m_selection, m_runs, *m_views, this);
  watchTabs(m_views->tabBar());
  watchTabs(m_editors->tabBar());
}

void MainWindow::makeDocks() {
  setDockOptions(AllowTabbedDocks | AllowNestedDocks | AnimatedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  m_arrangement.add("launches", m_launchPanel);
  m_arrangement.add("terminal", m_terminal);
  m_arrangement.add("problems", m_problems);
  m_arrangement.add("view", m_views);
  m_arrangement.add("accesses", inMargin(m_accesses), /*heading=*/true);
  setAcceptDrops(true);
}

void MainWindow::showView(const QString &id) {
  m_arrangement.dock("view")->show();
  m_views->showView(id);
}

void MainWindow::setThemeName(const QString &name) {
  m_theme = themeByName(name);
  qApp->setPalette(paletteOf(m_theme));
  qApp->setStyleSheet(styleSheetOf(m_theme));
  m_editors->setTheme(m_theme);
  m_services->setTheme(m_theme);
  m_launchPanel->setTheme(m_theme);
  m_terminal->setTheme(m_theme);
  m_problems->setTheme(m_theme);
  m_views->setTheme(m_theme);
  m_toolBar->setRunState(m_runs.state());
  if (m_terminal->isFresh())
    readyLine();
}

void MainWindow::connectEditors() {
  connect(m_editors, &EditorArea::currentPageChanged, this, [this](EditorPage *page) {
    showTitle();
    if (page)
      showPlace(page);
    if (page && m_terminal->isFresh())
      readyLine();
  });
  connect(m_editors, &EditorArea::pageOpened, this, [this](EditorPage *page) {
    connect(&page->editor(), &QsciScintilla::cursorPositionChanged, page, [this, page] { showPlace(page); });
  });
  connect(m_editors, &EditorArea::recentFilesChanged, this, &MainWindow::fillRecentFiles);
  connect(m_services, &EditorServices::edited, this, [this](EditorPage *page) {
    if (page->uri() == m_ranUri)
      m_model.setStale(true);
  });
  connect(m_services, &EditorServices::diagnosticsChanged, this,
          [this](const QString &uri, const std::vector<protocol::Diagnostic> &diagnostics) {
            m_problems->setDiagnostics(ProblemsPanel::Source::Editing, uri, diagnostics);
          });
  connect(m_problems, &ProblemsPanel::countChanged, this, [this](int count) {
    m_statusBar->setProblems(count);
    m_arrangement.dock("problems")->setWindowTitle(text("panel.problems") + "  " + grouped(count));
  });
}

void MainWindow::connectRuns() {
  connect(&m_runs, &RunController::stateChanged, m_toolBar, &ToolBar::setRunState);
  connect(&m_runs, &RunController::stateChanged, this, [this](RunController::State state) {
    m_actions["run"]->setEnabled(state == RunController::State::Idle);
    m_actions["stop"]->setEnabled(state == RunController::State::Running);
  });
  connect(&m_runs, &RunController::output, m_terminal, &TerminalPanel::print);
  connect(&m_runs, &RunController::launched, &m_model, &RunModel::add);
  connect(&m_runs, &RunController::finished, this, &MainWindow::reportRun);
  connect(&m_runs, &RunController::lost, this, [this](const protocol::ErrorData &reason) {
    m_terminal->say(errorText(reason), TerminalPanel::Voice::Problem);
  });
  connect(&m_languageProcess, &ServiceProcess::unusable, this, [this](const protocol::ErrorData &reason) {
    m_terminal->say(errorText(reason), TerminalPanel::Voice::Problem);
  });
  connect(m_toolBar, &ToolBar::runClicked, this, &MainWindow::run);
  connect(m_toolBar, &ToolBar::stopClicked, &m_runs, &RunController::stop);
}

void MainWindow::connectNavigation() {
  connect(m_launchPanel, &LaunchPanel::lineActivated, this, &MainWindow::goToLine);
  connect(m_accesses, &AccessTable::lineActivated, this, &MainWindow::goToLine);
  connect(m_views, &viz::ViewArea::lineActivated, this, &MainWindow::goToLine);
  connect(m_viewController, &ViewController::programHovered, m_toolBar, &ToolBar::setHoveredProgram);
  connect(m_viewController, &ViewController::programHovered, m_follow, &Follow::setHoveredProgram);
  connect(m_terminal, &TerminalPanel::lineActivated, this, &MainWindow::goToLine);
  connect(&m_toolBar->search(), &ActionSearch::left, this, [this] {
    if (EditorPage *page = m_editors->current())
      page->setFocus();
  });
  connect(m_problems, &ProblemsPanel::activated, this, &MainWindow::goToRange);
  connect(m_problems, &ProblemsPanel::fixChosen, this, [this](const QString &uri, const protocol::Fix &fix) {
    if (EditorPage *page = m_editors->findUri(uri))
      page->editor().applyFix(fix);
  });
  connect(m_statusBar, &StatusBar::gpuChosen, m_viewController, &ViewController::setGpu);
  connect(m_statusBar, &StatusBar::languageChosen, this, [](const QString &code) {
    QSettings().setValue("language", code);
    setLanguage(code);
  });
  connect(m_viewController, &ViewController::gpuChanged, m_statusBar, &StatusBar::setGpu);
  connect(m_viewController, &ViewController::gpusKnown, this, [this] {
    QStringList names;
    for (const protocol::GpuInfo &gpu : m_viewController->gpus())
      names << QString::fromStdString(gpu.name);
    m_statusBar->setGpus(names);
  });
  m_statusBar->setGpu(m_viewController->gpu());
}

void MainWindow::run() {
  EditorPage *page = m_editors->current();
  if (!page || m_runs.state() != RunController::State::Idle)
    return;
  std::vector<protocol::Buffer> buffers;
  for (EditorPage *other : m_editors->pages())
    if (other != page && !other->path().isEmpty())
      buffers.push_back({other->path().toStdString(), other->editor().content().toStdString()});
  m_ranUri = page->uri();
  m_services->clearRunDiagnostics();
  m_problems->clearSource(ProblemsPanel::Source::Run);
  m_model.begin(page->runPath());
  m_terminal->begin(text("terminal.running", {page->title()}));
  m_runs.run(page->runPath(), page->editor().content(), std::move(buffers));
}

void MainWindow::reportRun(const protocol::RunReport &report) {
  int problems = 0;
  for (const protocol::FileDiagnostics &file : report.diagnostics) {
    bool script = QString::fromStdString(file.path) == m_model.script();
    QString uri = script
                      ? m_ranUri
                      : QUrl::fromLocalFile(QString::fromStdString(file.path)).toString(QUrl::FullyEncoded);
    m_services->setRunDiagnostics(uri, file.diagnostics);
    m_problems->setDiagnostics(ProblemsPanel::Source::Run, uri, file.diagnostics);
    for (const protocol::Diagnostic &diagnostic : file.diagnostics) {
      int line = static_cast<int>(diagnostic.range.start.line) + 1;
      m_terminal->sayProblem(text("terminal.problem", {grouped(line), diagnosticText(diagnostic)}),
                             QString::fromStdString(file.path), line);
      ++problems;
    }
  }
  m_terminal->say(
      text(QString("terminal.%1").arg(QString::fromStdString(report.outcome)),
           {viz::countText("count.launches", static_cast<qint64>(report.launches)),
            viz::countText("count.programs", static_cast<qint64>(report.programs)), problemsText(problems)}));
  if (report.outcome == "failed")
    m_arrangement.dock("problems")->raise();
}

void MainWindow::readyLine() {
  EditorPage *page = m_editors->current();
  m_terminal->restart(page ? text("terminal.ready", {page->title()}) : text("terminal.ready-empty"));
}

void MainWindow::openFiles(const QStringList &paths) {
  for (const QString &path : paths) {
    bool exists = QFileInfo::exists(path);
    if (m_editors->openOrCreate(path) && !exists)
      m_terminal->restart(text("terminal.new-file", {QFileInfo(path).fileName()}));
  }
  if (m_editors->count() == 0)
    m_editors->newFile();
}

void MainWindow::offerRecovery() {
  std::vector<Recovery::Text> texts = m_recovery.leftBehind();
  if (texts.empty())
    return;
  QMessageBox box(QMessageBox::NoIcon, text("recovery.title"),
                  viz::countText("recovery.question", static_cast<qint64>(texts.size())),
                  QMessageBox::NoButton, this);
  QPushButton *restore = box.addButton(text("recovery.restore"), QMessageBox::AcceptRole);
  box.addButton(text("recovery.discard"), QMessageBox::DestructiveRole);
  box.setDefaultButton(restore);
  box.exec();
  if (box.clickedButton() == static_cast<QAbstractButton *>(restore))
    m_editors->restore(texts);
  m_recovery.discardLeftBehind();
}

void MainWindow::goToLine(const QString &path, int line) {
  EditorPage *page = path == m_model.script() ? m_editors->findUri(m_ranUri) : m_editors->open(path);
  if (!page)
    return;
  m_editors->setCurrentWidget(page);
  page->editor().goTo({static_cast<uint32_t>(line - 1), 0});
}

void MainWindow::goToRange(const QString &uri, const protocol::Range &range) {
  EditorPage *page = m_editors->findUri(uri);
  if (!page)
    page = m_editors->open(QUrl(uri).toLocalFile());
  if (!page)
    return;
  m_editors->setCurrentWidget(page);
  page->editor().select(range);
}

void MainWindow::showPlace(EditorPage *page) {
  protocol::Position place = page->editor().cursor();
  int line = static_cast<int>(place.line) + 1;
  m_statusBar->setPlace(line, static_cast<int>(place.character) + 1);
  if (auto *stages = m_views->findChild<StagesView *>())
    stages->setSourceLine(page->runPath(), line);
}

void MainWindow::showTitle() {
  EditorPage *page = m_editors->current();
  QString title = page ? text("window.title", {page->title()}) : text("app.name");
  setWindowTitle(title);
  m_menuBar->setTitle(title);
}

void MainWindow::retranslate() {
  m_actions.retranslate();
  fillMenus();
  m_toolBar->retranslate();
  m_statusBar->retranslate();
  m_arrangement.retranslate();
  m_launchPanel->retranslate();
  m_problems->retranslate();
  m_accesses->retranslate();
  m_views->retranslate();
  m_editors->retranslate();
  m_terminal->setAccessibleName(text("panel.terminal"));
  showTitle();
  if (m_terminal->isFresh())
    readyLine();
}

void MainWindow::changeEvent(QEvent *event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::LanguageChange && m_views)
    retranslate();
}

void MainWindow::setCompact(bool compact) {
  if (std::exchange(m_compact, compact) == compact)
    return;
  setProperty("compact", compact);
  m_menuBar->setFixedHeight(compact ? CompactMenuHeight : MenuHeight);
  m_toolBar->setCompact(compact);
  findChild<QWidget *>("accessPanel")->layout()->setContentsMargins(compact ? 4 : 48, 4, compact ? 4 : 16, 0);
  QList<QWidget *> bars{m_menuBar, m_statusBar, m_accesses, m_accesses->horizontalHeader()};
  for (QTabBar *tabs : findChildren<QTabBar *>())
    bars << tabs;
  for (QWidget *bar : bars) { // the style sheet has other sizes for it
    style()->unpolish(bar);
    style()->polish(bar);
    tellStyleChange(*bar);
    bar->updateGeometry();
  }
  m_arrangement.fit();
}

void MainWindow::resizeEvent(QResizeEvent *event) {
  QMainWindow::resizeEvent(event);
  setCompact(width() < RoomyWindow.width() || height() < RoomyWindow.height());
}

bool MainWindow::eventFilter(QObject *object, QEvent *event) {
  if (object == m_editors && (event->type() == QEvent::Move || event->type() == QEvent::Resize))
    m_toolBar->alignChoosers(m_editors->mapTo(this, QPoint()).x());
  auto *tabs = qobject_cast<QTabBar *>(object);
  if (tabs && event->type() == QEvent::Paint) {
    paintStrip(*tabs, *event);
    return true;
  }
  return QMainWindow::eventFilter(object, event);
}

void MainWindow::watchTabs(QTabBar *tabs) {
  tabs->setUsesScrollButtons(tabs == m_editors->tabBar()); // files can be many, panels are few
  tabs->installEventFilter(this);
  // The selected one is strong and so wider, which the bar does not measure again by itself.
  connect(tabs, &QTabBar::currentChanged, tabs, [tabs] { tellStyleChange(*tabs); }, Qt::QueuedConnection);
}

/// The line below tabs goes on where there are none, instead of the style's own.
void MainWindow::paintStrip(QTabBar &tabs, QEvent &event) {
  tabs.removeEventFilter(this);
  QCoreApplication::sendEvent(&tabs, &event);
  tabs.installEventFilter(this);
  QRect rest = tabs.rect();
  for (int tab = 0; tab < tabs.count(); ++tab)
    rest.setLeft(std::max(rest.left(), tabs.tabRect(tab).right() + 1));
  QPainter painter(&tabs);
  painter.fillRect(rest, m_theme.chrome);
  painter.fillRect(QRect(rest.left(), rest.bottom(), rest.width(), 1), m_theme.hair);
}

void MainWindow::childEvent(QChildEvent *event) {
  QMainWindow::childEvent(event);
  if (event->polished()) // the tabs of docks come and go
    if (auto *tabs = qobject_cast<QTabBar *>(event->child()))
      watchTabs(tabs);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
  if (event->mimeData()->hasUrls())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
  for (const QUrl &url : event->mimeData()->urls())
    if (url.isLocalFile())
      m_editors->open(url.toLocalFile());
  event->acceptProposedAction();
}

void MainWindow::closeEvent(QCloseEvent *event) {
  if (!m_editors->closeAll())
    return event->ignore();
  m_arrangement.keep();
  event->accept();
}

} // namespace tilescope::app
