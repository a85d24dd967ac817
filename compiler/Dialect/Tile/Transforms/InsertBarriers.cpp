// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/Barriers.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Builders.h"

namespace tilescope::tile {

void insertBarriers(FuncOp kernel) {
  for (mlir::Operation *op : analysis::barriersNeeded(kernel, analysis::allocateShared(kernel))) {
    mlir::OpBuilder builder(op);
    SharedBarrierOp::create(builder, op->getLoc());
  }
}

} // namespace tilescope::tile
