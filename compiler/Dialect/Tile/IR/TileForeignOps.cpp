// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice and inline assembly: verifiers and effects.
#include "compiler/Dialect/Tile/IR/Verify.h"

using namespace mlir;

namespace tilescope::tile {

LogicalResult ExternOp::verify() {
  if (getSymbol().empty())
    return emitOpError() << "has no symbol";
  if (getOperands().empty())
    return emitOpError() << "has no operand";
  return success();
}

void InlineAsmOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getIsPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

LogicalResult InlineAsmOp::verify() {
  if (getResults().empty())
    return emitOpError() << "has no result";
  return verifyPacked(*this, getPack());
}

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileForeignOps.cpp.inc"
