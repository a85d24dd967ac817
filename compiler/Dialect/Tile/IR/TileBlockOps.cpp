// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to blocks of tensors: verifiers.
#include "compiler/Dialect/Tile/IR/Tile.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

LogicalResult verifyCount(Operation *op, StringRef name, size_t count, size_t rank) {
  if (count == rank)
    return success();
  return op->emitOpError() << "has " << count << " " << name << " for a block of rank " << rank;
}

/// The description fits a block of that type: one size and one stride a dimension, elements of the pointee.
LogicalResult verifyDescription(Operation *op, Value base, ValueRange shape, ValueRange strides,
                                TileType block) {
  size_t rank = block.getRank();
  if (failed(verifyCount(op, "sizes", shape.size(), rank)) ||
      failed(verifyCount(op, "strides", strides.size(), rank)))
    return failure();
  Type pointee = cast<PointerType>(base.getType()).getPointee();
  if (pointee == block.getElementType())
    return success();
  return op->emitOpError() << "block is of " << block.getElementType() << ", the tensor of " << pointee;
}

LogicalResult verifyChecked(Operation *op, ArrayRef<int32_t> checked, int64_t rank) {
  int32_t last = -1;
  for (int32_t dimension : checked) {
    if (dimension <= last || dimension >= rank)
      return op->emitOpError() << "checked [" << checked << "] are not ascending dimensions below " << rank;
    last = dimension;
  }
  return success();
}

LogicalResult verifyPadding(Operation *op, Padding padding, TileType block) {
  if (padding != Padding::NaN || isFloat(block.getElementType()))
    return success();
  return op->emitOpError() << "elements of " << block.getElementType() << " have no NaN to pad with";
}

/// A block whose place is `offsets`.
template <typename Op> LogicalResult verifyBlock(Op op, TileType block) {
  if (failed(verifyDescription(op, op.getBase(), op.getShape(), op.getStrides(), block)) ||
      failed(verifyCount(op, "offsets", op.getOffsets().size(), block.getRank())))
    return failure();
  return verifyChecked(op, op.getChecked(), block.getRank());
}

/// A block of chosen rows.
template <typename Op> LogicalResult verifyRows(Op op, TileType block) {
  TileType rows = op.getRows().getType();
  if (!isWideInteger(rows.getElementType()) || rows.getRank() != 1)
    return op.emitOpError() << "rows are " << rows << ", not a tile of integers of rank 1";
  if (block.getRank() != 2 || block.getDimSize(0) != rows.getDimSize(0))
    return op.emitOpError() << rows.getDimSize(0) << " rows do not give a block of "
                            << shapeText(block.getShape());
  return verifyDescription(op, op.getBase(), op.getShape(), op.getStrides(), block);
}

} // namespace

LogicalResult BlockLoadOp::verify() {
  return success(succeeded(verifyBlock(*this, getType())) &&
                 succeeded(verifyPadding(*this, getPadding(), getType())));
}

LogicalResult BlockStoreOp::verify() { return verifyBlock(*this, getValue().getType()); }

LogicalResult BlockReduceOp::verify() {
  if (getKind() == AtomicKind::Exchange)
    return emitOpError() << "cannot exchange";
  return verifyBlock(*this, getValue().getType());
}

LogicalResult BlockGatherOp::verify() {
  return success(succeeded(verifyRows(*this, getType())) &&
                 succeeded(verifyPadding(*this, getPadding(), getType())));
}

LogicalResult BlockScatterOp::verify() { return verifyRows(*this, getValue().getType()); }

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileBlockOps.cpp.inc"
