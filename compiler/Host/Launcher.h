// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens at `kernel[grid](…)`. The evaluator of host code hands a launch to a Launcher; who compiles
// and runs it (the interpreter, a GPU, or nobody while only checking) is not its business.
#pragma once

#include "compiler/Support/Diagnostic.h"
#include "compiler/Value/Function.h"

#include <array>

namespace tilescope::host {

struct LaunchRequest {
  std::shared_ptr<FunctionObject> kernel;
  std::array<int64_t, 3> grid{1, 1, 1}; ///< programs along each axis, all >= 0
  /// One value a parameter, in the order of the kernel's parameters, defaults filled in. Tensors are
  /// host::TensorObject.
  std::vector<Value> arguments;
  int64_t numWarps = 4;
  int64_t numStages = 3;
  SourceSpan call;                 ///< the whole call expression
  std::vector<SourceRange> ranges; ///< of each argument in the call; empty where a default stands
};

class Launcher {
public:
  virtual ~Launcher() = default;
  /// False if the launch failed; the reason has been added to `diagnostics`.
  virtual bool launch(const LaunchRequest &request, Diagnostics &diagnostics) = 0;
};

} // namespace tilescope::host
