// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders of arithmetic, for stage two; nothing folds while stage one is built. A constant is the scalar
// attribute of its element whatever its shape (see tile.constant), so one folder does scalars and splats.
// Integers wrap, floats round once in their own type; a division by zero never folds, since it is reported.
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

APFloat scalarFloat(Attribute value) { return cast<FloatAttr>(value).getValue(); }
APInt scalarInteger(Attribute value) { return cast<IntegerAttr>(value).getValue(); }
bool isIntegerConstant(Attribute value) { return isa_and_nonnull<IntegerAttr>(value); }
bool isFloatConstant(Attribute value) { return isa_and_nonnull<FloatAttr>(value); }

bool isIntegerOf(Attribute value, int64_t number) {
  return isIntegerConstant(value) && scalarInteger(value) == APInt(scalarInteger(value).getBitWidth(), number,
                                                                   /*isSigned=*/true, /*implicitTrunc=*/true);
}
/// A float constant with exactly these bits, so that +0 is not -0.
bool isFloatOf(Attribute value, double number) {
  if (!isFloatConstant(value))
    return false;
  APFloat wanted(number);
  bool isInexact = false;
  wanted.convert(scalarFloat(value).getSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
  return !isInexact && wanted.bitwiseIsEqual(scalarFloat(value));
}
bool isOne(Attribute value) { return isIntegerOf(value, 1) || isFloatOf(value, 1.0); }

template <typename Op> Type elementOf(Op op) { return elementTypeOf(op.getType()); }

/// Applies one of two functions to a constant operand.
template <typename Op>
Attribute foldUnary(Op op, Attribute operand, function_ref<APInt(APInt)> onIntegers,
                    function_ref<APFloat(APFloat)> onFloats) {
  Type type = elementOf(op);
  if (isIntegerConstant(operand))
    return IntegerAttr::get(type, onIntegers(scalarInteger(operand)));
  if (isFloatConstant(operand) && onFloats)
    return FloatAttr::get(type, onFloats(scalarFloat(operand)));
  return {};
}

/// The same for two constant operands; the integer function is told whether they are signed.
template <typename Op, typename Adaptor>
Attribute foldBinary(Op op, Adaptor adaptor,
                     function_ref<APInt(const APInt &, const APInt &, bool)> onIntegers,
                     function_ref<APFloat(APFloat, const APFloat &)> onFloats = nullptr) {
  Attribute lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
  Type type = elementOf(op);
  if (isIntegerConstant(lhs) && isIntegerConstant(rhs))
    return IntegerAttr::get(type, onIntegers(scalarInteger(lhs), scalarInteger(rhs), isSigned(type)));
  if (isFloatConstant(lhs) && isFloatConstant(rhs) && onFloats)
    return FloatAttr::get(type, onFloats(scalarFloat(lhs), scalarFloat(rhs)));
  return {};
}

/// Zero of an integer element type; nothing for floats, whose signs and NaN matter.
template <typename Op> Attribute integerZero(Op op) {
  Type type = elementOf(op);
  return isInteger(type) ? Attribute(IntegerAttr::get(type, APInt::getZero(bitWidthOf(type)))) : Attribute();
}

} // namespace

//===- One operand --------------------------------------------------------------------------------===//

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NegOp>())
    return inner.getOperand();
  return foldUnary(
      *this, adaptor.getOperand(), [](APInt value) { return -value; },
      [](APFloat value) { return neg(value); });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NotOp>())
    return inner.getOperand();
  return foldUnary(*this, adaptor.getOperand(), [](APInt value) { return ~value; }, nullptr);
}

