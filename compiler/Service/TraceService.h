// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions tilescope/trace/* of the run process (TraceMessages.h). All of it is for the handling thread.
#pragma once

#include "compiler/Service/Server.h"
#include "compiler/Service/Session.h"
#include "compiler/Service/Trace.h"

namespace tilescope::service {

class TraceService {
public:
  /// Gives the session of a run; null, having answered, if it is not the last one.
  using SessionOfRun = std::function<std::shared_ptr<Session>(int64_t run, const ResponderPtr &responder)>;
  explicit TraceService(SessionOfRun sessionOf) : m_sessionOf(std::move(sessionOf)) {}

  void addMethods(Server &server);
  /// What is open ends: its run does.
  void close() { m_open.reset(); }

private:
  struct Open {
    int64_t id = 0;
    std::shared_ptr<Session> session; ///< whose memory the trace reads
    std::unique_ptr<Trace> trace;
  };

  void open(const protocol::TraceOpenRequest &request, const ResponderPtr &responder);
  void programs(const protocol::TraceProgramsRequest &request, const ResponderPtr &responder);
  /// Adds a method that asks the open trace; `ask(trace, request, responder)` gives a Result.
  template <typename Request, typename Ask> void add(Server &server, const char *method, Ask ask);
  /// `answer()` gives a Result, while nobody changes the memory.
  template <typename Answer>
  static void reply(Session &session, const ResponderPtr &responder, Answer answer);

  const SessionOfRun m_sessionOf;
  std::optional<Open> m_open;
  int64_t m_lastId = 0;
};

} // namespace tilescope::service
