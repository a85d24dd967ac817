// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/LanguageService.h"

#include "compiler/Service/Convert.h"
#include "compiler/Service/Features.h"
#include "compiler/Service/Uri.h"

#include <algorithm>

namespace tilescope::service {

using nlohmann::json;
using protocol::toJson;

namespace {

constexpr int IncrementalSync = 2;

json capabilities() {
  return {{"positionEncoding", "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", IncrementalSync}}},
          {"hoverProvider", true},
          {"completionProvider", {{"triggerCharacters", {"."}}}},
          {"inlayHintProvider", true}};
}

uint32_t offsetOf(const SourceFile &file, protocol::Position position) {
  return file.offset({position.line, position.character});
}

} // namespace

LanguageService::LanguageService(Transport &transport) : m_server(transport, capabilities()) { addMethods(); }

void LanguageService::serve() {
  std::thread([this] { analyseForever(); }).detach();
  m_server.serve();
}

void LanguageService::addMethods() {
  m_server.onNotification<protocol::DidOpen>("textDocument/didOpen", [this](const protocol::DidOpen &params) {
    changed(m_documents.open(params.textDocument));
  });
  m_server.onNotification<protocol::DidChange>("textDocument/didChange",
                                               [this](const protocol::DidChange &params) {
                                                 if (const Document *document = m_documents.change(params))
                                                   changed(*document);
                                               });
  m_server.onNotification<protocol::DidClose>(
      "textDocument/didClose", [this](const protocol::DidClose &params) { closed(params.textDocument.uri); });

  using protocol::DocumentPosition;
  m_server.onRequest<DocumentPosition>(
      "textDocument/hover", [this](const DocumentPosition &params, const ResponderPtr &responder) {
        ask(params, responder, [=](const Document &document, const State &state) {
          const uint32_t offset = offsetOf(*document.file, params.position);
          const Analysis &analysis = state.evaluated ? *state.evaluated : *state.newest;
          std::optional<protocol::Hover> found = hover(*document.file, offset, analysis);
          responder->result(found ? toJson(*found) : json(nullptr));
        });
      });
  m_server.onRequest<protocol::InlayHintParams>(
      "textDocument/inlayHint",
      [this](const protocol::InlayHintParams &params, const ResponderPtr &responder) {
        ask(params, responder, [=](const Document &document, const State &state) {
          const SourceFile &file = *document.file;
          const SourceRange range{offsetOf(file, params.range.start), offsetOf(file, params.range.end)};
          const Analysis &analysis = state.evaluated ? *state.evaluated : *state.newest;
          responder->result(toJson(hints(file, range, analysis)));
        });
      });
  m_server.onRequest<DocumentPosition>(
      "textDocument/completion",
      [this](const DocumentPosition &params, const ResponderPtr &responder) { complete(params, responder); });
}

// --- documents -------------------------------------------------------------------------------------------

void LanguageService::changed(const Document &document) {
  dropWaiting(document.uri);
  analyse(document, true);
  for (const auto &[uri, state] : m_states)
    if (uri != document.uri && state.evaluated && state.evaluated->imports.contains(document.file->path()))
      if (const Document *dependent = m_documents.find(uri))
        analyse(*dependent, false);
}

void LanguageService::closed(const std::string &uri) {
  if (!m_documents.find(uri))
    return;
  withdraw(uri);
  dropWaiting(uri);
  for (const std::string &elsewhere : m_states[uri].publishedElsewhere)
    publishTo(elsewhere, std::nullopt, {});
  publishTo(uri, std::nullopt, {});
  m_states.erase(uri);
  m_documents.close(uri);
}

// --- questions -------------------------------------------------------------------------------------------

/// Answers now if the present text has been analysed, else when it has been.
template <typename Params>
void LanguageService::ask(const Params &params, const ResponderPtr &responder,
                          std::function<void(const Document &, const State &)> answer) {
  const std::string &uri = params.textDocument.uri;
  const Document *document = m_documents.find(uri);
  if (!document)
    return responder->fail(errors::UnknownDocument, {uri});
  if (responder->options().version && *responder->options().version != document->version)
    return responder->fail(errors::Stale);
  const State &state = m_states[uri];
  if (state.newest && state.newest->file == document->file)
    return answer(*document, state);
  m_waiting.push_back({uri, responder, std::move(answer)});
  expireWaiting();
}

/// Never waits: what is completed is known from the text and from any earlier analysis.
void LanguageService::complete(const protocol::DocumentPosition &params, const ResponderPtr &responder) {
  const Document *document = m_documents.find(params.textDocument.uri);
  if (!document)
    return responder->fail(errors::UnknownDocument, {params.textDocument.uri});
  const AnalysisPtr &analysis = m_states[document->uri].evaluated;
  responder->result(
      toJson(service::complete(document->file, offsetOf(*document->file, params.position), analysis.get())));
}

