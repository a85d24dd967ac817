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

LogicalResult AtomicLoadOp::verify() {
  if (failed(verifyMask(*this, getMask(), getPointer().getType())))
    return failure();
  if (getOrder() != MemoryOrder::Relaxed && getOrder() != MemoryOrder::Acquire)
    return emitOpError() << "cannot be " << stringifyMemoryOrder(getOrder());
  return success();
}

LogicalResult AtomicStoreOp::verify() {
  Type wanted = pointeeLike(getPointer().getType());
  if (failed(verifyFollows(*this, "value", getValue(), wanted)) ||
      failed(verifyMask(*this, getMask(), getPointer().getType())))
    return failure();
  if (getOrder() != MemoryOrder::Relaxed && getOrder() != MemoryOrder::Release)
    return emitOpError() << "cannot be " << stringifyMemoryOrder(getOrder());
  return success();
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

namespace {

/// One operand of a scaled product: how many elements it has along its other dimension and along K.
struct ScaledOperand {
  StringRef name;
  TileType type;
  TileType scale; ///< null without one
  ScaleFormat format;
  bool kPack;
  unsigned kDimension; ///< counted without the dimension in front: 1 for a, 0 for b

  int64_t size(bool alongK) const {
    int64_t dimension = type.getRank() - 2 + (alongK ? kDimension : 1 - kDimension);
    bool isPacked = format == ScaleFormat::E2M1 && alongK == kPack;
    return type.getDimSize(dimension) * (isPacked ? 2 : 1);
  }
};

bool isOfFormat(Type element, ScaleFormat format) {
  switch (format) {
  case ScaleFormat::E2M1:
    return element.isUnsignedInteger(8);
  case ScaleFormat::E4M3:
    return isa<Float8E4M3FNType>(element);
  case ScaleFormat::E5M2:
    return isa<Float8E5M2Type>(element);
  case ScaleFormat::BF16:
    return element.isBF16();
  case ScaleFormat::FP16:
    return element.isF16();
  }
  llvm_unreachable("a format");
}

LogicalResult verifyScaledOperand(Operation *op, const ScaledOperand &operand) {
  if (!isOfFormat(operand.type.getElementType(), operand.format))
    return op->emitOpError() << operand.name << " is of " << operand.type.getElementType() << ", not of "
                             << stringifyScaleFormat(operand.format);
  if (!operand.scale)
    return success();
  SmallVector<int64_t> wanted(operand.type.getShape().drop_back(2));
  wanted.append({operand.size(false), operand.size(true) / 32});
  SmallVector<int64_t> finer = wanted; // NVFP4: one for every 16 elements
  finer.back() *= 2;
  ArrayRef<int64_t> shape = operand.scale.getShape();
  Type element = operand.scale.getElementType();
  if ((shape == ArrayRef(wanted) || shape == ArrayRef(finer)) &&
      (element.isUnsignedInteger(8) || isa<Float8E4M3FNType>(element)))
    return success();
  return op->emitOpError() << "scales of " << operand.name << " are " << operand.scale << ", not ui8 of "
                           << shapeText(wanted);
}

} // namespace

LogicalResult DotScaledOp::verify() {
  TileType aScale = getAScale() ? getAScale().getType() : TileType();
  TileType bScale = getBScale() ? getBScale().getType() : TileType();
  ScaledOperand a{"a", getA().getType(), aScale, getAFormat(), getAKPack(), 1};
  ScaledOperand b{"b", getB().getType(), bScale, getBFormat(), getBKPack(), 0};
  int64_t rank = getType().getRank();
  if (rank < 2 || rank > 3 || a.type.getRank() != rank || b.type.getRank() != rank)
    return emitOpError() << "ranks are " << a.type.getRank() << ", " << b.type.getRank() << " and " << rank
                         << ": all 2 or all 3";
  if (failed(verifyScaledOperand(*this, a)) || failed(verifyScaledOperand(*this, b)))
    return failure();
  if (a.size(true) != b.size(true))
    return emitOpError() << "a has " << a.size(true) << " elements along K, b " << b.size(true);
  SmallVector<int64_t> wanted(a.type.getShape().drop_back(2));
  wanted.append({a.size(false), b.size(false)});
  if (getType().getShape() != ArrayRef(wanted) || !getType().getElementType().isF32())
    return emitOpError() << "accumulator is " << getType() << ", not f32 of " << shapeText(wanted);
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
