// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products without tensor cores: each thread has all of K for its rows of A and columns of B (layout::fmaOperand), and adds
// the products one after the other.
#include "compiler/Conversion/TileToLLVM/ByElement.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/IR/Intrinsics.h"

namespace tilescope::codegen {
namespace {

/// What products are summed in: fp32 for narrower floats.
llvm::Type *sumType(Emitter &e, tile::DotOp op) {
  llvm::Type *type = e.type(op.getType().getElementType());
  return type->isHalfTy() ? e.b.getFloatTy() : type;
}

llvm::Value *widened(Emitter &e, llvm::Value *value, mlir::Type element, llvm::Type *to) {
  if (to->isIntegerTy())
    return tile::isSigned(element) ? e.b.CreateSExt(value, to) : e.b.CreateZExt(value, to);
  return value->getType() == to ? value : e.b.CreateFPExt(value, to);
}

llvm::Value *multiplyAdd(Emitter &e, llvm::Value *a, llvm::Value *b, llvm::Value *sum) {
  if (sum->getType()->isIntegerTy())
    return e.b.CreateAdd(e.b.CreateMul(a, b), sum);
  return e.b.CreateIntrinsic(sum->getType(), llvm::Intrinsic::fma, {a, b, sum});
}

} // namespace

void emitFmaDot(Emitter &e, tile::DotOp op) {
  const mlir::Type elementA = op.getA().getType().getElementType(), elementB = op.getB().getType().getElementType();
  if (tile::isFloat(elementA) && tile::bitWidthOf(elementA) == 8)
    return e.unsupported(op, "8-bit floats without tensor cores");
  const ByElement a(e, op.getA()), b(e, op.getB());
  const layout::LinearLayout &map = Emitter::mapOf(op.getType());
  llvm::Type *type = sumType(e, op);
  Registers result;
  for (auto [reg, accumulator] : llvm::enumerate(e.of(op.getAccumulator()))) {
    Place row = unpack(map.apply(reg), op.getType().getShape()), column = row;
    llvm::Value *sum = type == accumulator->getType() ? accumulator : e.b.CreateFPExt(accumulator, type);
    for (int64_t k = 0; k < op.getA().getType().getShape().back(); ++k) {
      row.back() = k;
      column.end()[-2] = k;
      sum = multiplyAdd(e, widened(e, a.at(row), elementA, type), widened(e, b.at(column), elementB, type), sum);
    }
    result.push_back(type == accumulator->getType() ? sum : e.b.CreateFPTrunc(sum, accumulator->getType()));
  }
  e.define(op, std::move(result));
}

} // namespace tilescope::codegen
