// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step into stage two.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Relayout.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

namespace tilescope::tile {

void assignLayouts(FuncOp kernel) { relayout(kernel, LayoutWishes()); }

} // namespace tilescope::tile
