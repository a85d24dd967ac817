// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/RunController.h"

namespace tilescope::app {
namespace {

constexpr int StopPatienceMs = 1500;

/// Parameters of a request that has none.
struct Nothing {
  template <typename S, typename V> static void fields(S &, V &) {}
};

} // namespace

RunController::RunController(ServiceProcess &service, QObject *parent) : QObject(parent), m_service(service) {
  m_patience.setSingleShot(true);
  m_patience.setInterval(StopPatienceMs);
  connect(&m_patience, &QTimer::timeout, this, [this] {
    m_forced = true;
    m_service.restart();
  });
  connect(&service, &ServiceProcess::notification, this, &RunController::receive);
  connect(&service, &ServiceProcess::died, this, [this] { m_answersFor = 0; });
  connect(&service, &ServiceProcess::unusable, this, [this](const protocol::ErrorData &reason) {
    if (m_waiting)
      end(reason);
  });
  connect(&service, &ServiceProcess::ready, this, [this] {
    emit available();
    if (std::exchange(m_waiting, false))
      sendRun();
  });
}

void RunController::run(const QString &path, const QString &text, std::vector<protocol::Buffer> buffers) {
  if (m_state != State::Idle)
    return;
  m_request = {++m_lastRun, path.toStdString(), text.toStdString(), std::move(buffers)};
  m_answersFor = m_lastRun;
  m_forced = false;
  setState(State::Running);
  emit started(path);
  if (m_service.isReady())
    return sendRun();
  m_waiting = true;
  m_service.start(); // it may have been given up, or wait before it starts again
}

void RunController::sendRun() {
  m_answersFor = m_request.run;
  m_service.ask<protocol::RunReport>(
      "tilescope/run", m_request,
      [this](const protocol::RunReport &report) {
        m_patience.stop();
        setState(State::Idle);
        emit finished(report);
      },
      {{}, 0}, [this](const protocol::ErrorData &reason) { end(reason); });
}

void RunController::stop() {
  if (m_state != State::Running)
    return;
  if (std::exchange(m_waiting, false))
    return end({"run-stopped", {}, false});
  setState(State::Stopping);
  m_service.notify("tilescope/stop", protocol::StopRequest{m_request.run});
  m_patience.start();
}

void RunController::end(const protocol::ErrorData &reason) {
  m_patience.stop();
  m_waiting = false;
  setState(State::Idle);
  bool died = reason.id == "service-died";
  emit lost(!died ? reason : protocol::ErrorData{m_forced ? "run-stopped" : "run-died", {}, true});
}

void RunController::setState(State state) {
  if (m_state == state)
    return;
  m_state = state;
  emit stateChanged(state);
}

void RunController::receive(const QString &method, const nlohmann::json &params) {
  std::string error;
  if (protocol::Output message; method == "tilescope/output" && protocol::fromJson(params, message, error)) {
    if (message.run == m_request.run)
      emit output(QString::fromStdString(message.text));
  } else if (protocol::LaunchSummary launch;
             method == "tilescope/launch" && protocol::fromJson(params, launch, error)) {
    if (launch.run == m_request.run)
      emit launched(launch);
  }
}

void RunController::askTiles(int launch, int output, qint64 first, qint64 count,
                             std::function<void(const protocol::TilePage &)> done) {
  m_service.ask<protocol::TilePage>("tilescope/tiles",
                                    protocol::TilesRequest{m_answersFor, launch, output, first, count},
                                    std::move(done), {{}, AnswerMs});
}

void RunController::askProgram(int launch, qint64 program,
                               std::function<void(const protocol::ProgramDetail &)> done) {
  m_service.ask<protocol::ProgramDetail>("tilescope/program",
                                         protocol::ProgramRequest{m_answersFor, launch, program},
                                         std::move(done), {"program", AnswerMs});
}

void RunController::askSchedule(const protocol::ScheduleRequest &request,
                                std::function<void(const protocol::Schedule &)> done,
                                ServiceProcess::Failure failed) {
  m_service.ask<protocol::Schedule>("tilescope/schedule", request, std::move(done),
                                    {"schedule", AnswerMs}, std::move(failed));
}

void RunController::askGpus(std::function<void(const protocol::GpuList &)> done) {
  m_service.ask<protocol::GpuList>("tilescope/gpus", Nothing{}, std::move(done), {{}, AnswerMs});
}

} // namespace tilescope::app
