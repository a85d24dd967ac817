// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace tilescope::tile {

void hoistInvariants(FuncOp kernel) {
  kernel.walk([](mlir::LoopLikeOpInterface loop) {
    auto counted = llvm::dyn_cast<ForOp>(loop.getOperation());
    if (!counted || !counted.getDisableLicm())
      mlir::moveLoopInvariantCode(loop);
  });
}

} // namespace tilescope::tile
