// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that have no translation yet.
#include "compiler/Conversion/TileToLLVM/Operations.h"

namespace tilescope::codegen {

void emit(Emitter &e, tile::ScanOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::GatherOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::HistogramOp op) { e.unsupported(op); }
void emit(Emitter &e, tile::MapOp op) { e.unsupported(op); }

} // namespace tilescope::codegen
