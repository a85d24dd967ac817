// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a script prints, on its way to the window: gathered into at most about sixty messages a second of a
// bounded size. A script that prints faster than that waits; nothing is lost.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tilescope::service {

class OutputStream {
public:
  static constexpr size_t MaxMessage = 32 * 1024;
  static constexpr size_t MaxHeld = 1024 * 1024;

  /// `send` is called from a thread of the stream's own.
  explicit OutputStream(std::function<void(std::string)> send);
  ~OutputStream();

  /// Waits while too much is held, unless `stop` is set.
  void write(std::string_view text, const std::atomic<bool> &stop);
  /// Sends all that is held, and comes back when it has been sent.
  void flush();

private:
  void run();
  std::string take();

  const std::function<void(std::string)> m_send;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::string m_held;
  bool m_isSending = false, m_isHurried = false, m_isEnding = false;
  std::thread m_thread;
};

} // namespace tilescope::service
