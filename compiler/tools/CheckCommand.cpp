// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Analysis.h"
#include "compiler/Service/Session.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"

namespace tilescope::tools {
namespace {

Diagnostics withoutRunning(const SourceFilePtr &file, const std::string &path) {
  service::Analyser analyser;
  service::AnalysisControl control;
  control.until = std::chrono::steady_clock::time_point::max();
  return analyser.analyse(file, 0, service::Sources(path, {}), control)->diagnostics;
}

/// Adds what shows only when the script runs.
void addWhatRunningShows(const SourceFilePtr &file, const std::string &path, Diagnostics &diagnostics) {
  service::SessionOptions options;
  options.checking = true;
  service::Session session(file, service::Sources(path, {}), std::move(options));
  session.run();
  for (const Diagnostic &diagnostic : session.diagnostics().all())
    diagnostics.add(diagnostic);
}

} // namespace

int checkCommand(Language language, const CheckArguments &arguments) {
  int status = Fine;
  for (const std::string &path : arguments.files) {
    SourceFilePtr file = readOrComplain(language, path);
    if (!file)
      return WrongUsage;
    Diagnostics diagnostics = withoutRunning(file, path);
    if (arguments.run && !diagnostics.hasErrors())
      addWhatRunningShows(file, path, diagnostics);
    if (print(stdout, language, diagnostics))
      status = ScriptIsWrong;
  }
  return status;
}

} // namespace tilescope::tools
