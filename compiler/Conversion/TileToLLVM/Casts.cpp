// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.cast, with the arithmetic of PTX `cvt`.
#include "compiler/Conversion/TileToLLVM/Float8.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tilescope::codegen {
namespace {

class Cast {
public:
  /// `from` is the operand's element type, or fp32 where an 8-bit float has been widened.
  Cast(Emitter &e, tile::CastOp op, mlir::Type from)
      : e(e), b(e.b), m_from(from), m_to(tile::elementTypeOf(op.getType())),
        m_type(e.type(m_to)), m_towardZero(op.getRounding() == tile::Rounding::TowardZero), m_saturate(op.getSaturate()) {}

  llvm::Value *apply(llvm::Value *x) {
    if (tile::isBoolean(m_to))
      return isNotZero(x);
    if (!tile::isFloat(m_from))
      return tile::isFloat(m_to) ? integerToFloat(x) : integerToInteger(x);
    return tile::isFloat(m_to) ? floatToFloat(x) : floatToInteger(x);
  }

private:
  static unsigned bits(llvm::Value *x) { return unsigned(x->getType()->getPrimitiveSizeInBits()); }
  bool isFromSigned() const { return tile::isSigned(m_from); }

  llvm::Value *isNotZero(llvm::Value *x) {
    return tile::isFloat(m_from) ? b.CreateFCmpUNE(x, llvm::Constant::getNullValue(x->getType()))
                                 : b.CreateICmpNE(x, llvm::Constant::getNullValue(x->getType()));
  }
  llvm::Value *integerToFloat(llvm::Value *x) {
    return isFromSigned() ? b.CreateSIToFP(x, m_type) : b.CreateUIToFP(x, m_type);
  }

  llvm::Value *integerToInteger(llvm::Value *x) {
    if (m_saturate && !tile::isBoolean(m_from))
      x = withinRange(x);
    return isFromSigned() ? b.CreateSExtOrTrunc(x, m_type) : b.CreateZExtOrTrunc(x, m_type);
  }
  /// To the nearest end of the result's range, still in the operand's type.
  llvm::Value *withinRange(llvm::Value *x) {
    const unsigned to = m_type->getIntegerBitWidth(), wide = std::max(bits(x), to) + 1;
    const bool isToSigned = tile::isSigned(m_to);
    const llvm::APInt low = isToSigned ? llvm::APInt::getSignedMinValue(to).sext(wide) : llvm::APInt(wide, 0);
    const llvm::APInt high = isToSigned ? llvm::APInt::getSignedMaxValue(to).sext(wide) : llvm::APInt::getMaxValue(to).zext(wide);
    const unsigned from = bits(x);
    const llvm::APInt fromLow = isFromSigned() ? llvm::APInt::getSignedMinValue(from).sext(wide) : llvm::APInt(wide, 0);
    const llvm::APInt fromHigh =
        isFromSigned() ? llvm::APInt::getSignedMaxValue(from).sext(wide) : llvm::APInt::getMaxValue(from).zext(wide);
    auto extremum = [&](bool isMax, const llvm::APInt &end) {
      llvm::Value *constant = llvm::ConstantInt::get(x->getType(), end.trunc(from));
      using namespace llvm::Intrinsic;
      return b.CreateBinaryIntrinsic(isMax ? (isFromSigned() ? smax : umax) : (isFromSigned() ? smin : umin), x, constant);
    };
    if (low.sgt(fromLow))
      x = extremum(true, low);
    if (high.slt(fromHigh))
      x = extremum(false, high);
    return x;
  }

  /// cvt.rzi to 32 or 64 bits (16 for a result of 8): past the range to its nearest end. NaN to 0, or to the highest bit
  /// alone where either side has 64 bits.
  llvm::Value *floatToInteger(llvm::Value *x) {
    using namespace llvm::Intrinsic;
    const bool isToSigned = tile::isSigned(m_to);
    if (bits(x) < 32)
      x = b.CreateFPExt(x, b.getFloatTy());
    const unsigned to = m_type->getIntegerBitWidth();
    const unsigned wide = m_saturate ? to : std::max(16u, to);
    llvm::Function *convert = llvm::Intrinsic::getOrInsertDeclaration(
        &e.module(), isToSigned ? fptosi_sat : fptoui_sat, {b.getIntNTy(wide), x->getType()});
    llvm::Value *result = b.CreateCall(convert, {x});
    if (wide == 64 || bits(x) == 64)
      result = b.CreateSelect(b.CreateFCmpUNO(x, x), llvm::ConstantInt::get(b.getIntNTy(wide), llvm::APInt::getSignMask(wide)),
                              result);
    return b.CreateTrunc(result, m_type);
  }

