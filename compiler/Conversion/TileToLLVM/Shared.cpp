// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers: a buffer is the address of its first byte, and its layout stands in its type.
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/SharedTile.h"

namespace tilescope::codegen {
namespace {

const layout::LinearLayout &mapOf(mlir::TypedValue<tile::BufferType> buffer) {
  return buffer.getType().getLayout().getMap();
}

} // namespace

void emit(Emitter &e, tile::SharedAllocOp op) {
  llvm::Value *base = e.sharedAddress(e.scratchOf(op));
  if (auto initial = op.getInitial())
    storeShared(e, e.of(initial), Emitter::mapOf(initial.getType()), mapOf(op.getResult()), base);
  e.define(op, {base});
}

void emit(Emitter &e, tile::SharedSlotOp op) {
  llvm::Value *bytes = e.b.getInt32(uint32_t(op.getBuffer().getType().slotBytes()));
  llvm::Value *offset = e.b.CreateMul(e.scalar(op.getIndex()), bytes, "", true, true);
  e.define(op, {e.b.CreateGEP(e.b.getInt8Ty(), e.scalar(op.getBuffer()), {offset})});
}

void emit(Emitter &e, tile::SharedPermuteOp op) { e.define(op, {e.scalar(op.getBuffer())}); }

void emit(Emitter &e, tile::SharedLoadOp op) {
  const mlir::Type element = op.getType().getElementType();
  const layout::LinearLayout &registers = Emitter::mapOf(op.getType());
  if (const auto matrices = layout::matrixLoad(registers, mapOf(op.getBuffer()), 8 * tile::byteSizeOf(element)))
    return e.define(op, loadMatrices(e, element, Emitter::registerCount(op.getType()), *matrices, e.scalar(op.getBuffer())));
  e.define(op, loadShared(e, element, registers, mapOf(op.getBuffer()), e.scalar(op.getBuffer())));
}

void emit(Emitter &e, tile::SharedStoreOp op) {
  storeShared(e, e.of(op.getValue()), Emitter::mapOf(op.getValue().getType()), mapOf(op.getBuffer()),
              e.scalar(op.getBuffer()));
}

void emit(Emitter &e, tile::SharedBarrierOp) { e.barrier(); }

} // namespace tilescope::codegen
