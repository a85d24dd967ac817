// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run half of `tilec serve --role=run`: carries scripts out, one at a time, and answers questions about
// the last one and about the modelled GPUs. May be killed at any moment; nothing but the run is lost.
#pragma once

#include "compiler/Service/AccessService.h"
#include "compiler/Service/CodeService.h"
#include "compiler/Service/OutputStream.h"
#include "compiler/Service/Server.h"
#include "compiler/Service/Session.h"
#include "compiler/Service/TraceService.h"

#include <thread>

namespace tilescope::service {

class RunService {
public:
  explicit RunService(Transport &transport);
  /// Serves; ends the process.
  [[noreturn]] void serve() { m_server.serve(); }

private:
  /// The last script that was run, or the one that is running.
  struct Run {
    int64_t id = 0;
    std::shared_ptr<Session> session;
    std::atomic<bool> stopped = false;
    void stop() {
      stopped = true;
      session->stop();
    }
  };
  using RunPtr = std::shared_ptr<Run>;

  void addMethods();
  void start(const protocol::RunRequest &request, const ResponderPtr &responder);
  static protocol::RunReport carryOut(Run &run, OutputStream &output);
  void stop(int64_t id);
  void tiles(const protocol::TilesRequest &request, const ResponderPtr &responder);
  void program(const protocol::ProgramRequest &request, const ResponderPtr &responder);
  TraceService::SessionOfRun sessions();
  RunPtr runFor(int64_t id, const ResponderPtr &responder);

  Server m_server;
  std::mutex m_mutex; ///< for these two: the reading thread stops runs
  RunPtr m_run;
  std::optional<int64_t> m_stopped; ///< the run last asked to stop, perhaps before it began
  std::atomic<bool> m_isRunning = false;
  std::thread m_thread;
  TraceService m_traces;
  AccessService m_accesses;
  CodeService m_code;
};

} // namespace tilescope::service
