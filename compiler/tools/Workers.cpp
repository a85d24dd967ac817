// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child writes lines: "b<part>" when a part begins, "l<text>" for a line of its own, "e" at the end of the
// job.
#include "compiler/tools/Workers.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope::tools {
namespace {

void writeLine(int pipe, char kind, const std::string &text) {
  const std::string line = kind + text + "\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t count = write(pipe, line.data() + at, line.size() - at);
    if (count < 0 && errno != EINTR)
      _exit(1); // nobody reads any more
    at += count > 0 ? static_cast<size_t>(count) : 0;
  }
}

} // namespace

bool Workers::run(size_t jobs) {
  size_t next = 0;
  while (!m_failed && (next < jobs || !m_running.empty())) {
    while (!m_failed && next < jobs && m_running.size() < m_processes)
      m_failed = !start(next++, 0);
    waitForAny();
  }
  return !m_failed;
}

bool Workers::start(size_t job, size_t part) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) {
    close(ends[0]), close(ends[1]);
    return false;
  }
  if (pid == 0) {
    close(ends[0]);
    // What a broken part says on its way out would only disturb the report.
    if (const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
      dup2(null, STDERR_FILENO);
    m_callbacks.work(
        job, part, [&](size_t begun) { writeLine(ends[1], 'b', std::to_string(begun)); },
        [&](const std::string &line) { writeLine(ends[1], 'l', line); });
    writeLine(ends[1], 'e', "");
    _exit(0); // without the parent's buffers and destructors
  }
  close(ends[1]);
  Worker worker;
  worker.pid = pid;
  worker.pipe = ends[0];
  worker.job = job;
  worker.until = Clock::now() + m_limit;
  m_running.push_back(std::move(worker));
  return true;
}

void Workers::waitForAny() {
  std::vector<pollfd> polled;
  Clock::time_point first = Clock::time_point::max();
  for (const Worker &worker : m_running) {
    polled.push_back({worker.pipe, POLLIN, 0});
    first = std::min(first, worker.until);
  }
  if (polled.empty())
    return;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count();
  poll(polled.data(), polled.size(), static_cast<int>(std::max<int64_t>(left, 0)) + 1);
  for (size_t i = m_running.size(); i-- > 0;) {
    if (polled[i].revents != 0 && !read(m_running[i]))
      end(i, false);
    else if (Clock::now() > m_running[i].until)
      end(i, true);
  }
}

/// False at the end of what the child has to say.
bool Workers::read(Worker &worker) {
  char block[64 * 1024];
  const ssize_t count = ::read(worker.pipe, block, sizeof block);
  if (count < 0)
    return errno == EINTR;
  worker.unread.append(block, static_cast<size_t>(count));
  for (size_t end; (end = worker.unread.find('\n')) != std::string::npos;) {
    take(worker, worker.unread.substr(0, end));
    worker.unread.erase(0, end + 1);
  }
  return count > 0;
}

void Workers::take(Worker &worker, const std::string &line) {
  worker.until = Clock::now() + m_limit;
  if (line.starts_with('l'))
    m_callbacks.received(worker.job, line.substr(1));
  else if (line.starts_with('b'))
    worker.part = std::atol(line.c_str() + 1);
  else
    worker.isDone = true;
}

void Workers::end(size_t index, bool tookTooLong) {
  Worker worker = std::move(m_running[index]);
  m_running.erase(m_running.begin() + static_cast<std::ptrdiff_t>(index));
  kill(worker.pid, SIGKILL);
  close(worker.pipe);
  while (waitpid(worker.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (worker.isDone)
    return;
  m_callbacks.lost(worker.job, worker.part, tookTooLong);
  if (worker.part >= 0)
    m_failed = m_failed || !start(worker.job, static_cast<size_t>(worker.part) + 1);
}

} // namespace tilescope::tools
