// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What verifiers of several files of this dialect share.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

namespace tilescope::tile {

/// Operands and results, of which there is one at least, have one shape, whose elements `pack` divides.
mlir::LogicalResult verifyPacked(mlir::Operation *op, uint32_t pack);

} // namespace tilescope::tile
