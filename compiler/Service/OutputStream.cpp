// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/OutputStream.h"

#include <chrono>

namespace tilescope::service {
namespace {

constexpr std::chrono::milliseconds Pause{16};
constexpr std::chrono::milliseconds StopPatience{20};

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

} // namespace

OutputStream::OutputStream(std::function<void(std::string)> send)
    : m_send(std::move(send)), m_thread([this] { run(); }) {}

OutputStream::~OutputStream() {
  {
    std::lock_guard lock(m_mutex);
    m_isEnding = true;
  }
  m_changed.notify_all();
  m_thread.join();
}

void OutputStream::write(std::string_view text, const std::atomic<bool> &stop) {
  std::unique_lock lock(m_mutex);
  while (m_held.size() >= MaxHeld && !stop)
    m_changed.wait_for(lock, StopPatience);
  if (m_held.size() < MaxHeld)
    m_held += text;
  m_changed.notify_all();
}

void OutputStream::flush() {
  std::unique_lock lock(m_mutex);
  m_isHurried = true;
  m_changed.notify_all();
  m_changed.wait(lock, [&] { return m_held.empty() && !m_isSending; });
  m_isHurried = false;
}

/// The next message: never cut within a character.
std::string OutputStream::take() {
  size_t size = std::min(m_held.size(), MaxMessage);
  if (size < m_held.size())
    for (size_t back = 0; back < 3 && isContinuation(m_held[size]); ++back)
      --size;
  std::string message = m_held.substr(0, size);
  m_held.erase(0, size);
  return message;
}

void OutputStream::run() {
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, [&] { return !m_held.empty() || m_isEnding; });
    if (m_held.empty())
      return;
    std::string message = take();
    m_isSending = true;
    lock.unlock();
    m_send(std::move(message));
    lock.lock();
    m_isSending = false;
    m_changed.notify_all();
    m_changed.wait_for(lock, Pause, [&] { return m_isHurried || m_isEnding; });
  }
}

} // namespace tilescope::service
