// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, once for each register. No fast-math flag is set: what contracts has been decided in tile IR.
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tilescope::codegen {
namespace {

using llvm::Intrinsic::ID;
using Operands = llvm::ArrayRef<llvm::Value *>;

bool isFloating(llvm::Value *value) { return value->getType()->isFloatingPointTy(); }

/// What one operation does with an element: the element types are those of MLIR, for the sign.
class Element {
public:
  Element(Emitter &e, mlir::Type type) : e(e), b(e.b), m_isSigned(tile::isSigned(type)) {}

  llvm::Value *of(tile::NegOp, Operands x) { return isFloating(x[0]) ? b.CreateFNeg(x[0]) : b.CreateNeg(x[0]); }
  llvm::Value *of(tile::NotOp, Operands x) { return b.CreateNot(x[0]); }
  llvm::Value *of(tile::AbsOp, Operands x) {
    if (isFloating(x[0]))
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x[0]);
    return m_isSigned ? b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x[0], b.getFalse()) : x[0];
  }
  llvm::Value *of(tile::FloorOp, Operands x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x[0]); }
  llvm::Value *of(tile::CeilOp, Operands x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x[0]); }
  llvm::Value *of(tile::TruncOp, Operands x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x[0]); }
  llvm::Value *of(tile::RoundOp, Operands x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, x[0]); }

  llvm::Value *of(tile::AddOp, Operands x) {
    return isFloating(x[0]) ? b.CreateFAdd(x[0], x[1]) : b.CreateAdd(x[0], x[1]);
  }
  llvm::Value *of(tile::SubOp, Operands x) {
    return isFloating(x[0]) ? b.CreateFSub(x[0], x[1]) : b.CreateSub(x[0], x[1]);
  }
  llvm::Value *of(tile::MulOp, Operands x) {
    return isFloating(x[0]) ? b.CreateFMul(x[0], x[1]) : b.CreateMul(x[0], x[1]);
  }
  llvm::Value *of(tile::MulHiOp, Operands x) {
    const unsigned bits = x[0]->getType()->getIntegerBitWidth();
    if (bits == 64)
      return b.CreateIntrinsic(
          x[0]->getType(), m_isSigned ? llvm::Intrinsic::nvvm_mulhi_ll : llvm::Intrinsic::nvvm_mulhi_ull, x);
    // A wide product gives the low half as well, where that is wanted too: one instruction in place of two.
    llvm::Type *wide = b.getIntNTy(std::max(32u, 2 * bits));
    llvm::Value *product = b.CreateMul(extended(x[0], wide), extended(x[1], wide));
    return b.CreateTrunc(b.CreateLShr(product, bits), x[0]->getType());
  }
  llvm::Value *of(tile::DivOp op, Operands x) {
    if (!isFloating(x[0]))
      return m_isSigned ? b.CreateSDiv(x[0], x[1]) : b.CreateUDiv(x[0], x[1]);
    if (op.getPrecise() || x[0]->getType()->isDoubleTy())
      return b.CreateFDiv(x[0], x[1]);
    return inFloat(x, [&](Operands y) {
      return b.CreateIntrinsic(b.getFloatTy(), llvm::Intrinsic::nvvm_div_full, y);
    });
  }
  llvm::Value *of(tile::RemOp, Operands x) {
    if (isFloating(x[0]))
      return b.CreateFRem(x[0], x[1]);
    return m_isSigned ? b.CreateSRem(x[0], x[1]) : b.CreateURem(x[0], x[1]);
  }
  llvm::Value *of(tile::AndOp, Operands x) { return b.CreateAnd(x[0], x[1]); }
  llvm::Value *of(tile::OrOp, Operands x) { return b.CreateOr(x[0], x[1]); }
  llvm::Value *of(tile::XorOp, Operands x) { return b.CreateXor(x[0], x[1]); }
  /// LLVM's shift by the width or more is no number; PTX's moves every bit out.
  llvm::Value *of(tile::ShlOp, Operands x) {
    return b.CreateSelect(isTooFar(x[1]), llvm::Constant::getNullValue(x[0]->getType()),
                          b.CreateShl(x[0], withinWidth(x[1])));
  }
  llvm::Value *of(tile::ShrOp, Operands x) {
    llvm::Value *within = withinWidth(x[1]);
    if (!m_isSigned)
      return b.CreateSelect(isTooFar(x[1]), llvm::Constant::getNullValue(x[0]->getType()), b.CreateLShr(x[0], within));
    llvm::Value *furthest = llvm::ConstantInt::get(x[0]->getType(), width(x[0]) - 1);
    return b.CreateAShr(x[0], b.CreateSelect(isTooFar(x[1]), furthest, within));
  }
  llvm::Value *of(tile::MinOp op, Operands x) { return extremum(x, op.getPropagateNan(), false); }
  llvm::Value *of(tile::MaxOp op, Operands x) { return extremum(x, op.getPropagateNan(), true); }
  llvm::Value *of(tile::ClampOp op, Operands x) {
    const bool nan = op.getPropagateNan();
    return extremum({extremum({x[0], x[1]}, nan, true), x[2]}, nan, false);
  }

  llvm::Value *of(tile::CmpOp op, Operands x) {
    using enum llvm::CmpInst::Predicate;
    static constexpr llvm::CmpInst::Predicate floats[] = {FCMP_OEQ, FCMP_UNE, FCMP_OLT, FCMP_OLE, FCMP_OGT, FCMP_OGE};
    static constexpr llvm::CmpInst::Predicate signs[] = {ICMP_EQ, ICMP_NE, ICMP_SLT, ICMP_SLE, ICMP_SGT, ICMP_SGE};
    static constexpr llvm::CmpInst::Predicate unsigneds[] = {ICMP_EQ, ICMP_NE, ICMP_ULT, ICMP_ULE, ICMP_UGT, ICMP_UGE};
    const unsigned predicate = unsigned(op.getPredicate());
    return isFloating(x[0]) ? b.CreateFCmp(floats[predicate], x[0], x[1])
                            : b.CreateICmp((m_isSigned ? signs : unsigneds)[predicate], x[0], x[1]);
  }
  llvm::Value *of(tile::SelectOp, Operands x) { return b.CreateSelect(x[0], x[1], x[2]); }
  llvm::Value *of(tile::FmaOp, Operands x) {
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {x[0]->getType()}, {x[0], x[1], x[2]});
  }

  llvm::Value *of(tile::BitcastOp op, Operands x) {
    llvm::Type *to = e.type(tile::elementTypeOf(op.getType()));
    return x[0]->getType() == to ? x[0] : b.CreateBitCast(x[0], to);
  }
  llvm::Value *of(tile::IntToPtrOp op, Operands x) {
    llvm::Value *address = extended(x[0], b.getInt64Ty());
    return b.CreateIntToPtr(address, e.type(tile::elementTypeOf(op.getType())));
  }
  llvm::Value *of(tile::PtrToIntOp op, Operands x) {
    return b.CreatePtrToInt(x[0], e.type(tile::elementTypeOf(op.getType())));
  }
  llvm::Value *of(tile::AddPtrOp op, Operands x) {
    const auto pointer = llvm::cast<tile::PointerType>(tile::elementTypeOf(op.getType()));
    const bool isSigned = tile::isSigned(tile::elementTypeOf(op.getOffset().getType()));
    llvm::Value *offset = isSigned ? b.CreateSExt(x[1], b.getInt64Ty()) : b.CreateZExt(x[1], b.getInt64Ty());
    return b.CreateGEP(e.memoryType(pointer.getPointee()), x[0], {offset});
  }