void LanguageService::answerWaiting(const std::string &uri) {
  const Document *document = m_documents.find(uri);
  std::list<Waiting> left = std::move(m_waiting);
  m_waiting.clear();
  for (Waiting &waiting : left) {
    if (waiting.uri != uri)
      m_waiting.push_back(std::move(waiting));
    else if (!waiting.responder->isDoneOrExpired())
      waiting.answer(*document, m_states[uri]);
  }
}

void LanguageService::dropWaiting(const std::string &uri) {
  for (const Waiting &waiting : m_waiting)
    if (waiting.uri == uri)
      waiting.responder->fail(errors::Stale);
  m_waiting.remove_if([&](const Waiting &waiting) { return waiting.uri == uri; });
}

/// Answers what has waited too long, and comes back when the next one has.
void LanguageService::expireWaiting() {
  m_waiting.remove_if([](const Waiting &waiting) { return waiting.responder->isDoneOrExpired(); });
  std::optional<Clock::time_point> next;
  for (const Waiting &waiting : m_waiting)
    if (std::optional<Clock::time_point> deadline = waiting.responder->deadline())
      next = next ? std::min(*next, *deadline) : *deadline;
  m_server.setTimer(next, [this] { expireWaiting(); });
}

// --- analyses --------------------------------------------------------------------------------------------

void LanguageService::analyse(const Document &document, bool isUrgent) {
  withdraw(document.uri);
  auto job = std::make_shared<Job>();
  job->uri = document.uri;
  job->file = document.file;
  job->version = document.version;
  job->buffers = m_documents.buffers();
  std::lock_guard lock(m_jobsMutex);
  m_jobs.insert(isUrgent ? m_jobs.begin() : m_jobs.end(), std::move(job));
  m_jobsChanged.notify_one();
}

/// Forgets what was to be found out about an older text.
void LanguageService::withdraw(const std::string &uri) {
  std::lock_guard lock(m_jobsMutex);
  std::erase_if(m_jobs, [&](const JobPtr &job) { return job->uri == uri; });
  if (m_running && m_running->uri == uri)
    m_running->control.superseded = true;
}

void LanguageService::analyseForever() {
  Analyser analyser;
  for (;;) {
    JobPtr job;
    {
      std::unique_lock lock(m_jobsMutex);
      m_running.reset();
      m_jobsChanged.wait(lock, [&] { return !m_jobs.empty(); });
      job = m_running = m_jobs.front();
      m_jobs.pop_front();
    }
    job->control.until = Clock::now() + std::chrono::seconds(2);
    const Sources sources(job->file->path(), job->buffers);
    if (AnalysisPtr analysis = analyser.analyse(job->file, job->version, sources, job->control))
      m_server.post([this, job, analysis] { finished(job, analysis); });
  }
}

void LanguageService::finished(const JobPtr &job, AnalysisPtr analysis) {
  const Document *document = m_documents.find(job->uri);
  if (!document || document->file != job->file)
    return;
  State &state = m_states[job->uri];
  state.newest = analysis;
  if (analysis->isEvaluated)
    state.evaluated = analysis;
  publish(job->uri, *analysis);
  answerWaiting(job->uri);
}

// --- diagnostics -----------------------------------------------------------------------------------------

/// What is wrong in this text, and in imported files that are not open themselves.
void LanguageService::publish(const std::string &uri, const Analysis &analysis) {
  std::vector<protocol::Diagnostic> own;
  std::set<std::string> elsewhere;
  for (protocol::FileDiagnostics &file : byFile(analysis.diagnostics.all())) {
    const std::string other = uriOfPath(file.path);
    if (file.path == analysis.file->path())
      own = std::move(file.diagnostics);
    else if (!m_documents.find(other) && elsewhere.insert(other).second)
      publishTo(other, std::nullopt, std::move(file.diagnostics));
  }
  std::set<std::string> &before = m_states[uri].publishedElsewhere;
  for (const std::string &other : before)
    if (!elsewhere.contains(other) && !m_documents.find(other))
      publishTo(other, std::nullopt, {});
  before = std::move(elsewhere);
  publishTo(uri, analysis.version, std::move(own));
}

void LanguageService::publishTo(const std::string &uri, std::optional<int64_t> version,
                                std::vector<protocol::Diagnostic> diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, [](const protocol::Diagnostic &diagnostic) {
    return std::pair(diagnostic.range.start.line, diagnostic.range.start.character);
  });
  const protocol::PublishDiagnostics message{uri, version, std::move(diagnostics)};
  m_server.notify("textDocument/publishDiagnostics", toJson(message));
}

} // namespace tilescope::service
