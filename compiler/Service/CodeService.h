// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions tilescope/code* of the run process (CodeMessages.h). All of it is for the handling thread.
#pragma once

#include "compiler/Model/GpuTable.h"
#include "compiler/Protocol/CodeMessages.h"
#include "compiler/Service/LinedText.h"
#include "compiler/Service/Server.h"
#include "compiler/Service/Session.h"

namespace tilescope::service {

class CodeService {
public:
  /// Gives the session of a run; null, having answered, if it is not the last one.
  using SessionOfRun = std::function<std::shared_ptr<Session>(int64_t run, const ResponderPtr &responder)>;
  explicit CodeService(SessionOfRun sessionOf) : m_sessionOf(std::move(sessionOf)) {}

  void addMethods(Server &server);
  /// The run that was asked about ends.
  void close() { m_open.reset(); }

private:
  struct Stage {
    std::vector<std::string> lines;
    std::vector<int> sources;
  };
  /// The launch that was asked about last.
  struct Open {
    std::shared_ptr<Session> session;
    int launch = 0;
    std::string gpu;
    protocol::CodeInfo info;
    std::vector<Stage> stages; ///< those of `info`
    void add(std::string name, const LinedText &text);
  };

  /// The launch's code, compiled if it is not what was asked about last; null, having answered, if there is none.
  template <typename Request> const Open *open(const Request &request, const ResponderPtr &responder);
  static bool compile(Open &open, const LaunchCode &source, const model::Gpu &gpu, int64_t programs);
  void text(const protocol::CodeTextRequest &request, const ResponderPtr &responder);

  const SessionOfRun m_sessionOf;
  std::optional<Open> m_open;
};

} // namespace tilescope::service
