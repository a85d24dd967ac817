// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel on its way from what the source says to what a GPU runs, stage by stage.
#pragma once

#include "compiler/Frontend/Frontend.h"

#include <functional>
#include <string>
#include <vector>

namespace tilescope::model {
struct Gpu;
}

namespace tilescope::service {

/// Called with a stage's name and summary, and the module as it is then.
using StageVisitor = std::function<void(llvm::StringRef name, llvm::StringRef summary, mlir::ModuleOp module)>;

/// Carries a module of stage one (frontend::compile) to the end of stage two, for `gpu`; the IR verifies after each
/// stage. False after a mistake of ours, in `diagnostics` as `internal-error`. `visit` may be null.
bool lowerToStageTwo(mlir::ModuleOp module, const model::Gpu &gpu, Diagnostics &diagnostics,
                     const StageVisitor &visit = {});

/// The IR after a stage, as text of the tile dialect. The first is stage one.
struct StageText {
  std::string name, summary, ir;
  std::vector<int> lines; ///< of the source, for each of the text (LinedText.h); for those who ask for them
};
/// Empty after an error, which is in `diagnostics`.
std::vector<StageText> printStages(const FunctionObject &kernel, const frontend::Specialisation &specialisation,
                                   const model::Gpu &gpu, Diagnostics &diagnostics);

} // namespace tilescope::service
