// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has been read and not been handled. The reading thread puts messages in and cancels; one thread
// handles them in the order they came. Requests that were answered meanwhile (cancelled, replaced by a newer
// one with the same tag, too late) never come out.
#pragma once

#include "compiler/Service/Responder.h"

#include <condition_variable>
#include <deque>
#include <functional>

namespace tilescope::service {

struct Message {
  std::string method;
  nlohmann::json params;
  ResponderPtr responder; ///< null for a notification
};

class RequestQueue {
public:
  /// Queues a message. An older unanswered request with the same tag is answered "replaced".
  void push(Message message);
  /// Answers the unanswered request with this id "cancelled", whether it waits or is being worked on.
  void cancel(const nlohmann::json &id);
  /// Queues a piece of the service's own work, to be done in turn by the handling thread.
  void post(std::function<void()> work);

  struct Item {
    Message message;
    std::function<void()> work; ///< set instead of `message`
  };
  /// The next one; nothing at `until`.
  std::optional<Item> pop(std::optional<Clock::time_point> until = std::nullopt);

private:
  std::optional<Item> take();
  void track(const ResponderPtr &responder);

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Item> m_items;
  std::vector<std::weak_ptr<Responder>> m_unanswered;
};

} // namespace tilescope::service
