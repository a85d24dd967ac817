// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/LanguageService.h"
#include "compiler/Service/RunService.h"
#include "compiler/tools/Commands.h"

namespace tilescope::tools {

void serveCommand(const ServeArguments &arguments) {
  service::Transport transport = service::Transport::overStandardStreams();
  if (arguments.role == "run")
    service::RunService(transport).serve();
  service::LanguageService(transport).serve();
}

} // namespace tilescope::tools
