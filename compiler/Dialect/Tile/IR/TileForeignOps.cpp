// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice and inline assembly: verifiers and effects.
#include "compiler/Dialect/Tile/IR/Tile.h"

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
  ArrayRef<int64_t> shape = shapeOf(getResult(0).getType());
  SmallVector<Type> types(getOperandTypes());
  llvm::append_range(types, getResultTypes());
  for (Type type : types)
    if (shapeOf(type) != shape)
      return emitOpError() << "has shapes " << shapeText(shape) << " and " << shapeText(shapeOf(type));
  int64_t pack = static_cast<int32_t>(getPack());
  if (pack < 1 || elementCountOf(getResult(0).getType()) % pack != 0)
    return emitOpError() << "pack of " << pack << " does not divide "
                         << elementCountOf(getResult(0).getType()) << " elements";
  return success();
}

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileForeignOps.cpp.inc"
