// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Picture.h"

#include "app/core/AppStyle.h"
#include "app/core/CommandLine.h"
#include "app/core/MainWindow.h"
#include "app/core/TextFile.h"
#include "app/core/Words.h"
#include "app/panels/ViewFeed.h"
#include "visualizer/render/Text.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QPainter>
#include <QTimer>
#include <QWindow>

#include <cstdio>

namespace tilescope::app {
namespace {

constexpr int SettleMs = 1500;           ///< for the window to be painted with everything that was asked for
constexpr double ReachableShare = 0.999; ///< the very end of a view shows nothing at work

void complain(const QString &words) { std::fprintf(stderr, "%s\n", words.toUtf8().constData()); }

/// Runs a script, has one view fed with one of its launches, paints it, and quits.
class PictureJob final : public QObject {
public:
  explicit PictureJob(const CommandLine &options)
      : m_options(options), m_process(options.tilec, ServiceProcess::Role::Run), m_runs(m_process),
        m_feed(*makeFeed(options.view, m_selection, m_runs, this)), m_view(&m_feed.view()) {
    connect(&m_runs, &RunController::launched, this,
            [this](const protocol::LaunchSummary &launch) { m_launches.push_back(launch); });
    connect(&m_runs, &RunController::finished, this, &PictureJob::afterRun);
    connect(&m_runs, &RunController::lost, this,
            [this](const protocol::ErrorData &reason) { leave(2, errorText(reason)); });
    connect(&m_feed, &ViewFeed::complete, this, &PictureJob::paint);
    connect(&m_feed, &ViewFeed::failed, this, [this](const QString &reason) { leave(2, reason); });
  }

  void start(const TextFile &file) {
    m_process.start();
    m_runs.run(QFileInfo(m_options.render).absoluteFilePath(), file.text, {});
  }

private:
  void leave(int status, const QString &words = {}) {
    if (!words.isEmpty())
      complain(words);
    QApplication::exit(status);
  }

  void afterRun(const protocol::RunReport &report) {
    for (const protocol::FileDiagnostics &file : report.diagnostics)
      for (const protocol::Diagnostic &diagnostic : file.diagnostics)
        complain(QString::fromStdString(file.path) + ":" + QString::number(diagnostic.range.start.line + 1) +
                 ": " + diagnosticText(diagnostic));
    m_status = report.outcome == "finished" ? 0 : 1;
    if (m_options.launch < 0 || static_cast<size_t>(m_options.launch) >= m_launches.size())
      return leave(m_status ? m_status
                            : 2,
                   viz::text("command.no-launch",
                             {QString::number(m_options.launch), QString::number(m_launches.size())}));
    const protocol::LaunchSummary &launch = m_launches[static_cast<size_t>(m_options.launch)];
    m_selection.setLaunch(m_options.launch, QString::fromStdString(launch.kernel));
    m_selection.setProgram(m_options.program);
    m_selection.setOperation(m_options.access);
    m_view->setLaunch(launch);
    m_feed.feed(launch, m_options.gpu);
  }

  void paint() {
    QImage image(m_options.size, QImage::Format_RGB32);
    QPainter painter(&image);
    double time = std::clamp(m_options.at, 0.0, ReachableShare) * m_view->playable().duration;
    m_view->paint(painter, image.rect(), time, themeByName(m_options.theme.isEmpty() ? "light" : m_options.theme));
    painter.end();
    if (!image.save(m_options.output))
      return leave(2, viz::text("command.unwritable", {m_options.output}));
    leave(m_status);
  }

  const CommandLine &m_options;
  ServiceProcess m_process;
  RunController m_runs;
  viz::Selection m_selection;
  ViewFeed &m_feed;
  std::unique_ptr<viz::LaunchView> m_view;
  std::vector<protocol::LaunchSummary> m_launches;
  int m_status = 0;
};

} // namespace

int renderPicture(const CommandLine &options) {
  auto loaded = loadTextFile(options.render);
  if (auto *error = std::get_if<FileError>(&loaded)) {
    complain(errorText(*error));
    return 2;
  }
  PictureJob job(options);
  job.start(std::get<TextFile>(loaded));
  return QApplication::exec();
}

namespace {

/// Prints when the window is on the screen and when the language service is ready, and ends the program.
void printStartup(MainWindow &window, const QElapsedTimer &sinceStart) {
  auto *look = new QTimer(&window);
  look->callOnTimeout([look, &window, sinceStart, shown = false]() mutable {
    if (!shown && window.windowHandle()->isExposed()) {
      shown = true;
      std::printf("window %lld ms\n", sinceStart.elapsed());
    }
    if (shown && window.languageService().isReady()) {
      std::printf("service %lld ms\n", sinceStart.elapsed());
      QApplication::exit(0);
      look->stop();
    }
  });
  look->start(1);
}

} // namespace

void automate(MainWindow &window, const CommandLine &options, const QElapsedTimer &sinceStart) {
  if (options.startupTime)
    return printStartup(window, sinceStart);
  auto shoot = [&window, &options] {
    QTimer::singleShot(SettleMs, &window, [&window, &options] {
      QApplication::exit(window.grab().save(options.screenshot) ? 0 : 2);
    });
  };
  window.resize(options.size);
  QTimer::singleShot(0, &window, [&window, &options] {
    window.arrange("learn");
    window.showView(options.view);
  });
  if (!options.afterRun)
    return shoot();
  QObject::connect(&window.runs(), &RunController::finished, &window, shoot);
  QObject::connect(&window.runs(), &RunController::lost, &window, shoot);
  QTimer::singleShot(300, &window, &MainWindow::run);
}

} // namespace tilescope::app
