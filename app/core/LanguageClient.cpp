// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/LanguageClient.h"

namespace tilescope::app {
namespace {

constexpr int AnswerMs = 10000;

} // namespace

LanguageClient::LanguageClient(ServiceProcess &service, QObject *parent)
    : QObject(parent), m_service(service) {
  connect(&service, &ServiceProcess::ready, this, &LanguageClient::reopenAll);
  connect(&service, &ServiceProcess::notification, this, &LanguageClient::receive);
}

void LanguageClient::open(const QString &uri, const QString &text) {
  Document &document = m_documents[uri];
  document.text = text;
  document.pause = new QTimer(this);
  document.pause->setSingleShot(true);
  document.pause->setInterval(PauseMs);
  connect(document.pause, &QTimer::timeout, this, [this, uri] { sendChange(uri); });
  sendOpen(uri, document);
}

void LanguageClient::change(const QString &uri, std::function<QString()> text) {
  auto found = m_documents.find(uri);
  if (found == m_documents.end())
    return;
  found->changed = std::move(text);
  found->pause->start();
}

void LanguageClient::close(const QString &uri) {
  auto found = m_documents.find(uri);
  if (found == m_documents.end())
    return;
  delete found->pause;
  m_documents.erase(found);
  m_service.notify("textDocument/didClose", protocol::DidClose{{uri.toStdString()}});
}

void LanguageClient::flush(const QString &uri) {
  auto found = m_documents.find(uri);
  if (found != m_documents.end() && found->changed)
    sendChange(uri);
}

void LanguageClient::sendOpen(const QString &uri, const Document &document) {
  m_service.notify("textDocument/didOpen", protocol::DidOpen{{uri.toStdString(), "python", document.version,
                                                              document.text.toStdString()}});
}

void LanguageClient::sendChange(const QString &uri) {
  Document &document = m_documents[uri];
  document.pause->stop();
  if (!document.changed)
    return;
  document.text = std::exchange(document.changed, nullptr)();
  ++document.version;
  m_service.notify("textDocument/didChange",
                   protocol::DidChange{{uri.toStdString(), document.version},
                                       {{std::nullopt, document.text.toStdString()}}});
}

void LanguageClient::reopenAll() {
  for (auto document = m_documents.cbegin(); document != m_documents.cend(); ++document)
    sendOpen(document.key(), *document);
}

void LanguageClient::receive(const QString &method, const nlohmann::json &params) {
  protocol::PublishDiagnostics message;
  std::string error;
  if (method != "textDocument/publishDiagnostics" || !protocol::fromJson(params, message, error))
    return;
  QString uri = QString::fromStdString(message.uri);
  auto found = m_documents.find(uri);
  if (found == m_documents.end() || (message.version && *message.version != found->version))
    return;
  emit diagnosticsPublished(uri, message.diagnostics);
}

void LanguageClient::hover(const QString &uri, protocol::Position at,
                           std::function<void(const protocol::Hover &)> done) {
  flush(uri);
  m_service.ask<protocol::Hover>("textDocument/hover", protocol::DocumentPosition{{uri.toStdString()}, at},
                                 std::move(done), {"hover", AnswerMs});
}

void LanguageClient::complete(const QString &uri, protocol::Position at,
                              std::function<void(const protocol::CompletionList &)> done) {
  flush(uri);
  m_service.ask<protocol::CompletionList>("textDocument/completion",
                                          protocol::DocumentPosition{{uri.toStdString()}, at},
                                          std::move(done), {"completion", AnswerMs});
}

void LanguageClient::hints(const QString &uri, protocol::Range range,
                           std::function<void(const std::vector<protocol::InlayHint> &)> done) {
  m_service.ask<std::vector<protocol::InlayHint>>("textDocument/inlayHint",
                                                  protocol::InlayHintParams{{uri.toStdString()}, range},
                                                  std::move(done), {"hints " + uri, AnswerMs});
}

} // namespace tilescope::app
