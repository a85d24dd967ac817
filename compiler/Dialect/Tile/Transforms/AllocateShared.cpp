// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Builders.h"

namespace tilescope::tile {

void allocateShared(FuncOp kernel) {
  mlir::Builder builder(kernel.getContext());
  const analysis::SharedAllocation allocation = analysis::allocateShared(kernel);
  for (const analysis::SharedRegion &region : allocation.regions)
    region.op->setAttr(analysis::sharedOffsetAttr, builder.getI32IntegerAttr(int32_t(region.offset)));
  kernel->setAttr(analysis::sharedBytesAttr, builder.getI32IntegerAttr(int32_t(allocation.bytes)));
}

} // namespace tilescope::tile
