// SPDX-License-Identifier: GPL-3.0-or-later
//
// One `tilec serve` process and the conversation with it (compiler/Protocol/Messages.h). It may die or hang
// at any time: it is then started again, with growing pauses, and whoever listens to ready() tells it anew
// what it has to know. Requests that were under way are answered with error "service-died".
#pragma once

#include "app/core/Framing.h"
#include "compiler/Protocol/Json.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <functional>

namespace tilescope::app {

class ServiceProcess final : public QObject {
  Q_OBJECT
public:
  enum class Role { Language, Run };
  using Failure = std::function<void(const protocol::ErrorData &)>;
  using RawReply = std::function<void(const nlohmann::json &result)>;

  ServiceProcess(QString program, Role role, QObject *parent = nullptr);
  ~ServiceProcess() override;

  void start();
  bool isReady() const { return m_state == State::Ready; }
  /// Ends the process at once and starts a fresh one.
  void restart();

  /// Silently dropped while the process is not ready.
  template <typename Params> void notify(const char *method, const Params &params) {
    if (isReady())
      send({{"jsonrpc", "2.0"}, {"method", method}, {"params", protocol::toJson(params)}});
  }

  struct RequestSettings {
    QString tag;            ///< a newer request with the same tag replaces an older one
    int deadlineMs = 10000; ///< then the process counts as hung and is restarted; 0: may take for ever
  };
  template <typename Result, typename Params>
  void ask(const char *method, const Params &params, std::function<void(const Result &)> done,
           RequestSettings settings, Failure failed = {}) {
    request(method, protocol::toJson(params), settings, decoding<Result>(std::move(done), failed), failed);
  }

signals:
  /// The process has answered `initialize`. `again`: it is not the first one.
  void ready(bool again);
  void notification(const QString &method, const nlohmann::json &params);
  /// The process ended or was ended although nobody asked for it.
  void died();
  /// It cannot be used at all: catalogue key "error.<id>".
  void unusable(const protocol::ErrorData &reason);

private:
  enum class State { Off, Starting, Ready, Unusable };
  struct Pending {
    RawReply done;
    Failure failed;
    QElapsedTimer age;
    int deadlineMs;
  };

  template <typename Result>
  static RawReply decoding(std::function<void(const Result &)> done, Failure failed) {
    return [done = std::move(done), failed = std::move(failed)](const nlohmann::json &json) {
      Result result;
      std::string error;
      if (json.is_null() || protocol::fromJson(json, result, error))
        done(result);
      else if (failed)
        failed({"bad-reply", {error}, false});
    };
  }

  void request(const char *method, nlohmann::json params, const RequestSettings &settings, RawReply done,
               Failure failed);
  void send(const nlohmann::json &message);
  void initialize();
  void acceptIdentity(const nlohmann::json &result);
  void readOutput();
  void dispatch(const nlohmann::json &message);
  void processEnded();
  void failPending();
  void checkDeadlines();
  void giveUp(const protocol::ErrorData &reason);

  const QString m_program;
  const Role m_role;
  QProcess *m_process = nullptr;
  FrameReader m_reader;
  State m_state = State::Off;
  bool m_wasReady = false;
  int m_failures = 0;
  QElapsedTimer m_lifetime;
  QTimer m_restart;
  QTimer m_watch;
  qint64 m_nextId = 1;
  QHash<qint64, Pending> m_pending;
  QHash<QString, qint64> m_tags;
};

} // namespace tilescope::app
