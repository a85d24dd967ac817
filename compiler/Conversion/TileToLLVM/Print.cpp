// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tl.device_print and tl.device_assert, by what the driver offers: `vprintf` and `__assertfail`.
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "compiler/Dialect/Tile/IR/Locations.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tilescope::codegen {
namespace {

llvm::Value *generic(Emitter &e, llvm::Value *pointer) {
  return e.b.CreateAddrSpaceCast(pointer, llvm::PointerType::get(e.context(), 0));
}

llvm::Value *string(Emitter &e, llvm::StringRef text) { return e.b.CreateGlobalString(text, "text", 0, &e.module()); }

/// A value as C's variable arguments take it, and its conversion.
std::pair<llvm::Value *, std::string> argument(Emitter &e, llvm::Value *value, mlir::Type element, bool hex) {
  llvm::IRBuilder<> &b = e.b;
  if (tile::isPointer(element))
    return {b.CreatePtrToInt(value, b.getInt64Ty()), "0x%016llx"};
  if (hex) {
    llvm::Value *bits = e.asInteger(value);
    const unsigned digits = std::max(1u, bits->getType()->getIntegerBitWidth() / 4);
    return {b.CreateZExt(bits, b.getInt64Ty()), "0x%0" + std::to_string(digits) + "llx"};
  }
  if (value->getType()->isFloatingPointTy())
    return {b.CreateFPExt(value, b.getDoubleTy()), "%f"};
  return tile::isSigned(element) ? std::pair(b.CreateSExt(value, b.getInt64Ty()), "%lld")
                                 : std::pair(b.CreateZExt(value, b.getInt64Ty()), "%llu");
}

void callPrintf(Emitter &e, const std::string &format, llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Value *buffer = llvm::ConstantPointerNull::get(llvm::PointerType::get(e.context(), 0));
  if (!arguments.empty()) {
    llvm::SmallVector<llvm::Type *> types;
    for (llvm::Value *argument : arguments)
      types.push_back(argument->getType());
    auto *type = llvm::StructType::get(e.context(), types);
    llvm::BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    buffer = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
    for (auto [index, argument] : llvm::enumerate(arguments))
      b.CreateStore(argument, b.CreateStructGEP(type, buffer, unsigned(index)));
  }
  llvm::Type *pointer = llvm::PointerType::get(e.context(), 0);
  auto *type = llvm::FunctionType::get(b.getInt32Ty(), {pointer, pointer}, false);
  b.CreateCall(e.module().getOrInsertFunction("vprintf", type), {string(e, format), generic(e, buffer)});
}

llvm::SmallVector<llvm::Value *, 8> programIds(Emitter &e) {
  using namespace llvm::Intrinsic;
  llvm::SmallVector<llvm::Value *, 8> ids;
  for (ID id : {nvvm_read_ptx_sreg_ctaid_x, nvvm_read_ptx_sreg_ctaid_y, nvvm_read_ptx_sreg_ctaid_z})
    ids.push_back(e.b.CreateIntrinsic(e.b.getInt32Ty(), id, {}));
  return ids;
}

/// Does it where the condition holds.
void ifTrue(Emitter &e, llvm::Value *condition, llvm::function_ref<void()> then) {
  auto *block = llvm::BasicBlock::Create(e.context(), "say", e.b.GetInsertBlock()->getParent());
  auto *after = llvm::BasicBlock::Create(e.context(), "said", e.b.GetInsertBlock()->getParent());
  e.b.CreateCondBr(condition, block, after);
  e.b.SetInsertPoint(block);
  then();
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
}

/// One line an element, by one of the threads that hold it: "pid (0, 0, 0) idx (5) x: 1.5".
void printValue(Emitter &e, tile::PrintOp op, mlir::Value value) {
  const mlir::Type element = tile::elementTypeOf(value.getType());
  auto tile = llvm::dyn_cast<tile::TileType>(value.getType());
  std::vector<llvm::SmallVector<llvm::Value *>> places;
  llvm::Value *mine = e.isFirstThread();
  if (tile) {
    const layout::LinearLayout &map = Emitter::mapOf(tile);
    for (unsigned dim = 0; dim < tile.getRank(); ++dim)
      places.push_back(e.applyAll(map, layout::tileDim(dim)));
    mine = e.hasNone(map.freeVariableMask(layout::Dim::Lane), map.freeVariableMask(layout::Dim::Warp));
  }
  ifTrue(e, mine, [&] {
    for (auto [reg, one] : llvm::enumerate(e.of(value))) {
      auto [bits, conversion] = argument(e, one, element, op.getHex());
      llvm::SmallVector<llvm::Value *, 8> arguments = programIds(e);
      std::string format = "pid (%u, %u, %u) idx (";
      for (size_t dim = 0; dim < places.size(); ++dim) {
        format += dim ? ", %u" : "%u";
        arguments.push_back(places[dim][reg]);
      }
      arguments.push_back(bits);
      callPrintf(e, format + ")" + op.getPrefix().str() + conversion + "\n", arguments);
    }
  });
}

} // namespace

void emit(Emitter &e, tile::PrintOp op) {
  for (mlir::Value value : op.getValues())
    printValue(e, op, value);
  if (op.getValues().empty())
    ifTrue(e, e.isFirstThread(), [&] { callPrintf(e, "pid (%u, %u, %u)" + op.getPrefix().str() + "\n", programIds(e)); });
}

void emit(Emitter &e, tile::AssertOp op) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Value *fails = b.getFalse();
  for (auto [reg, condition] : llvm::enumerate(e.of(op.getCondition()))) {
    llvm::Value *here = b.CreateNot(condition);
    if (op.getMask())
      here = b.CreateAnd(here, e.of(op.getMask())[reg]);
    fails = b.CreateOr(fails, here);
  }
  const std::optional<tile::ValueOrigin> origin = tile::readLocation(op.getLoc());
  ifTrue(e, fails, [&] {
    llvm::Type *pointer = llvm::PointerType::get(e.context(), 0);
    auto *type = llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, b.getInt32Ty(), pointer, b.getInt64Ty()}, false);
    b.CreateCall(e.module().getOrInsertFunction("__assertfail", type),
                 {string(e, op.getMessage()), string(e, origin ? origin->place.path : ""),
                  b.getInt32(origin ? origin->place.beginLine : 0), string(e, e.kernel().getName()), b.getInt64(1)});
  });
}

} // namespace tilescope::codegen