//===- Two operands -------------------------------------------------------------------------------===//

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0) || isFloatOf(adaptor.getRhs(), -0.0))
    return getLhs();
  return foldBinary(
      *this, adaptor, [](const APInt &a, const APInt &b, bool) { return a + b; },
      [](APFloat a, const APFloat &b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0) || isFloatOf(adaptor.getRhs(), 0.0))
    return getLhs();
  if (getLhs() == getRhs())
    return integerZero(*this);
  return foldBinary(
      *this, adaptor, [](const APInt &a, const APInt &b, bool) { return a - b; },
      [](APFloat a, const APFloat &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    return getLhs();
  if (isIntegerOf(adaptor.getRhs(), 0))
    return adaptor.getRhs();
  return foldBinary(
      *this, adaptor, [](const APInt &a, const APInt &b, bool) { return a * b; },
      [](APFloat a, const APFloat &b) { return a * b; });
}

OpFoldResult MulHiOp::fold(FoldAdaptor adaptor) {
  return foldBinary(*this, adaptor, [](const APInt &a, const APInt &b, bool isSigned) {
    return isSigned ? llvm::APIntOps::mulhs(a, b) : llvm::APIntOps::mulhu(a, b);
  });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    return getLhs();
  if (isIntegerOf(adaptor.getRhs(), 0))
    return {};
  return foldBinary(
      *this, adaptor,
      [](const APInt &a, const APInt &b, bool isSigned) { return isSigned ? a.sdiv(b) : a.udiv(b); },
      [](APFloat a, const APFloat &b) { return a / b; });
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0))
    return {};
  return foldBinary(
      *this, adaptor,
      [](const APInt &a, const APInt &b, bool isSigned) { return isSigned ? a.srem(b) : a.urem(b); },
      [](APFloat a, const APFloat &b) {
        if (b.isInfinity())
          return a;
        APFloat quotient = a / b;
        quotient.roundToIntegral(APFloat::rmTowardZero);
        quotient.changeSign();
        quotient.fusedMultiplyAdd(b, a, APFloat::rmNearestTiesToEven);
        return quotient;
      });
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0))
    return adaptor.getRhs();
  if (isIntegerOf(adaptor.getRhs(), -1))
    return getLhs();
  return foldBinary(*this, adaptor, [](const APInt &a, const APInt &b, bool) { return a & b; });
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0))
    return getLhs();
  if (isIntegerOf(adaptor.getRhs(), -1))
    return adaptor.getRhs();
  return foldBinary(*this, adaptor, [](const APInt &a, const APInt &b, bool) { return a | b; });
}

OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0))
    return getLhs();
  if (getLhs() == getRhs())
    return integerZero(*this);
  return foldBinary(*this, adaptor, [](const APInt &a, const APInt &b, bool) { return a ^ b; });
}

// APInt shifts by an APInt stop at the width, as PTX has it.
OpFoldResult ShlOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0))
    return getLhs();
  return foldBinary(*this, adaptor, [](const APInt &a, const APInt &b, bool) { return a.shl(b); });
}

OpFoldResult ShrOp::fold(FoldAdaptor adaptor) {
  if (isIntegerOf(adaptor.getRhs(), 0))
    return getLhs();
  return foldBinary(*this, adaptor, [](const APInt &a, const APInt &b, bool isSigned) {
    return isSigned ? a.ashr(b) : a.lshr(b);
  });
}

OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  bool propagates = getPropagateNan();
  return foldBinary(
      *this, adaptor,
      [](const APInt &a, const APInt &b, bool isSigned) {
        return isSigned ? llvm::APIntOps::smin(a, b) : llvm::APIntOps::umin(a, b);
      },
      [=](APFloat a, const APFloat &b) { return propagates ? minimum(a, b) : minimumnum(a, b); });
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  bool propagates = getPropagateNan();
  return foldBinary(
      *this, adaptor,
      [](const APInt &a, const APInt &b, bool isSigned) {
        return isSigned ? llvm::APIntOps::smax(a, b) : llvm::APIntOps::umax(a, b);
      },
      [=](APFloat a, const APFloat &b) { return propagates ? maximum(a, b) : maximumnum(a, b); });
}

/// -1, 0 or 1 as a is less, equal or greater; nothing with NaN.
static std::optional<int> compareConstants(Attribute a, Attribute b, bool isSigned) {
  if (isFloatConstant(a)) {
    APFloat::cmpResult result = scalarFloat(a).compare(scalarFloat(b));
    if (result == APFloat::cmpUnordered)
      return std::nullopt;
    return result == APFloat::cmpEqual ? 0 : result == APFloat::cmpLessThan ? -1 : 1;
  }
  APInt x = scalarInteger(a), y = scalarInteger(b);
  if (x == y)
    return 0;
  return (isSigned ? x.slt(y) : x.ult(y)) ? -1 : 1;
}

static bool holds(Predicate predicate, std::optional<int> order) {
  if (!order)
    return predicate == Predicate::Ne;
  switch (predicate) {
  case Predicate::Eq:
    return *order == 0;
  case Predicate::Ne:
    return *order != 0;
  case Predicate::Lt:
    return *order < 0;
  case Predicate::Le:
    return *order <= 0;
  case Predicate::Gt:
    return *order > 0;
  case Predicate::Ge:
    return *order >= 0;
  }
  llvm_unreachable("a predicate");
}

OpFoldResult CmpOp::fold(FoldAdaptor adaptor) {
  Type element = elementTypeOf(getLhs().getType());
  if (getLhs() == getRhs() && !isFloat(element))
    return BoolAttr::get(getContext(), holds(getPredicate(), 0));
  if (!adaptor.getLhs() || !adaptor.getRhs())
    return {};
  std::optional<int> order = compareConstants(adaptor.getLhs(), adaptor.getRhs(), isSigned(element));
  return BoolAttr::get(getContext(), holds(getPredicate(), order));
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  if (!adaptor.getCondition())
    return {};
  return isIntegerOf(adaptor.getCondition(), 0) ? getOnFalse() : getOnTrue();
}

