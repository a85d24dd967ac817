// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/ServiceProcess.h"

#include "compiler/Protocol/BuildId.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilescope::app {
namespace {

constexpr int LongestPauseMs = 8000;
constexpr int SteadyMs = 10000; ///< a process that lived so long has not failed at starting
constexpr int WatchMs = 500;
constexpr int StartDeadlineMs = 10000;

protocol::ErrorData errorOf(const nlohmann::json &message) {
  protocol::ErrorData data{"service-error", {}, false};
  auto error = message.find("error");
  if (error == message.end() || !error->is_object())
    return data;
  std::string ignored;
  auto details = error->find("data");
  if (details == error->end() || !protocol::fromJson(*details, data, ignored) || data.id.empty())
    data = {"service-error", {error->value("message", std::string())}, false};
  return data;
}

} // namespace

ServiceProcess::ServiceProcess(QString program, Role role, QObject *parent)
    : QObject(parent), m_program(std::move(program)), m_role(role) {
  m_restart.setSingleShot(true);
  connect(&m_restart, &QTimer::timeout, this, &ServiceProcess::start);
  m_watch.setInterval(WatchMs);
  connect(&m_watch, &QTimer::timeout, this, &ServiceProcess::checkDeadlines);
}

ServiceProcess::~ServiceProcess() {
  if (!m_process)
    return;
  m_process->disconnect(this);
  m_process->closeWriteChannel();
  if (!m_process->waitForFinished(200))
    m_process->kill();
  m_process->waitForFinished(1000);
}

void ServiceProcess::start() {
  if (m_state == State::Starting || m_state == State::Ready)
    return;
  m_state = State::Starting;
  m_reader = {};
  m_lifetime.start();
  delete m_process; // one that never started
  m_process = new QProcess(this);
  m_process->setProgram(m_program);
  m_process->setArguments(m_role == Role::Run ? QStringList{"serve", "--role=run"} : QStringList{"serve"});
  m_process->setStandardErrorFile(QProcess::nullDevice());
  connect(m_process, &QProcess::readyReadStandardOutput, this, &ServiceProcess::readOutput);
  connect(m_process, &QProcess::finished, this, &ServiceProcess::processEnded);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      giveUp({"service-missing", {m_program.toStdString()}, false});
  });
  m_process->start();
  if (m_state == State::Starting)
    initialize();
}

void ServiceProcess::restart() {
  if (m_process && m_process->state() != QProcess::NotRunning)
    m_process->kill();
  else
    start();
}

void ServiceProcess::initialize() {
  nlohmann::json params{{"processId", QCoreApplication::applicationPid()},
                        {"capabilities", nlohmann::json::object()},
                        {"initializationOptions",
                         protocol::toJson(protocol::Identity{protocol::Version, protocol::buildId()})}};
  request(
      "initialize", std::move(params), {{}, StartDeadlineMs},
      [this](const nlohmann::json &result) { acceptIdentity(result); },
      [this](const protocol::ErrorData &reason) {
        if (reason.id != "service-died")
          giveUp(reason);
      });
  m_watch.start();
}

void ServiceProcess::acceptIdentity(const nlohmann::json &result) {
  protocol::Identity identity;
  std::string error;
  auto found = result.is_object() ? result.find("tilescope") : result.end();
  bool readable = result.is_object() && found != result.end() && protocol::fromJson(*found, identity, error);
  if (!readable || identity.protocolVersion != protocol::Version || identity.buildId != protocol::buildId())
    return giveUp({"version-mismatch", {identity.buildId, protocol::buildId()}, false});
  m_state = State::Ready;
  send({{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", nlohmann::json::object()}});
  emit ready(std::exchange(m_wasReady, true));
}

void ServiceProcess::request(const char *method, nlohmann::json params, const RequestSettings &settings,
                             RawReply done, Failure failed) {
  bool starting = m_state == State::Starting && std::string_view(method) == "initialize";
  if (!isReady() && !starting) {
    if (failed)
      failed({"service-not-ready", {}, true});
    return;
  }
  if (!params.is_object())
    params = nlohmann::json::object();
  qint64 id = m_nextId++;
  if (!settings.tag.isEmpty()) {
    params["tilescope"] = {{"tag", settings.tag.toStdString()}};
    if (qint64 older = m_tags.value(settings.tag))
      m_pending.remove(older);
    m_tags[settings.tag] = id;
  }
  Pending pending{std::move(done), std::move(failed), {}, settings.deadlineMs};
  pending.age.start();
  m_pending.insert(id, std::move(pending));
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

void ServiceProcess::send(const nlohmann::json &message) {
  m_process->write(framed(message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

void ServiceProcess::readOutput() {
  m_reader.append(m_process->readAllStandardOutput());
  while (std::optional<QByteArray> frame = m_reader.next()) {
    nlohmann::json message = nlohmann::json::parse(frame->begin(), frame->end(), nullptr, false);
    if (message.is_object())
      dispatch(message);
  }
  if (m_reader.isBroken())
    m_process->kill();
}

void ServiceProcess::dispatch(const nlohmann::json &message) {
  auto id = message.find("id");
  if (id == message.end() || !id->is_number_integer()) {
    auto params = message.find("params");
    emit notification(QString::fromStdString(message.value("method", std::string())),
                      params != message.end() ? *params : nlohmann::json::object());
    return;
  }
  auto found = m_pending.find(id->get<qint64>());
  if (found == m_pending.end())
    return; // replaced by a newer one
  Pending pending = std::move(*found);
  m_pending.erase(found);
  if (auto result = message.find("result"); result != message.end())
    pending.done(*result);
  else if (pending.failed)
    pending.failed(errorOf(message));
}

void ServiceProcess::processEnded() {
  m_process->deleteLater();
  m_process = nullptr;
  m_watch.stop();
  if (m_state == State::Unusable)
    return;
  m_failures = m_lifetime.elapsed() > SteadyMs ? 0 : m_failures + 1;
  m_state = State::Off;
  failPending();
  emit died();
  m_restart.start(m_failures == 0 ? 0 : std::min(LongestPauseMs, 50 << std::min(m_failures, 8)));
}

void ServiceProcess::failPending() {
  QHash<qint64, Pending> pending = std::exchange(m_pending, {});
  m_tags.clear();
  for (Pending &request : pending)
    if (request.failed)
      request.failed({"service-died", {}, true});
}

void ServiceProcess::checkDeadlines() {
  bool late = std::any_of(m_pending.begin(), m_pending.end(), [](const Pending &request) {
    return request.deadlineMs > 0 && request.age.hasExpired(request.deadlineMs);
  });
  if (late && m_process)
    m_process->kill();
}

void ServiceProcess::giveUp(const protocol::ErrorData &reason) {
  m_state = State::Unusable;
  m_watch.stop();
  failPending();
  if (m_process)
    m_process->kill();
  emit unusable(reason);
}

} // namespace tilescope::app
