// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions tilescope/access* of the run process (AccessDetail.h). All of it is for the handling thread.
#pragma once

#include "compiler/Service/LaunchAccesses.h"
#include "compiler/Service/Server.h"
#include "compiler/Service/Session.h"

namespace tilescope::service {

class AccessService {
public:
  /// Gives the session of a run; null, having answered, if it is not the last one.
  using SessionOfRun = std::function<std::shared_ptr<Session>(int64_t run, const ResponderPtr &responder)>;
  explicit AccessService(SessionOfRun sessionOf) : m_sessionOf(std::move(sessionOf)) {}

  void addMethods(Server &server);
  /// The run that was asked about ends.
  void close() { m_open.reset(); }

private:
  /// The launch that was asked about last.
  struct Open {
    std::shared_ptr<Session> session;
    int launch = 0;
    std::string gpu;
    std::unique_ptr<LaunchAccesses> accesses;
  };

  /// Answers with what `ask(accesses)` gives, while nobody changes the memory.
  template <typename Request, typename Ask>
  void reply(const Request &request, const ResponderPtr &responder, Ask ask);
  bool open(const std::shared_ptr<Session> &session, int launch, const std::string &gpu, Responder &responder);

  const SessionOfRun m_sessionOf;
  std::optional<Open> m_open;
};

} // namespace tilescope::service
