// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Responder.h"

#include "compiler/Support/Words.h"

#include <algorithm>

namespace tilescope::service {

using nlohmann::json;

std::string dump(const json &value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json errorObject(const ErrorKind &kind, std::vector<std::string> arguments) {
  const std::string id(kind.id);
  const std::string message = words(Language::English, "error." + id, arguments);
  const protocol::ErrorData data{id, std::move(arguments), kind.retryable};
  return {{"code", static_cast<int>(kind.code)}, {"message", message}, {"data", protocol::toJson(data)}};
}

Responder::Responder(Transport &transport, json id, protocol::RequestOptions options)
    : m_transport(transport), m_id(std::move(id)), m_options(std::move(options)) {
  if (m_options.deadlineMs)
    m_deadline =
        Clock::now() + std::chrono::milliseconds(std::clamp<int64_t>(*m_options.deadlineMs, 0, 86'400'000));
}

bool Responder::isDoneOrExpired() {
  if (!isDone() && m_deadline && Clock::now() >= *m_deadline)
    fail(errors::Deadline);
  return isDone();
}

void Responder::result(const json &result) { answer("result", result); }

void Responder::fail(const ErrorKind &kind, std::vector<std::string> arguments) {
  if (!answer("error", errorObject(kind, std::move(arguments))))
    return;
  std::lock_guard lock(m_mutex);
  m_hasFailed = true;
  if (m_whenFailed)
    m_whenFailed();
}

void Responder::whenFailed(std::function<void()> action) {
  std::lock_guard lock(m_mutex);
  m_whenFailed = std::move(action);
  if (m_hasFailed)
    m_whenFailed();
}

/// False if the request had its answer.
bool Responder::answer(const char *field, const json &content) {
  if (m_done.exchange(true))
    return false;
  m_transport.write(dump({{"jsonrpc", "2.0"}, {"id", m_id}, {field, content}}));
  return true;
}

} // namespace tilescope::service