  llvm::Value *floatToFloat(llvm::Value *x) {
    if (m_saturate)
      x = withinFinite(x);
    const unsigned to = unsigned(m_type->getPrimitiveSizeInBits());
    if (bits(x) == to && x->getType() != m_type) // fp16 and bf16
      x = b.CreateFPExt(x, b.getFloatTy());
    if (bits(x) <= to)
      return b.CreateFPExt(x, m_type);
    return m_towardZero ? truncated(x) : b.CreateFPTrunc(x, m_type);
  }
  llvm::Value *withinFinite(llvm::Value *x) {
    if (bits(x) <= m_type->getPrimitiveSizeInBits())
      return x;
    bool inexact;
    llvm::APFloat greatest = llvm::APFloat::getLargest(m_type->getFltSemantics());
    greatest.convert(x->getType()->getFltSemantics(), llvm::APFloat::rmTowardZero, &inexact);
    llvm::Value *high = llvm::ConstantFP::get(x->getType(), greatest);
    llvm::Value *bounded = b.CreateMaxNum(b.CreateMinNum(x, high), b.CreateFNeg(high));
    return b.CreateSelect(b.CreateFCmpUNO(x, x), x, bounded);
  }
  llvm::Value *truncated(llvm::Value *x) {
    if (x->getType()->isDoubleTy()) {
      x = b.CreateIntrinsic(b.getFloatTy(), llvm::Intrinsic::nvvm_d2f_rz, {x});
      if (m_type->isFloatTy())
        return x;
    }
    if (m_type->isHalfTy())
      return b.CreateBitCast(e.assembly("cvt.rz.f16.f32 $0, $1;", "=h,f", b.getInt16Ty(), {x}, false), m_type);
    // bf16 is the upper half of fp32; a NaN keeps a digit that makes it one.
    llvm::Value *word = b.CreateBitCast(x, b.getInt32Ty());
    llvm::Value *upper = b.CreateTrunc(b.CreateLShr(word, 16), b.getInt16Ty());
    return b.CreateBitCast(b.CreateSelect(b.CreateFCmpUNO(x, x), b.getInt16(0x7fff), upper), m_type);
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
  mlir::Type m_from, m_to;
  llvm::Type *m_type;
  bool m_towardZero, m_saturate;
};

/// Of any type but an 8-bit float, as fp32.
Registers asFloat(Emitter &e, mlir::Type from, llvm::ArrayRef<llvm::Value *> values) {
  Registers result;
  for (llvm::Value *value : values) {
    if (value->getType()->isDoubleTy())
      value = e.b.CreateFPTrunc(value, e.b.getFloatTy());
    else if (value->getType()->isFloatingPointTy())
      value = e.b.CreateFPExt(value, e.b.getFloatTy());
    else
      value = tile::isSigned(from) ? e.b.CreateSIToFP(value, e.b.getFloatTy()) : e.b.CreateUIToFP(value, e.b.getFloatTy());
    result.push_back(value);
  }
  return result;
}

} // namespace

void emit(Emitter &e, tile::CastOp op) {
  mlir::Type from = tile::elementTypeOf(op.getOperand().getType());
  const mlir::Type to = tile::elementTypeOf(op.getType());
  Registers values(e.of(op.getOperand()));
  if (from == to)
    return e.define(op, values);
  if (isFloat8(from)) {
    values = widenFloat8(e, from, values);
    from = mlir::Float32Type::get(op.getContext());
  }
  if (isFloat8(to))
    return e.define(op, narrowToFloat8(e, to, asFloat(e, from, values), op.getRounding() == tile::Rounding::TowardZero));
  Cast cast(e, op, from);
  for (llvm::Value *&value : values)
    value = cast.apply(value);
  e.define(op, std::move(values));
}

} // namespace tilescope::codegen
