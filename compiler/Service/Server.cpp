// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Server.h"

#include "compiler/Protocol/BuildId.h"

#include <cstdlib>
#include <thread>

namespace tilescope::service {

using nlohmann::json;

namespace {

/// For methods that take nothing.
struct Nothing {
  template <typename S, typename V> static void fields(S &, V &) {}
};

protocol::RequestOptions optionsOf(const json &params) {
  protocol::RequestOptions options;
  std::string error;
  if (auto found = params.find("tilescope"); params.is_object() && found != params.end())
    return protocol::fromJson(*found, options, error) ? options : protocol::RequestOptions{};
  return options;
}

bool isId(const json &id) { return id.is_string() || id.is_number_integer(); }

} // namespace

Server::Server(Transport &transport, json capabilities)
    : m_transport(transport), m_capabilities(std::move(capabilities)) {
  addLifeCycle();
}

void Server::add(std::string method, bool isRequest, Handler handler) {
  m_methods[std::move(method)] = {isRequest, std::move(handler)};
}

void Server::addLifeCycle() {
  add("initialize", true, [this](const json &params, const ResponderPtr &r) { initialize(params, r); });
  onNotification<Nothing>("initialized", [](const Nothing &) {});
  onRequest<Nothing>("shutdown", [this](const Nothing &, const ResponderPtr &responder) {
    m_state = State::ShutDown;
    responder->result(nullptr);
  });
  onNotification<Nothing>("exit",
                          [this](const Nothing &) { std::_Exit(m_state == State::ShutDown ? 0 : 1); });
}

/// A peer that says who it is must be of the same build; other editors say nothing and are welcome.
void Server::initialize(const json &params, const ResponderPtr &responder) {
  const protocol::Identity ours{protocol::Version, protocol::buildId()};
  protocol::Identity theirs = ours;
  std::string error;
  auto found = params.find("initializationOptions");
  if (params.is_object() && found != params.end() && found->is_object()) {
    if (!protocol::fromJson(*found, theirs, error))
      return responder->fail(errors::WrongField, {error});
    if (theirs.protocolVersion != ours.protocolVersion)
      return responder->fail(errors::ProtocolMismatch,
                             {std::to_string(theirs.protocolVersion), std::to_string(ours.protocolVersion)});
    if (theirs.buildId != ours.buildId)
      return responder->fail(errors::BuildMismatch, {theirs.buildId, ours.buildId});
  }
  m_state = State::Serving;
  responder->result({{"capabilities", m_capabilities},
                     {"serverInfo", {{"name", "tilec"}, {"version", protocol::versionText()}}},
                     {"tilescope", protocol::toJson(ours)}});
}

void Server::notify(std::string_view method, const json &params) {
  m_transport.write(dump({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}));
}

void Server::setTimer(std::optional<Clock::time_point> moment, std::function<void()> action) {
  m_timer = moment;
  m_timerAction = std::move(action);
}

void Server::serve() {
  std::thread([this] { read(); }).detach();
  for (;;) {
    std::optional<RequestQueue::Item> item = m_queue.pop(m_timer);
    if (item && item->work)
      item->work();
    else if (item)
      handle(item->message);
    if (m_timer && Clock::now() >= *m_timer) {
      m_timer.reset();
      std::exchange(m_timerAction, {})();
    }
  }
}

// --- the reading thread ----------------------------------------------------------------------------------

void Server::read() {
  std::string text;
  for (;;) {
    switch (m_transport.read(text)) {
    case Transport::Status::Message:
      accept(text);
      break;
    case Transport::Status::Malformed:
      Responder(m_transport, nullptr, {}).fail(errors::Malformed);
      break;
    case Transport::Status::TooLarge:
      Responder(m_transport, nullptr, {})
          .fail(errors::TooLarge, {std::to_string(Transport::MaxMessage >> 20)});
      break;
    case Transport::Status::End:
      std::_Exit(1);
    }
  }
}

void Server::accept(const std::string &text) {
  json message = json::parse(text, nullptr, false);
  auto method = message.find("method");
  auto id = message.find("id");
  const bool hasId = message.is_object() && id != message.end();
  if (!message.is_object() || (method != message.end() && !method->is_string()) || (hasId && !isId(*id)))
    return Responder(m_transport, nullptr, {}).fail(errors::Malformed);
  if (method == message.end())
    return; // an answer: nothing is ever asked of the peer
  json params = message.value("params", json::object());
  if (params.is_null()) // as some editors write what takes no parameters
    params = json::object();
  const std::string &name = method->get_ref<const std::string &>();
  if (name == "$/cancelRequest") {
    if (auto cancelled = params.find("id"); cancelled != params.end())
      m_queue.cancel(*cancelled);
    return;
  }
  if (auto urgent = m_urgent.find(name); urgent != m_urgent.end())
    return urgent->second(params);
  ResponderPtr responder;
  if (hasId)
    responder = std::make_shared<Responder>(m_transport, *id, optionsOf(params));
  m_queue.push({name, std::move(params), std::move(responder)});
}

// --- the handling thread ---------------------------------------------------------------------------------

/// Why a request cannot be taken in this state, or null.
const ErrorKind *Server::refusal(const Message &message) const {
  const bool isInitialize = message.method == "initialize";
  if (m_state == State::Starting && !isInitialize)
    return &errors::NotInitialized;
  if (m_state == State::ShutDown)
    return &errors::ShutDown;
  return m_state == State::Serving && isInitialize ? &errors::AlreadyInitialized : nullptr;
}

void Server::handle(const Message &message) {
  const ErrorKind *refused = refusal(message);
  if (message.responder && refused)
    return message.responder->fail(*refused);
  auto found = m_methods.find(message.method);
  const bool isKnown = found != m_methods.end() && found->second.isRequest == (message.responder != nullptr);
  if (message.responder && !isKnown)
    return message.responder->fail(errors::UnknownMethod, {message.method});
  if (isKnown && (!refused || message.method == "exit"))
    found->second.handler(message.params, message.responder);
}

} // namespace tilescope::service
