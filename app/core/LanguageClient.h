// SPDX-License-Identifier: GPL-3.0-or-later
//
// The language service as the editors see it: open documents are told to it again whenever it had to be
// started anew, changes wait for a pause of typing, and answers about an older text are dropped.
#pragma once

#include "app/core/ServiceProcess.h"

namespace tilescope::app {

class LanguageClient final : public QObject {
  Q_OBJECT
public:
  explicit LanguageClient(ServiceProcess &service, QObject *parent = nullptr);

  /// A pause of typing after which a change is sent.
  static constexpr int PauseMs = 25;

  void open(const QString &uri, const QString &text);
  /// `text` is asked for when the pause is over.
  void change(const QString &uri, std::function<QString()> text);
  void close(const QString &uri);
  /// Sends a waiting change now, for a question that must see it.
  void flush(const QString &uri);

  void hover(const QString &uri, protocol::Position at, std::function<void(const protocol::Hover &)> done);
  void complete(const QString &uri, protocol::Position at,
                std::function<void(const protocol::CompletionList &)> done);
  void hints(const QString &uri, protocol::Range range,
             std::function<void(const std::vector<protocol::InlayHint> &)> done);

signals:
  void diagnosticsPublished(const QString &uri, const std::vector<protocol::Diagnostic> &diagnostics);

private:
  struct Document {
    qint64 version = 0;
    QString text;
    std::function<QString()> changed; ///< set while a change waits
    QTimer *pause = nullptr;
  };

  void sendOpen(const QString &uri, const Document &document);
  void sendChange(const QString &uri);
  void receive(const QString &method, const nlohmann::json &params);
  void reopenAll();

  ServiceProcess &m_service;
  QHash<QString, Document> m_documents;
};

} // namespace tilescope::app
