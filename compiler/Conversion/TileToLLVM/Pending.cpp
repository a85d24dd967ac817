// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that have no translation yet.
#include "compiler/Conversion/TileToLLVM/Operations.h"

namespace tilescope::codegen {

void emit(Emitter &e, tile::CastOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::AtomicRmwOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::AtomicCasOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::AtomicLoadOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::AtomicStoreOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::ReduceOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::ScanOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::GatherOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::HistogramOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::MapOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::ExternOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::InlineAsmOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::PrintOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::AssertOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::LoadOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::StoreOp op) { e.unsupported(op); }
bool emitElementwise(Emitter &, mlir::Operation *) { return false; }
bool emitMath(Emitter &, mlir::Operation *) { return false; }

} // namespace tilescope::codegen
