// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/RunService.h"

#include "compiler/Service/Convert.h"
#include "compiler/Service/Machine.h"

namespace tilescope::service {

using nlohmann::json;
using protocol::toJson;

namespace {

struct Nothing {
  template <typename S, typename V> static void fields(S &, V &) {}
};

constexpr const char *OutcomeNames[] = {"finished", "failed", "stopped"};

const ErrorKind &errorOf(Refusal refusal) {
  switch (refusal) {
  case Refusal::UnknownLaunch:
    return errors::UnknownLaunch;
  case Refusal::UnknownProgram:
    return errors::UnknownProgram;
  case Refusal::Evicted:
    return errors::Evicted;
  case Refusal::Abandoned:
    return errors::Cancelled;
  case Refusal::Busy:
    break;
  }
  return errors::Busy;
}

template <typename T> void reply(Responder &responder, const Session::Answer<T> &answer) {
  if (const T *value = std::get_if<T>(&answer))
    responder.result(toJson(*value));
  else
    responder.fail(errorOf(std::get<Refusal>(answer)));
}

SourceFilePtr scriptOf(const protocol::RunRequest &request) {
  return std::make_shared<SourceFile>(request.path, request.text);
}

Sources sourcesOf(const protocol::RunRequest &request) {
  std::map<std::string, SourceFilePtr> buffers;
  for (const protocol::Buffer &buffer : request.buffers)
    buffers[buffer.path] = std::make_shared<SourceFile>(buffer.path, buffer.text);
  return {request.path, std::move(buffers)};
}

} // namespace

RunService::RunService(Transport &transport)
    : m_server(transport, json::object()), m_traces(sessions()), m_accesses(sessions()),
      m_code(sessions()) {
  addMethods();
  m_traces.addMethods(m_server);
  m_accesses.addMethods(m_server);
  m_code.addMethods(m_server);
}

TraceService::SessionOfRun RunService::sessions() {
  return [this](int64_t id, const ResponderPtr &responder) {
    const RunPtr run = runFor(id, responder);
    return run ? run->session : nullptr;
  };
}

void RunService::addMethods() {
  m_server.onUrgent<protocol::StopRequest>("tilescope/stop",
                                           [this](const protocol::StopRequest &params) { stop(params.run); });
  m_server.onRequest<protocol::RunRequest>(
      "tilescope/run", [this](const protocol::RunRequest &params, const ResponderPtr &responder) {
        start(params, responder);
      });
  m_server.onRequest<protocol::TilesRequest>(
      "tilescope/tiles", [this](const protocol::TilesRequest &params, const ResponderPtr &responder) {
        tiles(params, responder);
      });
  m_server.onRequest<protocol::ProgramRequest>(
      "tilescope/program", [this](const protocol::ProgramRequest &params, const ResponderPtr &responder) {
        program(params, responder);
      });
  m_server.onRequest<Nothing>("tilescope/gpus", [](const Nothing &, const ResponderPtr &responder) {
    responder->result(toJson(gpuList()));
  });
  m_server.onRequest<protocol::ScheduleRequest>(
      "tilescope/schedule", [](const protocol::ScheduleRequest &params, const ResponderPtr &responder) {
        Result<protocol::Schedule> found = schedule(params);
        if (found)
          return responder->result(toJson(*found));
        responder->fail(found.error().id == errors::UnknownGpu.id ? errors::UnknownGpu
                                                                  : errors::WrongSchedule,
                        found.error().arguments);
      });
}

// --- running ---------------------------------------------------------------------------------------------

void RunService::start(const protocol::RunRequest &request, const ResponderPtr &responder) {
  if (m_isRunning)
    return responder->fail(errors::Busy);
  if (m_thread.joinable())
    m_thread.join();
  m_traces.close();
  m_accesses.close();
  m_code.close();
  auto run = std::make_shared<Run>();
  run->id = request.run;
  auto output = std::make_shared<OutputStream>([this, id = request.run](std::string text) {
    m_server.notify("tilescope/output", toJson(protocol::Output{id, std::move(text)}));
  });
  SessionOptions options;
  options.print = [output, stopped = &run->stopped](std::string_view text) { output->write(text, *stopped); };
  options.launched = [this, id = request.run](protocol::LaunchSummary launch) {
    launch.run = id;
    m_server.notify("tilescope/launch", toJson(launch));
  };
  run->session = std::make_shared<Session>(scriptOf(request), sourcesOf(request), std::move(options));
  {
    std::lock_guard lock(m_mutex);
    m_run = run;
    if (m_stopped == run->id)
      run->stop();
  }
  responder->whenFailed([this, id = request.run] { stop(id); });
  m_isRunning = true;
  m_thread = std::thread([=, this] {
    const protocol::RunReport report = carryOut(*run, *output);
    m_isRunning = false;
    responder->result(toJson(report));
  });
}

protocol::RunReport RunService::carryOut(Run &run, OutputStream &output) {
  const Clock::time_point begin = Clock::now();
  const host::Outcome outcome = run.session->run();
  protocol::RunReport report;
  report.run = run.id;
  report.outcome = OutcomeNames[static_cast<int>(outcome)];
  report.wallMs = millisecondsSince(begin);
  report.launches = run.session->launches();
  report.programs = run.session->programs();
  report.diagnostics = byFile(run.session->diagnostics().all());
  output.flush();
  return report;
}

/// On the reading thread: a run is stopped whatever the others do.
void RunService::stop(int64_t id) {
  std::lock_guard lock(m_mutex);
  m_stopped = id;
  if (m_run && m_run->id == id)
    m_run->stop();
}

// --- questions -------------------------------------------------------------------------------------------

RunService::RunPtr RunService::runFor(int64_t id, const ResponderPtr &responder) {
  if (m_run && m_run->id == id)
    return m_run;
  responder->fail(errors::UnknownRun, {std::to_string(id)});
  return nullptr;
}

void RunService::tiles(const protocol::TilesRequest &request, const ResponderPtr &responder) {
  if (RunPtr run = runFor(request.run, responder))
    reply(*responder, run->session->tiles(request, [&] { return responder->isDoneOrExpired(); }));
}

void RunService::program(const protocol::ProgramRequest &request, const ResponderPtr &responder) {
  if (RunPtr run = runFor(request.run, responder))
    reply(*responder, run->session->program(request));
}

} // namespace tilescope::service
