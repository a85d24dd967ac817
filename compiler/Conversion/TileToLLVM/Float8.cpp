// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/Float8.h"

namespace tilescope::codegen {
namespace {

using Operands = llvm::ArrayRef<llvm::Value *>;

/// Sources: OCP 8-bit floating point specification; arXiv 2206.02915 for the formats without a negative zero.
struct Format {
  unsigned mantissa;  ///< stored digits
  int bias;           ///< of the exponent
  uint32_t greatest;  ///< bits of the greatest finite value
  uint32_t nan;       ///< bits of the NaN that is made
  bool hasNegativeZero;
  bool hasInfinity;
  const char *cvt; ///< PTX's name; null if it has none
};

Format formatOf(mlir::Type type) {
  if (llvm::isa<mlir::Float8E4M3FNType>(type))
    return {3, 7, 0x7e, 0x7f, true, false, "e4m3x2"};
  if (llvm::isa<mlir::Float8E5M2Type>(type))
    return {2, 15, 0x7b, 0x7f, true, true, "e5m2x2"};
  if (llvm::isa<mlir::Float8E4M3FNUZType>(type))
    return {3, 8, 0x7f, 0x80, false, false, nullptr};
  if (llvm::isa<mlir::Float8E5M2FNUZType>(type))
    return {2, 16, 0x7f, 0x80, false, false, nullptr};
  return {3, 11, 0x7f, 0x80, false, false, nullptr}; // E4M3B11FNUZ
}

llvm::Value *powerOfTwo(Emitter &e, int exponent) {
  return llvm::ConstantFP::get(e.b.getFloatTy(), llvm::scalbn(llvm::APFloat(1.0f), exponent, llvm::APFloat::rmTowardZero));
}

llvm::Value *widen(Emitter &e, const Format &format, llvm::Value *bits) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Value *word = b.CreateZExt(bits, b.getInt32Ty());
  llvm::Value *magnitude = b.CreateAnd(word, 0x7f);
  // Digits in their place, then the difference of the biases: that makes the subnormal ones right as well.
  llvm::Value *shifted = b.CreateBitCast(b.CreateShl(magnitude, 23 - format.mantissa), b.getFloatTy());
  llvm::Value *value = b.CreateFMul(shifted, powerOfTwo(e, 127 - format.bias));
  llvm::Value *nan = llvm::ConstantFP::getNaN(b.getFloatTy());
  if (format.hasInfinity) {
    llvm::Value *infinity = b.getInt32(0x1fu << format.mantissa);
    value = b.CreateSelect(b.CreateICmpEQ(magnitude, infinity), llvm::ConstantFP::getInfinity(b.getFloatTy()), value);
    value = b.CreateSelect(b.CreateICmpUGT(magnitude, infinity), nan, value);
  } else if (format.hasNegativeZero) {
    value = b.CreateSelect(b.CreateICmpEQ(magnitude, b.getInt32(0x7f)), nan, value);
  }
  value = b.CreateSelect(b.CreateICmpSLT(bits, b.getInt8(0)), b.CreateFNeg(value), value);
  return format.hasNegativeZero ? value : b.CreateSelect(b.CreateICmpEQ(bits, b.getInt8(0x80)), nan, value);
}

llvm::Value *narrow(Emitter &e, const Format &format, llvm::Value *value, bool towardZero) {
  llvm::IRBuilder<> &b = e.b;
  const unsigned dropped = 23 - format.mantissa;
  llvm::Value *word = b.CreateBitCast(value, b.getInt32Ty());
  llvm::Value *magnitude = b.CreateAnd(word, 0x7fffffff);
  llvm::Value *absolute = b.CreateBitCast(magnitude, b.getFloatTy());

  llvm::Value *rounded = magnitude;
  if (!towardZero) {
    llvm::Value *odd = b.CreateAnd(b.CreateLShr(magnitude, dropped), 1);
    rounded = b.CreateAdd(b.CreateAdd(magnitude, odd), b.getInt32((1u << (dropped - 1)) - 1));
  }
  llvm::Value *normal =
      b.CreateSub(b.CreateLShr(rounded, dropped), b.getInt32(uint32_t(127 - format.bias) << format.mantissa));

  // Subnormal ones count multiples of the least: a sum with 2^23 of them rounds just there.
  const int least = 1 - format.bias - int(format.mantissa);
  llvm::Value *subnormal;
  if (towardZero) {
    subnormal = b.CreateFPToUI(b.CreateFMul(absolute, powerOfTwo(e, -least)), b.getInt32Ty());
  } else {
    llvm::Value *magic = powerOfTwo(e, least + 23);
    subnormal = b.CreateSub(b.CreateBitCast(b.CreateFAdd(absolute, magic), b.getInt32Ty()),
                            b.CreateBitCast(magic, b.getInt32Ty()));
  }
  llvm::Value *isSmall = b.CreateFCmpOLT(absolute, powerOfTwo(e, 1 - format.bias));
  llvm::Value *bits = b.CreateSelect(isSmall, subnormal, normal);
  llvm::Value *greatest = b.getInt32(format.greatest);
  bits = b.CreateSelect(b.CreateICmpSGT(bits, greatest), greatest, bits);
  llvm::Value *sign = b.CreateAnd(b.CreateLShr(word, 24), 0x80);
  if (!format.hasNegativeZero)
    sign = b.CreateSelect(b.CreateICmpEQ(bits, b.getInt32(0)), b.getInt32(0), sign);
  bits = b.CreateOr(bits, sign);
  bits = b.CreateSelect(b.CreateFCmpUNO(value, value), b.getInt32(format.nan), bits);
  return b.CreateTrunc(bits, b.getInt8Ty());
}

/// Does it with two at a time; of an odd number the last one with itself.
template <typename Pair> Registers byPairs(Operands values, Pair pair) {
  Registers result;
  for (size_t i = 0; i < values.size(); i += 2) {
    const auto [low, high] = pair(values[i], values[std::min(i + 1, values.size() - 1)]);
    result.push_back(low);
    if (i + 1 < values.size())
      result.push_back(high);
  }
  return result;
}

bool hasCvt(Emitter &e, const Format &format) { return format.cvt && e.target().atLeast(89); }

} // namespace

