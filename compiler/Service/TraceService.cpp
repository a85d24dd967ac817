// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/TraceService.h"

#include <algorithm>

namespace tilescope::service {

using nlohmann::json;

namespace {

void fail(Responder &responder, const Error &error) {
  static constexpr const ErrorKind *Kinds[] = {
      &errors::UnknownProgram, &errors::LogDropped,      &errors::Evicted,
      &errors::WrongPosition,  &errors::UnknownValue,    &errors::NoAccess,
      &errors::NoCodeOnLine,   &errors::WrongExpression, &errors::NotAnExpression};
  const auto found = std::ranges::find(Kinds, error.id, [](const ErrorKind *kind) { return kind->id; });
  responder.fail(found == std::end(Kinds) ? errors::Evicted : **found, error.arguments);
}

} // namespace

template <typename Answer>
void TraceService::reply(Session &session, const ResponderPtr &responder, Answer answer) {
  const std::unique_lock memory = session.lockMemory();
  if (!memory)
    return responder->fail(errors::Busy);
  const auto result = answer();
  if (result)
    responder->result(protocol::toJson(*result));
  else
    fail(*responder, result.error());
}

template <typename Request, typename Ask>
void TraceService::add(Server &server, const char *method, Ask ask) {
  server.onRequest<Request>(method, [this, ask](const Request &request, const ResponderPtr &responder) {
    if (!m_open || m_open->id != request.trace)
      return responder->fail(errors::UnknownTrace, {std::to_string(request.trace)});
    reply(*m_open->session, responder, [&] { return ask(*m_open->trace, request, *responder); });
  });
}

void TraceService::addMethods(Server &server) {
  using namespace protocol;
  server.onRequest<TraceOpenRequest>(
      "tilescope/trace/open",
      [this](const TraceOpenRequest &request, const ResponderPtr &responder) { open(request, responder); });
  server.onRequest<TraceProgramsRequest>(
      "tilescope/trace/programs", [this](const TraceProgramsRequest &request, const ResponderPtr &responder) {
        programs(request, responder);
      });
  server.onRequest<TraceCloseRequest>(
      "tilescope/trace/close", [this](const TraceCloseRequest &request, const ResponderPtr &responder) {
        if (m_open && m_open->id == request.trace)
          close();
        responder->result(json::object());
      });
  add<TraceTimelineRequest>(
      server, "tilescope/trace/timeline",
      [](Trace &trace, const auto &request, Responder &) { return trace.timeline(request); });
  add<TraceStopRequest>(server, "tilescope/trace/stop", [](Trace &trace, const auto &request, Responder &) {
    return trace.stop(request.position);
  });
  add<TraceStepRequest>(server, "tilescope/trace/step",
                        [](Trace &trace, const auto &request, Responder &) { return trace.step(request); });
  add<TraceContinueRequest>(server, "tilescope/trace/continue",
                            [](Trace &trace, const auto &request, Responder &responder) {
                              return trace.goOn(request, [&] { return responder.isDoneOrExpired(); });
                            });
  add<TraceElementsRequest>(
      server, "tilescope/trace/elements",
      [](Trace &trace, const auto &request, Responder &) { return trace.elements(request); });
  add<TraceAccessRequest>(
      server, "tilescope/trace/access",
      [](Trace &trace, const auto &request, Responder &) { return trace.access(request); });
  add<TraceEvaluateRequest>(
      server, "tilescope/trace/evaluate",
      [](Trace &trace, const auto &request, Responder &) { return trace.evaluate(request); });
}

void TraceService::open(const protocol::TraceOpenRequest &request, const ResponderPtr &responder) {
  const std::shared_ptr<Session> session = m_sessionOf(request.run, responder);
  if (!session)
    return;
  std::optional<TraceSource> source = session->traceSource(request.launch);
  if (!source)
    return responder->fail(errors::UnknownLaunch);
  if (request.program < 0)
    return responder->fail(errors::UnknownProgram);
  close();
  reply(*session, responder, [&]() -> Result<protocol::TraceInfo> {
    Result<std::unique_ptr<Trace>> trace =
        Trace::open(session->memory(), std::move(*source), static_cast<uint64_t>(request.program));
    if (!trace)
      return trace.error();
    m_open = Open{++m_lastId, session, std::move(*trace)};
    protocol::TraceInfo info = m_open->trace->info();
    info.trace = m_open->id;
    return info;
  });
}

void TraceService::programs(const protocol::TraceProgramsRequest &request, const ResponderPtr &responder) {
  const std::shared_ptr<Session> session = m_sessionOf(request.run, responder);
  if (!session)
    return;
  const std::optional<TraceSource> source = session->traceSource(request.launch);
  if (!source)
    return responder->fail(errors::UnknownLaunch);
  reply(*session, responder, [&] {
    return stopsOfPrograms(session->memory(), *source, request, [&] { return responder->isDoneOrExpired(); });
  });
}

} // namespace tilescope::service
