// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic: verifiers. The folders are in TileArithmeticFolds.cpp.
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::tile {

LogicalResult CmpOp::verify() {
  if (getLhs().getType() != getRhs().getType())
    return emitOpError() << "compares " << getLhs().getType() << " with " << getRhs().getType();
  return success();
}

LogicalResult SelectOp::verify() {
  if (getOnTrue().getType() != getOnFalse().getType())
    return emitOpError() << "selects from " << getOnTrue().getType() << " and " << getOnFalse().getType();
  return success();
}

LogicalResult CastOp::verify() {
  Type from = elementTypeOf(getOperand().getType()), to = elementTypeOf(getType());
  if (getRounding() == Rounding::NearestEven)
    return success();
  bool isNarrowing = isFloat(from) && isFloat(to) &&
                     !APFloat::isRepresentableBy(cast<FloatType>(from).getFloatSemantics(),
                                                 cast<FloatType>(to).getFloatSemantics());
  if (!isNarrowing)
    return emitOpError() << "rounding is for a float to a narrower float, not for " << from << " to " << to;
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = elementTypeOf(getOperand().getType()), to = elementTypeOf(getType());
  if (isPointer(from) != isPointer(to))
    return emitOpError() << "turns " << from << " into " << to
                         << ": tile.int_to_ptr and tile.ptr_to_int do that";
  if (bitWidthOf(from) != bitWidthOf(to))
    return emitOpError() << from << " has " << bitWidthOf(from) << " bits, " << to << " has "
                         << bitWidthOf(to);
  return success();
}

/// An address is 64 bits wide.
static LogicalResult verifyAddressInteger(Operation *op, Type integer) {
  Type element = elementTypeOf(integer);
  if (bitWidthOf(element) == 64)
    return success();
  return op->emitOpError() << element << " has " << bitWidthOf(element) << " bits, an address 64";
}

LogicalResult IntToPtrOp::verify() { return verifyAddressInteger(*this, getOperand().getType()); }
LogicalResult PtrToIntOp::verify() { return verifyAddressInteger(*this, getType()); }

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileArithmeticOps.cpp.inc"