bool isFloat8(mlir::Type element) { return tile::isFloat(element) && tile::bitWidthOf(element) == 8; }

Registers widenFloat8(Emitter &e, mlir::Type from, Operands bits) {
  const Format format = formatOf(from);
  llvm::IRBuilder<> &b = e.b;
  if (!hasCvt(e, format)) {
    Registers result;
    for (llvm::Value *value : bits)
      result.push_back(widen(e, format, value));
    return result;
  }
  const std::string code = std::string("cvt.rn.f16x2.") + format.cvt + " $0, $1;";
  return byPairs(bits, [&](llvm::Value *low, llvm::Value *high) {
    llvm::Value *both = b.CreateOr(b.CreateZExt(low, b.getInt16Ty()), b.CreateShl(b.CreateZExt(high, b.getInt16Ty()), 8));
    llvm::Value *halves = e.assembly(code, "=r,h", b.getInt32Ty(), {both}, false);
    halves = b.CreateBitCast(halves, llvm::FixedVectorType::get(b.getHalfTy(), 2));
    return std::pair(b.CreateFPExt(b.CreateExtractElement(halves, uint64_t(0)), b.getFloatTy()),
                     b.CreateFPExt(b.CreateExtractElement(halves, uint64_t(1)), b.getFloatTy()));
  });
}

Registers narrowToFloat8(Emitter &e, mlir::Type to, Operands values, bool towardZero) {
  const Format format = formatOf(to);
  llvm::IRBuilder<> &b = e.b;
  if (towardZero || !hasCvt(e, format)) {
    Registers result;
    for (llvm::Value *value : values)
      result.push_back(narrow(e, format, value, towardZero));
    return result;
  }
  const std::string code = std::string("cvt.rn.satfinite.") + format.cvt + ".f32 $0, $2, $1;";
  return byPairs(values, [&](llvm::Value *low, llvm::Value *high) {
    llvm::Value *both = e.assembly(code, "=h,f,f", b.getInt16Ty(), {low, high}, false);
    return std::pair(b.CreateTrunc(both, b.getInt8Ty()), b.CreateTrunc(b.CreateLShr(both, 8), b.getInt8Ty()));
  });
}

} // namespace tilescope::codegen
