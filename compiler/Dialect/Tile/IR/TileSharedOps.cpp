// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of stage two: verifiers and folders.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/IR/TileLayout.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// A tile goes to or comes from a buffer as it is.
LogicalResult verifySameTile(Operation *op, TileType tile, BufferType buffer) {
  if (tile.getShape() == buffer.getShape() && tile.getElementType() == buffer.getElementType())
    return success();
  return op->emitOpError() << "the tile is " << shapeText(tile.getShape()) << " of " << tile.getElementType()
                           << ", the buffer " << shapeText(buffer.getShape()) << " of "
                           << buffer.getElementType();
}

LogicalResult verifyOneSlot(Operation *op, BufferType buffer) {
  if (buffer.getCount() == 1)
    return success();
  return op->emitOpError() << "one of " << buffer.getCount() << " buffers must be picked by tile.shared_slot";
}

LogicalResult verifyAccess(Operation *op, TileType tile, BufferType buffer) {
  return success(succeeded(verifyOneSlot(op, buffer)) && succeeded(verifySameTile(op, tile, buffer)));
}

} // namespace

//===- Layouts ------------------------------------------------------------------------------------===//

void ConvertLayoutOp::build(OpBuilder &builder, OperationState &state, Value operand, LayoutAttr layout) {
  build(builder, state, cast<TileType>(operand.getType()).withLayout(layout), operand, IntegerAttr());
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<ConvertLayoutOp>()) {
    setOperand(inner.getOperand());
    return getResult();
  }
  return isa_and_nonnull<IntegerAttr, FloatAttr>(adaptor.getOperand()) ? adaptor.getOperand() : Attribute();
}

LogicalResult ConvertLayoutOp::verify() {
  TileType from = getOperand().getType(), to = getType();
  if (!from.getLayout() || !to.getLayout())
    return emitOpError() << "both tiles have a layout";
  if (from.withLayout({}) != to.withLayout({}))
    return emitOpError() << "the operand is " << from.withLayout({}) << ", the result " << to.withLayout({});
  return success();
}

//===- Buffers ------------------------------------------------------------------------------------===//

LogicalResult SharedAllocOp::verify() {
  if (!getInitial())
    return success();
  return verifyAccess(*this, getInitial().getType(), getType());
}

LogicalResult SharedPermuteOp::verify() {
  BufferType from = getBuffer().getType();
  SmallVector<int64_t> shape;
  for (int32_t axis : getOrder())
    if (axis >= 0 && axis < from.getRank())
      shape.push_back(from.getDimSize(axis));
  if (int64_t(shape.size()) != from.getRank() || shape != getType().getShape() ||
      getType().getLayout() != permuteLayout(from.getLayout(), getOrder()))
    return emitOpError() << "the result is not the buffer with its dimensions in order [" << getOrder()
                         << "]";
  return verifyOneSlot(*this, from);
}

LogicalResult SharedLoadOp::verify() { return verifyAccess(*this, getType(), getBuffer().getType()); }
LogicalResult SharedStoreOp::verify() {
  return verifyAccess(*this, getValue().getType(), getBuffer().getType());
}

//===- Asynchronous copies ------------------------------------------------------------------------===//

void AsyncCopyOp::build(OpBuilder &builder, OperationState &state, LoadOp load, Value buffer) {
  build(builder, state, TokenType::get(builder.getContext()), load.getPointer(), load.getMask(),
        load.getOther(), buffer, load.getCache(), load.getEviction());
}

LogicalResult AsyncCopyOp::verify() {
  auto pointer = dyn_cast<TileType>(getPointer().getType());
  if (!pointer)
    return emitOpError() << "copies a tile";
  if (getOther() && !getMask())
    return emitOpError() << "has `other`, but no mask";
  return verifyAccess(*this, cast<TileType>(pointeeLike(pointer)), getBuffer().getType());
}

/// Without a word for no operands, the next line's result would be read as one.
static ParseResult parseTokens(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &tokens) {
  if (succeeded(parser.parseOptionalKeyword("none")))
    return success();
  return parser.parseOperandList(tokens);
}

static void printTokens(OpAsmPrinter &printer, AsyncCommitOp, OperandRange tokens) {
  if (tokens.empty())
    printer << "none";
  else
    printer.printOperands(tokens);
}

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileSharedOps.cpp.inc"
