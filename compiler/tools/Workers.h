// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work in child processes, so that a piece that crashes or never ends costs itself and nothing else.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tilescope::tools {

class Workers {
public:
  /// Sends one line, without its end, to the parent process.
  using Send = std::function<void(const std::string &line)>;

  /// A job is a number; it has parts, done in order in one process. All but `work` is called in this process.
  struct Callbacks {
    /// In the child: does the parts of a job from `part` on, calling `begin` before each.
    std::function<void(size_t job, size_t part, const std::function<void(size_t part)> &begin,
                       const Send &send)>
        work;
    std::function<void(size_t job, const std::string &line)> received;
    /// A part ended its process, or took longer than the limit. The job goes on with the next part. `part` is
    /// -1 if none had begun: then the job is over.
    std::function<void(size_t job, ssize_t part, bool tookTooLong)> lost;
  };

  Workers(Callbacks callbacks, unsigned processes, std::chrono::milliseconds limit)
      : m_callbacks(std::move(callbacks)), m_processes(processes), m_limit(limit) {}

  /// Does all jobs; false if no process can be made.
  bool run(size_t jobs);

private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    pid_t pid = 0;
    int pipe = -1;
    size_t job = 0;
    ssize_t part = -1;
    bool isDone = false; ///< the job has come to its end
    Clock::time_point until;
    std::string unread;
  };
  bool start(size_t job, size_t part);
  void waitForAny();
  bool read(Worker &worker);
  void take(Worker &worker, const std::string &line);
  void end(size_t index, bool tookTooLong);

  Callbacks m_callbacks;
  const unsigned m_processes;
  const std::chrono::milliseconds m_limit;
  std::vector<Worker> m_running;
  bool m_failed = false;
};

} // namespace tilescope::tools
