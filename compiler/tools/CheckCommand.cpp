// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Analysis.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"

namespace tilescope::tools {

int checkCommand(Language language, const CheckArguments &arguments) {
  service::Analyser analyser;
  int status = Fine;
  for (const std::string &path : arguments.files) {
    SourceFilePtr file = readOrComplain(language, path);
    if (!file)
      return WrongUsage;
    service::AnalysisControl control;
    control.until = std::chrono::steady_clock::time_point::max();
    const service::AnalysisPtr analysis = analyser.analyse(file, 0, service::Sources(path, {}), control);
    if (print(stdout, language, analysis->diagnostics))
      status = ScriptIsWrong;
  }
  return status;
}

} // namespace tilescope::tools
