// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a script says of a kernel's arguments without being run: its first launch, the first configuration of
// triton.autotune, the functions of triton.heuristics.
#pragma once

#include "compiler/Frontend/Infer.h"
#include "compiler/Host/Evaluator.h"

namespace tilescope::service {

struct KnownLaunch {
  frontend::KnownArguments arguments;
  int numWarps = 4;
  int numStages = 3;
};

/// `evaluator` has declared the kernel's script; `certain` arguments go before those of the script.
KnownLaunch knownLaunch(const std::shared_ptr<FunctionObject> &kernel, host::Evaluator &evaluator,
                        const frontend::KnownArguments &certain);

} // namespace tilescope::service
