// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch of which programs are stepped through (Trace.h).
#pragma once

#include "compiler/Interpreter/Interpreter.h"
#include "compiler/Protocol/Messages.h"

namespace tilescope::service {

struct TraceSource {
  interp::LaunchAgain launch;
  std::vector<protocol::ArgumentSummary> arguments;
};

} // namespace tilescope::service
