// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language half of `tilec serve`: open documents, diagnostics, hover, completion, hints.
//
// Messages are handled on one thread, which never waits; analyses run on another, the newest text first. A
// change in the middle of an analysis ends it. Questions that need the analysis of a text wait for it without
// holding anybody up.
#pragma once

#include "compiler/Service/Analysis.h"
#include "compiler/Service/Documents.h"
#include "compiler/Service/Server.h"

#include <list>
#include <set>
#include <thread>

namespace tilescope::service {

class LanguageService {
public:
  explicit LanguageService(Transport &transport);
  /// Serves; ends the process.
  [[noreturn]] void serve();

private:
  /// What is known of an open document beside its text.
  struct State {
    AnalysisPtr newest;                       ///< of any version; null before the first
    AnalysisPtr evaluated;                    ///< the newest of a text that parsed
    std::set<std::string> publishedElsewhere; ///< URIs of imported files that diagnostics were given for
  };
  /// A question that waits for the analysis of the document's present version.
  struct Waiting {
    std::string uri;
    ResponderPtr responder;
    std::function<void(const Document &, const State &)> answer;
  };
  struct Job {
    std::string uri;
    SourceFilePtr file;
    int64_t version = 0;
    std::map<std::string, SourceFilePtr> buffers;
    AnalysisControl control;
  };
  using JobPtr = std::shared_ptr<Job>;

  void addMethods();
  void changed(const Document &document);
  void closed(const std::string &uri);
  template <typename Params>
  void ask(const Params &params, const ResponderPtr &responder,
           std::function<void(const Document &, const State &)> answer);
  void complete(const protocol::DocumentPosition &params, const ResponderPtr &responder);

  void analyse(const Document &document, bool isUrgent);
  void withdraw(const std::string &uri);
  void analyseForever();
  void finished(const JobPtr &job, AnalysisPtr analysis);
  void publish(const std::string &uri, const Analysis &analysis);
  void publishTo(const std::string &uri, std::optional<int64_t> version,
                 std::vector<protocol::Diagnostic> diagnostics);
  void answerWaiting(const std::string &uri);
  void dropWaiting(const std::string &uri);
  void expireWaiting();

  Server m_server;
  Documents m_documents;
  std::map<std::string, State> m_states;
  std::list<Waiting> m_waiting;

  // Shared with the analysing thread.
  std::mutex m_jobsMutex;
  std::condition_variable m_jobsChanged;
  std::deque<JobPtr> m_jobs; ///< at most one a document
  JobPtr m_running;
};

} // namespace tilescope::service
