// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the tile dialect. Stage one is what the source says and runs through none of them.
#pragma once

namespace mlir {
class OpPassManager;
}

namespace tilescope::tile {

/// On a module, the way from stage one to where layouts are assigned (`tile-stage-two-prepare`): calls
/// inlined with their call sites in the locations, constants folded, common subexpressions and dead
/// operations gone, and the private functions that nobody calls any more.
void buildStageTwoPrepare(mlir::OpPassManager &manager);

/// Makes the pipelines known to a command line.
void registerPipelines();

} // namespace tilescope::tile