//===- Casts --------------------------------------------------------------------------------------===//

namespace {

const llvm::fltSemantics &semanticsOf(Type type) { return cast<FloatType>(type).getFloatSemantics(); }

/// Whether every value of `from` is one of `to`, both integers or both floats.
bool isLossless(Type from, Type to) {
  if (isFloat(from) && isFloat(to))
    return APFloat::isRepresentableBy(semanticsOf(from), semanticsOf(to));
  if (!isInteger(from) || !isInteger(to))
    return false;
  unsigned spare = isSigned(to) && !isSigned(from) ? 1 : 0;
  return bitWidthOf(to) >= bitWidthOf(from) + spare && (isSigned(to) || !isSigned(from));
}

APInt convertInteger(const APInt &value, Type from, Type to) {
  unsigned width = bitWidthOf(to);
  return isSigned(from) ? value.sextOrTrunc(width) : value.zextOrTrunc(width);
}

/// Towards zero and into 32 (or 64) bits, of which the low ones remain; NaN gives 0.
APInt convertToInteger(const APFloat &value, Type to) {
  APSInt wide(std::max(32u, bitWidthOf(to)), /*isUnsigned=*/!isSigned(to));
  bool isExact = false;
  if (value.isNaN())
    return APInt::getZero(bitWidthOf(to));
  value.convertToInteger(wide, APFloat::rmTowardZero, &isExact);
  return wide.trunc(bitWidthOf(to));
}

/// Nothing where a value leaves the range of an 8-bit float: what that becomes is left to the machine.
std::optional<APFloat> convertToFloat(Attribute value, Type from, Type to, Rounding rounding) {
  auto mode = rounding == Rounding::TowardZero ? APFloat::rmTowardZero : APFloat::rmNearestTiesToEven;
  APFloat result(semanticsOf(to));
  bool losesInfo = false;
  if (isFloatConstant(value)) {
    result = scalarFloat(value);
    result.convert(semanticsOf(to), mode, &losesInfo);
  } else {
    result.convertFromAPInt(scalarInteger(value), isSigned(from), mode);
  }
  bool isSettled = result.isFinite() || bitWidthOf(to) > 8;
  return isSettled ? std::optional(result) : std::nullopt;
}

Attribute foldCast(CastOp op, Attribute value) {
  Type from = elementTypeOf(op.getOperand().getType()), to = elementTypeOf(op.getType());
  if (isBoolean(to)) {
    bool isZero = isFloatConstant(value) ? scalarFloat(value).isZero() : scalarInteger(value).isZero();
    return BoolAttr::get(op.getContext(), !isZero);
  }
  if (isFloat(to)) {
    std::optional<APFloat> result = convertToFloat(value, from, to, op.getRounding());
    return result ? FloatAttr::get(to, *result) : Attribute();
  }
  if (isFloatConstant(value))
    return IntegerAttr::get(to, convertToInteger(scalarFloat(value), to));
  return IntegerAttr::get(to, convertInteger(scalarInteger(value), from, to));
}

} // namespace

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (adaptor.getOperand())
    return getSaturate() ? Attribute() : foldCast(*this, adaptor.getOperand());
  auto inner = getOperand().getDefiningOp<CastOp>();
  if (!inner)
    return {};
  Type origin = elementTypeOf(inner.getOperand().getType()), between = elementTypeOf(inner.getType());
  Type last = elementTypeOf(getType());
  // A value kept by the first cast is as good a start for the second. Not from one kind of number to the
  // other and back: a float outside of an integer's range is not an integer that wraps.
  if (!isLossless(origin, between))
    return {};
  getOperandMutable().assign(inner.getOperand());
  if (isFloat(last) && isLossless(origin, last))
    setRounding(Rounding::NearestEven);
  return getResult();
}

OpFoldResult BitcastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<BitcastOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  Attribute value = adaptor.getOperand();
  if (!value)
    return {};
  APInt bits = isFloatConstant(value) ? scalarFloat(value).bitcastToAPInt() : scalarInteger(value);
  Type to = elementTypeOf(getType());
  if (isFloat(to))
    return FloatAttr::get(to, APFloat(semanticsOf(to), bits));
  return IntegerAttr::get(to, bits);
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  auto inner = getOperand().getDefiningOp<PtrToIntOp>();
  return inner && inner.getOperand().getType() == getType() ? inner.getOperand() : Value();
}

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  auto inner = getOperand().getDefiningOp<IntToPtrOp>();
  return inner && inner.getOperand().getType() == getType() ? inner.getOperand() : Value();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return isIntegerOf(adaptor.getOffset(), 0) ? getPointer() : Value();
}

} // namespace tilescope::tile
