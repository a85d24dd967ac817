// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the tile dialect. Stage one is what the source says and runs through none of them.
#pragma once

#include <memory>

namespace mlir {
class OpPassManager;
class Pass;
} // namespace mlir

namespace tilescope::tile {

struct Stage;

/// On a module, the way from stage one to where layouts are assigned (`tile-stage-two-prepare`): calls
/// inlined with their call sites in the locations, constants folded, common subexpressions and dead
/// operations gone, and the private functions that nobody calls any more.
void buildStageTwoPrepare(mlir::OpPassManager &manager);

/// On a module, all of stage two: what `buildStageTwoPrepare` does, then each of `stages()` (`tile-stage-two`).
void buildStageTwo(mlir::OpPassManager &manager);

/// A stage as a pass over one function, `tile-NAME`.
std::unique_ptr<mlir::Pass> createStagePass(const Stage &stage);

/// Makes passes and pipelines known to a command line.
void registerPasses();

} // namespace tilescope::tile
