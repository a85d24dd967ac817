// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both roles of `tilec serve` share: the table of methods, the thread that reads, initialize, shutdown
// and exit. Read compiler/docs/service.md first.
#pragma once

#include "compiler/Service/RequestQueue.h"

#include <unordered_map>

namespace tilescope::service {

/// Milliseconds since an earlier moment.
inline double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Server {
public:
  /// `capabilities` is what initialize answers under that name.
  Server(Transport &transport, nlohmann::json capabilities);

  /// `handler(params, responder)`, called on the handling thread; the responder may be kept and answered
  /// later.
  template <typename Params, typename Handler> void onRequest(std::string method, Handler handler) {
    add(std::move(method), true, [handler](const nlohmann::json &json, const ResponderPtr &responder) {
      Params params;
      std::string error;
      if (protocol::fromJson(json, params, error))
        handler(params, responder);
      else
        responder->fail(errors::WrongField, {error});
    });
  }
  /// `handler(params)`, called on the handling thread.
  template <typename Params, typename Handler> void onNotification(std::string method, Handler handler) {
    add(std::move(method), false, [handler](const nlohmann::json &json, const ResponderPtr &) {
      Params params;
      std::string error;
      if (protocol::fromJson(json, params, error))
        handler(params);
    });
  }
  /// `handler(params)`, called on the reading thread, before whatever is queued: only to set a flag.
  template <typename Params, typename Handler> void onUrgent(std::string method, Handler handler) {
    m_urgent[std::move(method)] = [handler](const nlohmann::json &json) {
      Params params;
      std::string error;
      if (protocol::fromJson(json, params, error))
        handler(params);
    };
  }

  void notify(std::string_view method, const nlohmann::json &params);
  /// Work for the handling thread, from any thread.
  void post(std::function<void()> work) { m_queue.post(std::move(work)); }
  /// Calls `action` on the handling thread once, at `moment`; a later call moves it.
  void setTimer(std::optional<Clock::time_point> moment, std::function<void()> action = {});

  /// Serves until `exit`, or until the peer is gone; ends the process in either case, whatever its other
  /// threads do.
  [[noreturn]] void serve();

private:
  using Handler = std::function<void(const nlohmann::json &, const ResponderPtr &)>;
  struct Method {
    bool isRequest;
    Handler handler;
  };
  enum class State : uint8_t { Starting, Serving, ShutDown };

  void add(std::string method, bool isRequest, Handler handler);
  void addLifeCycle();
  void initialize(const nlohmann::json &params, const ResponderPtr &responder);
  [[noreturn]] void read();
  void accept(const std::string &text);
  void handle(const Message &message);
  const ErrorKind *refusal(const Message &message) const;

  Transport &m_transport;
  const nlohmann::json m_capabilities;
  RequestQueue m_queue;
  std::unordered_map<std::string, Method> m_methods;
  std::unordered_map<std::string, std::function<void(const nlohmann::json &)>> m_urgent;
  std::optional<Clock::time_point> m_timer;
  std::function<void()> m_timerAction;
  State m_state = State::Starting;
};

} // namespace tilescope::service
