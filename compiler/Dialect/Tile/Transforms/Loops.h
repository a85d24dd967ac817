// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that carry other values than before.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/BitVector.h"

namespace tilescope::tile {

/// `loop`, rebuilt to carry `initial` as well, behind what it carries already; the old loop is gone. The caller appends
/// what is yielded for them to `terminator()`.
ForOp appendCarried(ForOp loop, mlir::ValueRange initial);

/// `loop`, rebuilt without the carried values in `drop`, whose results nobody uses. In the body they stand for their
/// initial values: what is computed from them must be of no effect.
ForOp dropCarried(ForOp loop, const llvm::BitVector &drop);

/// Drops what loops carry that only the loops themselves use.
void dropUnusedCarried(FuncOp kernel);

} // namespace tilescope::tile
