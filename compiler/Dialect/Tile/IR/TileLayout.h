// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts as attributes, and which layout an operation's result has when its operand has one. Verifiers,
// propagation and rematerialisation all ask here, so that they cannot differ.
#pragma once

#include "compiler/Dialect/Tile/IR/TileTypes.h"

#include "mlir/IR/Operation.h"

namespace tilescope::tile {

/// A layout of threads for a tile of `shape`: inputs register, lane, warp; outputs dim0 … of its sizes; every
/// element held.
mlir::LogicalResult verifyThreadLayout(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                       llvm::ArrayRef<int64_t> shape, const layout::LinearLayout &map);
/// A layout of shared memory: one input, the offset; a bijection.
mlir::LogicalResult verifySharedLayout(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                       llvm::ArrayRef<int64_t> shape, const layout::LinearLayout &map);

//===- By operation -------------------------------------------------------------------------------===//
// Null in, null out: in stage one no layout follows from anything.

LayoutAttr expandDimsLayout(LayoutAttr operand, unsigned axis);
LayoutAttr reduceLayout(LayoutAttr operand, unsigned axis);
LayoutAttr permuteLayout(LayoutAttr operand, llvm::ArrayRef<int32_t> order);
/// The result has one dimension of 2 more, whose bit is a thread's lowest register.
LayoutAttr joinLayout(LayoutAttr operand);
/// Of an operand whose last dimension lies in a register bit of its own; else null.
LayoutAttr splitLayout(LayoutAttr operand);
/// The second tile lies in registers behind those of the first.
LayoutAttr catLayout(LayoutAttr operand, unsigned axis);
LayoutAttr reshapeLayout(LayoutAttr operand, llvm::ArrayRef<int64_t> shape);
/// What an operand of `shape` must have to be broadcast to `result` without moving.
LayoutAttr broadcastOperandLayout(LayoutAttr result, llvm::ArrayRef<int64_t> shape);

/// Whether each thread that holds one of `pack` elements that follow each other (row-major) holds all of them, as tile.map
/// must have it.
bool holdsPacks(const layout::LinearLayout &map, uint32_t pack);

/// What the first result has when operand `index` has `layout`; null where it does not follow (or must not be
/// asked).
LayoutAttr resultLayout(mlir::Operation *op, unsigned index, LayoutAttr layout);
/// What operand `index` must have for the first result to have `layout`; null where nothing follows: then the
/// operand must be converted, or the operation takes any.
LayoutAttr operandLayout(mlir::Operation *op, unsigned index, LayoutAttr layout);

} // namespace tilescope::tile
