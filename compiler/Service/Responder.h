// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one answer to a request. Whoever answers first wins, later answers are dropped: so the reading thread
// cancels or replaces a request by answering it, and who works on it asks isDone() now and then.
#pragma once

#include "compiler/Protocol/Json.h"
#include "compiler/Service/Transport.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace tilescope::service {

using Clock = std::chrono::steady_clock;

/// Numbers of JSON-RPC and the Language Server Protocol for errors; the id in ErrorData says more.
enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  NotInitialized = -32002,
  RequestFailed = -32803,
  Cancelled = -32800,
  ContentModified = -32801,
};

/// The errors that a service answers, as a table: id, number, may asking again help.
struct ErrorKind {
  std::string_view id; ///< catalogue key "error.<id>"
  ErrorCode code;
  bool retryable;
};
namespace errors {
inline constexpr ErrorKind Malformed{"malformed-message", ErrorCode::ParseError, false};
inline constexpr ErrorKind TooLarge{"message-too-large", ErrorCode::ParseError, false};
inline constexpr ErrorKind UnknownMethod{"unknown-method", ErrorCode::MethodNotFound, false};
inline constexpr ErrorKind WrongField{"wrong-field", ErrorCode::InvalidParams, false};
inline constexpr ErrorKind NotInitialized{"not-initialized", ErrorCode::NotInitialized, true};
inline constexpr ErrorKind ShutDown{"shut-down", ErrorCode::InvalidRequest, false};
inline constexpr ErrorKind AlreadyInitialized{"already-initialized", ErrorCode::InvalidRequest, false};
inline constexpr ErrorKind ProtocolMismatch{"protocol-mismatch", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind BuildMismatch{"build-mismatch", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind Replaced{"replaced", ErrorCode::Cancelled, false};
inline constexpr ErrorKind Cancelled{"cancelled", ErrorCode::Cancelled, false};
inline constexpr ErrorKind Deadline{"deadline", ErrorCode::RequestFailed, true};
inline constexpr ErrorKind Stale{"stale", ErrorCode::ContentModified, true};
inline constexpr ErrorKind UnknownDocument{"unknown-document", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind Busy{"busy", ErrorCode::RequestFailed, true};
inline constexpr ErrorKind UnknownRun{"unknown-run", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind UnknownLaunch{"unknown-launch", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind UnknownProgram{"unknown-program", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind UnknownGpu{"unknown-gpu", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind WrongSchedule{"wrong-schedule", ErrorCode::InvalidParams, false};
inline constexpr ErrorKind Evicted{"evicted", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind UnknownTrace{"unknown-trace", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind LogDropped{"log-dropped", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind WrongPosition{"wrong-position", ErrorCode::InvalidParams, false};
inline constexpr ErrorKind UnknownValue{"unknown-value", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind NoAccess{"no-access", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind NoCodeOnLine{"no-code-on-line", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind NotAnExpression{"not-an-expression", ErrorCode::InvalidParams, false};
inline constexpr ErrorKind WrongExpression{"wrong-expression", ErrorCode::InvalidParams, false};
inline constexpr ErrorKind UnknownAccess{"unknown-access", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind UnknownStage{"unknown-stage", ErrorCode::RequestFailed, false};
inline constexpr ErrorKind NotLowered{"not-lowered", ErrorCode::RequestFailed, false};
} // namespace errors

/// JSON to text; bytes that are not UTF-8 become replacement characters.
std::string dump(const nlohmann::json &json);

class Responder {
public:
  Responder(Transport &transport, nlohmann::json id, protocol::RequestOptions options);

  const nlohmann::json &id() const { return m_id; }
  const protocol::RequestOptions &options() const { return m_options; }
  std::optional<Clock::time_point> deadline() const { return m_deadline; }
  /// Answered, by whomever: nobody waits for it any more.
  bool isDone() const { return m_done.load(std::memory_order_relaxed); }
  /// Answers "deadline" if that has passed; true if there is nothing left to do.
  bool isDoneOrExpired();

  void result(const nlohmann::json &result);
  void fail(const ErrorKind &kind, std::vector<std::string> arguments = {});
  /// `action` is called when the request is answered with an error, by whomever, or at once if it was.
  void whenFailed(std::function<void()> action);

private:
  bool answer(const char *field, const nlohmann::json &content);

  Transport &m_transport;
  const nlohmann::json m_id;
  const protocol::RequestOptions m_options;
  std::optional<Clock::time_point> m_deadline;
  std::atomic<bool> m_done = false;
  std::mutex m_mutex; ///< for these two
  bool m_hasFailed = false;
  std::function<void()> m_whenFailed;
};

using ResponderPtr = std::shared_ptr<Responder>;

/// The content of "error" in a JSON-RPC response.
nlohmann::json errorObject(const ErrorKind &kind, std::vector<std::string> arguments);

} // namespace tilescope::service
