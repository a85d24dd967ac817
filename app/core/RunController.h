// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs scripts in the run process and asks it about the last run. The process may be stopped, may hang or may
// be killed from outside: the run then ends with the right words, and the next one works.
#pragma once

#include "app/core/ServiceProcess.h"

namespace tilescope::app {

class RunController final : public QObject {
  Q_OBJECT
public:
  enum class State { Idle, Running, Stopping };
  static constexpr int AnswerMs = 20000; ///< a process that takes longer to answer counts as hung

  explicit RunController(ServiceProcess &service, QObject *parent = nullptr);

  State state() const { return m_state; }
  /// The run whose answers are worth asking for; 0 before the first one and when its process is gone.
  qint64 currentRun() const { return m_answersFor; }

  /// Ignored while a run is under way. Waits for the process where that is just starting.
  void run(const QString &path, const QString &text, std::vector<protocol::Buffer> buffers);
  void stop();

  void askTiles(int launch, int output, qint64 first, qint64 count,
                std::function<void(const protocol::TilePage &)> done);
  void askProgram(int launch, qint64 program, std::function<void(const protocol::ProgramDetail &)> done);
  void askSchedule(const protocol::ScheduleRequest &request,
                   std::function<void(const protocol::Schedule &)> done, ServiceProcess::Failure failed = {});
  void askGpus(std::function<void(const protocol::GpuList &)> done);
  /// Any other question about the last run; fills in its number. `tag` as in ServiceProcess.
  template <typename Result, typename Params>
  void ask(const char *method, Params params, std::function<void(const Result &)> done, ServiceProcess::Failure failed,
           const QString &tag = {}) {
    params.run = m_answersFor;
    m_service.ask<Result>(method, params, std::move(done), {tag, AnswerMs}, std::move(failed));
  }

signals:
  void stateChanged(tilescope::app::RunController::State state);
  void started(const QString &path);
  void output(const QString &text);
  void launched(const protocol::LaunchSummary &launch);
  void finished(const protocol::RunReport &report);
  /// The run ended without a report: catalogue key "error.<id>".
  void lost(const protocol::ErrorData &reason);
  /// Questions can be asked (again).
  void available();

private:
  void setState(State state);
  void sendRun();
  void receive(const QString &method, const nlohmann::json &params);
  void end(const protocol::ErrorData &reason);

  ServiceProcess &m_service;
  State m_state = State::Idle;
  protocol::RunRequest m_request;
  bool m_waiting = false; ///< for the process to be ready
  qint64 m_lastRun = 0;
  qint64 m_answersFor = 0;
  QTimer m_patience; ///< for a run that was asked to stop
  bool m_forced = false;
};

} // namespace tilescope::app
