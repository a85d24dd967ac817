// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a run, and a launch of it: what is kept for questions that come when the script's own objects are gone.
#pragma once

#include "compiler/Interpreter/Interpreter.h"
#include "compiler/Support/SourceFile.h"

namespace tilescope::service {

struct CompiledKernel {
  std::shared_ptr<const interp::Kernel> code;
  std::string bytecode;             ///< IR of stage one
  std::vector<SourceFilePtr> files; ///< that its places lie in
};

struct LaunchCode {
  std::shared_ptr<const CompiledKernel> kernel;
  interp::LaunchAgain launch;
};

} // namespace tilescope::service
