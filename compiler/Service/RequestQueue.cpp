// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/RequestQueue.h"

namespace tilescope::service {

void RequestQueue::push(Message message) {
  std::lock_guard lock(m_mutex);
  if (message.responder)
    track(message.responder);
  m_items.push_back({std::move(message), nullptr});
  m_changed.notify_one();
}

void RequestQueue::post(std::function<void()> work) {
  std::lock_guard lock(m_mutex);
  m_items.push_back({{}, std::move(work)});
  m_changed.notify_one();
}

/// Remembers a request until it is answered, and replaces those with its tag.
void RequestQueue::track(const ResponderPtr &responder) {
  const std::string &tag = responder->options().tag;
  std::erase_if(m_unanswered, [&](const std::weak_ptr<Responder> &weak) {
    ResponderPtr older = weak.lock();
    if (older && !tag.empty() && older->options().tag == tag)
      older->fail(errors::Replaced);
    return !older || older->isDone();
  });
  m_unanswered.push_back(responder);
}

void RequestQueue::cancel(const nlohmann::json &id) {
  std::lock_guard lock(m_mutex);
  for (const std::weak_ptr<Responder> &weak : m_unanswered)
    if (ResponderPtr responder = weak.lock(); responder && responder->id() == id)
      responder->fail(errors::Cancelled);
}

std::optional<RequestQueue::Item> RequestQueue::take() {
  while (!m_items.empty()) {
    Item item = std::move(m_items.front());
    m_items.pop_front();
    if (!item.message.responder || !item.message.responder->isDoneOrExpired())
      return item;
  }
  return std::nullopt;
}

std::optional<RequestQueue::Item> RequestQueue::pop(std::optional<Clock::time_point> until) {
  std::unique_lock lock(m_mutex);
  for (;;) {
    if (std::optional<Item> item = take())
      return item;
    if (!until)
      m_changed.wait(lock);
    else if (m_changed.wait_until(lock, *until) == std::cv_status::timeout)
      return take();
  }
}

} // namespace tilescope::service
