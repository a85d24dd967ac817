// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/Probe.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tilescope::codegen {
namespace {

llvm::Value *now(Emitter &e) {
  return e.assembly("mov.u64 $0, %globaltimer;", "=l", e.b.getInt64Ty(), {});
}

llvm::Value *special(Emitter &e, llvm::Intrinsic::ID id) {
  return e.b.CreateZExt(e.b.CreateIntrinsic(e.b.getInt32Ty(), id, {}), e.b.getInt64Ty());
}

/// x + y · (programs along x) + z · (programs along x and y).
llvm::Value *programNumber(Emitter &e) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Value *x = special(e, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
  llvm::Value *y = special(e, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y);
  llvm::Value *z = special(e, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z);
  llvm::Value *alongX = special(e, llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
  llvm::Value *alongY = special(e, llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y);
  return b.CreateAdd(x, b.CreateMul(alongX, b.CreateAdd(y, b.CreateMul(alongY, z))));
}

} // namespace

llvm::Value *beginProbe(Emitter &e) { return now(e); }

void endProbe(Emitter &e, llvm::Value *records, llvm::Value *started) {
  llvm::IRBuilder<> &b = e.b;
  e.barrier(); // all threads have ended
  auto *record = llvm::BasicBlock::Create(e.context(), "record", b.GetInsertBlock()->getParent());
  auto *after = llvm::BasicBlock::Create(e.context(), "ended", b.GetInsertBlock()->getParent());
  b.CreateCondBr(e.isFirstThread(), record, after);
  b.SetInsertPoint(record);
  llvm::Value *sm = b.CreateZExt(e.assembly("mov.u32 $0, %smid;", "=r", b.getInt32Ty(), {}), b.getInt64Ty());
  llvm::Value *ended = now(e);
  llvm::Value *first = b.CreateMul(programNumber(e), b.getInt64(3));
  llvm::Value *const values[] = {sm, started, ended}; // a list in the loop's head would be gone by its body
  for (auto [index, value] : llvm::enumerate(values))
    b.CreateStore(value, b.CreateGEP(b.getInt64Ty(), records, {b.CreateAdd(first, b.getInt64(index))}));
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

} // namespace tilescope::codegen
