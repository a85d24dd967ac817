// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tilescope::codegen {

void emit(Emitter &e, tile::ConstantOp op) {
  const mlir::Type element = tile::elementTypeOf(op.getType());
  llvm::Type *type = e.type(element);
  llvm::Constant *value;
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(op.getValue())) {
    const llvm::APFloat number = real.getValue();
    value = type->isFloatingPointTy() ? llvm::cast<llvm::Constant>(llvm::ConstantFP::get(e.context(), number))
                                      : llvm::ConstantInt::get(type, number.bitcastToAPInt());
  } else {
    value = llvm::ConstantInt::get(type, llvm::cast<mlir::IntegerAttr>(op.getValue()).getValue());
  }
  e.define(op, Registers(Emitter::registerCount(op.getType()), value));
}

void emit(Emitter &e, tile::MakeRangeOp op) {
  Registers numbers;
  for (llvm::Value *number : e.applyAll(Emitter::mapOf(op.getType())))
    numbers.push_back(e.b.CreateAdd(number, e.b.getInt32(op.getStart()), "", false, true));
  e.define(op, std::move(numbers));
}

namespace {

void defineSpecial(Emitter &e, mlir::Value result, tile::Axis axis, std::array<llvm::Intrinsic::ID, 3> ids) {
  e.define(result, {e.b.CreateIntrinsic(e.b.getInt32Ty(), ids[unsigned(axis)], {})});
}

} // namespace

void emit(Emitter &e, tile::ProgramIdOp op) {
  using namespace llvm::Intrinsic;
  defineSpecial(e, op, op.getAxis(),
                {nvvm_read_ptx_sreg_ctaid_x, nvvm_read_ptx_sreg_ctaid_y, nvvm_read_ptx_sreg_ctaid_z});
}

void emit(Emitter &e, tile::NumProgramsOp op) {
  using namespace llvm::Intrinsic;
  defineSpecial(e, op, op.getAxis(),
                {nvvm_read_ptx_sreg_nctaid_x, nvvm_read_ptx_sreg_nctaid_y, nvvm_read_ptx_sreg_nctaid_z});
}

void emit(Emitter &e, tile::AssumeOp op) { e.b.CreateAssumption(e.scalar(op.getCondition())); }

void emit(Emitter &e, tile::BarrierOp) { e.barrier(); }

} // namespace tilescope::codegen
