// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, products and messages: verifiers and effects.
#include "compiler/Dialect/Tile/IR/Tile.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// A value, mask or `other` that follows from the pointer: `name` is what the message calls it.
LogicalResult verifyFollows(Operation *op, StringRef name, Value value, Type wanted) {
  if (!value || value.getType() == wanted)
    return success();
  return op->emitOpError() << name << " is of type " << value.getType() << ", the pointer asks for "
                           << wanted;
}

LogicalResult verifyMask(Operation *op, Value mask, Type pointer) {
  return verifyFollows(op, "mask", mask, booleanLike(pointer));
}

/// Atomics work on 16, 32 or 64 bits.
LogicalResult verifyAtomicWidth(Operation *op, Type element) {
  unsigned width = bitWidthOf(element);
  if (width == 16 || width == 32 || width == 64)
    return success();
  return op->emitOpError() << "elements of " << element << " have " << width << " bits, not 16, 32 or 64";
}

} // namespace

//===- Loads and stores ---------------------------------------------------------------------------===//

void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

LogicalResult LoadOp::verify() {
  Type pointer = getPointer().getType();
  if (getOther() && !getMask())
    return emitOpError() << "has `other`, but no mask";
  if (failed(verifyMask(*this, getMask(), pointer)))
    return failure();
  return verifyFollows(*this, "`other`", getOther(), pointeeLike(pointer));
}

LogicalResult StoreOp::verify() {
  Type pointer = getPointer().getType();
  if (failed(verifyFollows(*this, "value", getValue(), pointeeLike(pointer))))
    return failure();
  return verifyMask(*this, getMask(), pointer);
}

//===- Atomics ------------------------------------------------------------------------------------===//

LogicalResult AtomicRmwOp::verify() {
  Type pointer = getPointer().getType();
  Type element = elementTypeOf(pointeeLike(pointer));
  if (failed(verifyFollows(*this, "value", getValue(), pointeeLike(pointer))) ||
      failed(verifyMask(*this, getMask(), pointer)) || failed(verifyAtomicWidth(*this, element)))
    return failure();
  bool isBitwise = llvm::is_contained({AtomicKind::And, AtomicKind::Or, AtomicKind::Xor}, getKind());
  if (isBitwise && !isInteger(element))
    return emitOpError() << stringifyAtomicKind(getKind()) << " takes integers, not " << element;
  return success();
}

LogicalResult AtomicCasOp::verify() {
  Type wanted = pointeeLike(getPointer().getType());
  if (failed(verifyFollows(*this, "compare", getCompare(), wanted)) ||
      failed(verifyFollows(*this, "value", getValue(), wanted)))
    return failure();
  return verifyAtomicWidth(*this, elementTypeOf(wanted));
}

//===- Products -----------------------------------------------------------------------------------===//

/// Shapes MxK, KxN, MxN, or with one more dimension of one size in front.
static LogicalResult verifyDotShapes(DotOp op) {
  ArrayRef<int64_t> a = op.getA().getType().getShape(), b = op.getB().getType().getShape(),
                    c = op.getType().getShape();
  if (a.size() != b.size() || a.size() != c.size() || a.size() < 2 || a.size() > 3)
    return op.emitOpError() << "ranks are " << a.size() << ", " << b.size() << " and " << c.size()
                            << ": all 2 or all 3";
  size_t batch = a.size() - 2;
  if (a[batch + 1] != b[batch])
    return op.emitOpError() << "a has " << a[batch + 1] << " columns, b " << b[batch] << " rows";
  SmallVector<int64_t> wanted(a);
  wanted.back() = b.back();
  if (c != ArrayRef(wanted) || (batch && b.front() != a.front()))
    return op.emitOpError() << shapeText(a) << " by " << shapeText(b) << " gives " << shapeText(wanted)
                            << ", the accumulator is " << shapeText(c);
  return success();
}

/// The types that products of `a` may be summed in.
static bool isAccumulatorOf(Type a, Type accumulator) {
  if (isInteger(a))
    return bitWidthOf(a) == 8 && accumulator.isSignedInteger(32);
  if (a.isF64())
    return accumulator.isF64();
  return accumulator.isF32() || (accumulator.isF16() && (a.isF16() || bitWidthOf(a) == 8));
}

LogicalResult DotOp::verify() {
  if (failed(verifyDotShapes(*this)))
    return failure();
  Type a = getA().getType().getElementType(), b = getB().getType().getElementType();
  Type accumulator = getType().getElementType();
  bool areNarrowFloats = isFloat(a) && isFloat(b) && bitWidthOf(a) == 8 && bitWidthOf(b) == 8;
  if (isPointer(a) || (a != b && !areNarrowFloats))
    return emitOpError() << "multiplies " << a << " by " << b;
  if (!isAccumulatorOf(a, accumulator))
    return emitOpError() << "sums products of " << a << " in " << accumulator;
  return success();
}

LogicalResult AssertOp::verify() {
  if (getMask() && getMask().getType() != getCondition().getType())
    return emitOpError() << "mask is of type " << getMask().getType() << ", the condition of "
                         << getCondition().getType();
  return success();
}

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileMemoryOps.cpp.inc"