private:
  static unsigned width(llvm::Value *value) { return value->getType()->getIntegerBitWidth(); }
  llvm::Value *extended(llvm::Value *value, llvm::Type *to) {
    return m_isSigned ? b.CreateSExt(value, to) : b.CreateZExt(value, to);
  }
  llvm::Value *isTooFar(llvm::Value *by) {
    return b.CreateICmpUGE(by, llvm::ConstantInt::get(by->getType(), width(by)));
  }
  llvm::Value *withinWidth(llvm::Value *by) {
    return b.CreateAnd(by, llvm::ConstantInt::get(by->getType(), width(by) - 1));
  }
  /// Narrower floats go through fp32, and are rounded once more.
  llvm::Value *inFloat(Operands x, llvm::function_ref<llvm::Value *(Operands)> compute) {
    llvm::SmallVector<llvm::Value *, 3> wide;
    for (llvm::Value *value : x)
      wide.push_back(b.CreateFPExt(value, b.getFloatTy()));
    return b.CreateFPTrunc(compute(wide), x[0]->getType());
  }
  llvm::Value *extremum(Operands x, bool propagateNan, bool isMax) {
    using namespace llvm::Intrinsic;
    if (!isFloating(x[0]))
      return b.CreateBinaryIntrinsic(m_isSigned ? (isMax ? smax : smin) : (isMax ? umax : umin), x[0], x[1]);
    const ID id = propagateNan ? (isMax ? maximum : minimum) : (isMax ? maxnum : minnum);
    const bool isNarrow = x[0]->getType()->getPrimitiveSizeInBits() < 32;
    if (isNarrow && !e.target().atLeast(80))
      return inFloat(x, [&](Operands y) { return b.CreateBinaryIntrinsic(id, y[0], y[1]); });
    return b.CreateBinaryIntrinsic(id, x[0], x[1]);
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
  bool m_isSigned;
};

template <typename Op> void eachRegister(Emitter &e, Op op) {
  mlir::Value result = op->getResult(0);
  Element element(e, tile::elementTypeOf(op->getOperand(0).getType()));
  Registers registers;
  for (unsigned reg = 0; reg < Emitter::registerCount(result.getType()); ++reg) {
    llvm::SmallVector<llvm::Value *, 3> operands;
    for (mlir::Value operand : op->getOperands())
      operands.push_back(e.of(operand)[reg]);
    registers.push_back(element.of(op, operands));
  }
  e.define(result, std::move(registers));
}

} // namespace

bool emitElementwise(Emitter &e, mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case<tile::NegOp, tile::NotOp, tile::AbsOp, tile::FloorOp, tile::CeilOp, tile::TruncOp, tile::RoundOp, tile::AddOp,
            tile::SubOp, tile::MulOp, tile::MulHiOp, tile::DivOp, tile::RemOp, tile::AndOp, tile::OrOp, tile::XorOp,
            tile::ShlOp, tile::ShrOp, tile::MinOp, tile::MaxOp, tile::ClampOp, tile::CmpOp, tile::SelectOp, tile::FmaOp,
            tile::BitcastOp, tile::IntToPtrOp, tile::PtrToIntOp, tile::AddPtrOp>([&](auto known) {
        eachRegister(e, known);
        return true;
      })
      .Default(false);
}

} // namespace tilescope::codegen
