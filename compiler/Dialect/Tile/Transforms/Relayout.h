// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every tile of a function a layout, by wishes, and converts where a wish and what an operation needs differ. All
// passes that choose layouts are wishes; this alone changes types. Values never change.
#pragma once

#include "compiler/Dialect/Tile/IR/TileLayout.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope::tile {

class FuncOp;

struct LayoutWishes {
  /// Of results and of what loops carry (the argument of the body). An operation whose result's layout follows from its
  /// operand (`tile.reduce`, `expand_dims` …) is not asked.
  llvm::DenseMap<mlir::Value, LayoutAttr> values;
  /// Of an access without a result: all its operands get it.
  llvm::DenseMap<mlir::Operation *, LayoutAttr> operations;
  /// Of an operand that may have any: those of products.
  llvm::DenseMap<mlir::OpOperand *, LayoutAttr> operands;
  /// Whether a tile without a wish keeps the layout that it has.
  bool keepsOthers = true;
};

/// A tile without a wish or a layout to keep gets what follows from its operands, and a plain blocked layout where nothing
/// does. Conversions whose result gets its operand's layout are gone afterwards.
void relayout(FuncOp function, const LayoutWishes &wishes);

/// Rows first, one element a thread at a time.
LayoutAttr defaultLayout(FuncOp function, TileType type);
/// The same with `perThread` neighbours along `order[0]` in a thread.
LayoutAttr blockedLayout(FuncOp function, TileType type, llvm::ArrayRef<unsigned> order, int64_t perThread);
/// Rows first, `pack` elements in a thread, whatever the rows' length.
LayoutAttr packedLayout(FuncOp function, TileType type, int64_t pack);

/// `num_warps` of a function, 4 if it does not say.
unsigned warpsOf(FuncOp function);
/// Compute capability of its `target` as major * 10 + minor, 90 if it does not say.
unsigned capabilityOf(FuncOp function);

/// Whether it reads or writes global memory through pointers, tile by tile.
bool isAccess(mlir::Operation *op);

} // namespace tilescope::tile
