// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async (PTX ISA, "Asynchronous copy: Non-Bulk"): one for each instruction of the access plan. Where the mask is off
// nothing is read and zeros are written; threads that hold copies of what others have copy nothing.
#include "compiler/Analysis/AccessPlans.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/SharedTile.h"

namespace tilescope::codegen {
namespace {

constexpr unsigned kLeastBytes = 4;

/// 16 bytes go past L1, which has no use for what is in shared memory already; the others cannot.
std::string textOf(unsigned bytes, bool isPredicated) {
  const std::string kind = bytes == 16 ? "cg" : "ca";
  return std::string(isPredicated ? "@$3 " : "") + "cp.async." + kind + ".shared.global [$0], [$1], " +
         std::to_string(bytes) + ", $2;";
}

/// Shared memory is addressed by 32 bits.
llvm::Value *sharedNumber(Emitter &e, llvm::Value *address) { return e.b.CreatePtrToInt(address, e.b.getInt32Ty()); }

} // namespace

void emit(Emitter &e, tile::AsyncCopyOp op) {
  llvm::IRBuilder<> &b = e.b;
  const model::AccessPlan plan = analysis::planOf(op, e.facts());
  const unsigned bytes = plan.widthBytes();
  if (bytes < kLeastBytes)
    return e.unsupported(op, "copies of fewer than 4 bytes");
  const bool hasReplicas = (plan.freeLanes | plan.freeWarps) != 0;
  llvm::Value *takesPart = hasReplicas ? e.hasNone(plan.freeLanes, plan.freeWarps) : nullptr;
  const auto offsets =
      e.applyAll(byteOffsets(plan.layout, op.getBuffer().getType().getLayout().getMap(), plan.elementBytes));
  llvm::Value *buffer = e.scalar(op.getBuffer()), *all = b.getInt32(bytes);
  for (unsigned instruction = 0; instruction < plan.instructions(); ++instruction) {
    const unsigned first = plan.registerOf(instruction, 0);
    llvm::Value *to = sharedNumber(e, b.CreateGEP(b.getInt8Ty(), buffer, {offsets[first]}));
    llvm::Value *count = op.getMask() ? b.CreateSelect(e.of(op.getMask())[first], all, b.getInt32(0)) : all;
    llvm::SmallVector<llvm::Value *> operands{to, e.of(op.getPointer())[first], count};
    if (takesPart)
      operands.push_back(takesPart);
    e.assembly(textOf(bytes, hasReplicas), hasReplicas ? "r,l,r,b,~{memory}" : "r,l,r,~{memory}", b.getVoidTy(), operands);
  }
  e.define(op, {});
}

void emit(Emitter &e, tile::AsyncCommitOp op) {
  e.assembly("cp.async.commit_group;", "~{memory}", e.b.getVoidTy(), {});
  e.define(op, {});
}

void emit(Emitter &e, tile::AsyncWaitOp op) {
  e.assembly("cp.async.wait_group " + std::to_string(op.getPending()) + ";", "~{memory}", e.b.getVoidTy(), {});
}

} // namespace tilescope::codegen
