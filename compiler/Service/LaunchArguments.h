// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch's arguments as compiled code takes them.
#pragma once

#include "compiler/Host/Launcher.h"
#include "compiler/Interpreter/Kernel.h"

namespace tilescope::service {

/// One for each parameter of the code.
std::vector<interp::Argument> argumentsFor(const host::LaunchRequest &request, const interp::Kernel &kernel);
std::array<uint32_t, 3> gridOf(const host::LaunchRequest &request);

} // namespace tilescope::service
