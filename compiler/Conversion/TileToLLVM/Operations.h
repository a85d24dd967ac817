// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translation of each operation, by the file that holds it. Each defines the operation's results
// (`Emitter::define`), or says that it is not supported.
#pragma once

#include "compiler/Conversion/TileToLLVM/Emitter.h"

namespace tilescope::codegen {

// Elementwise.cpp: arithmetic, comparisons, select, pointers. True if `op` is one of them.
bool emitElementwise(Emitter &e, mlir::Operation *op);
// Casts.cpp
void emit(Emitter &e, tile::CastOp op);
// Math.cpp: functions that a GPU approximates, or that libdevice has. True if `op` is one of them.
bool emitMath(Emitter &e, mlir::Operation *op);

// Values.cpp: constants, ranges, the grid
void emit(Emitter &e, tile::ConstantOp op);
void emit(Emitter &e, tile::MakeRangeOp op);
void emit(Emitter &e, tile::ProgramIdOp op);
void emit(Emitter &e, tile::NumProgramsOp op);
void emit(Emitter &e, tile::AssumeOp op);
void emit(Emitter &e, tile::BarrierOp op);

// Shape.cpp: elements that change their place in the tile, and stay in their thread
void emit(Emitter &e, tile::SplatOp op);
void emit(Emitter &e, tile::BroadcastOp op);
void emit(Emitter &e, tile::ExpandDimsOp op);
void emit(Emitter &e, tile::ReshapeOp op);
void emit(Emitter &e, tile::PermuteOp op);
void emit(Emitter &e, tile::JoinOp op);
void emit(Emitter &e, tile::SplitOp op);
void emit(Emitter &e, tile::CatOp op);

// Control.cpp
void emit(Emitter &e, tile::ForOp op);
void emit(Emitter &e, tile::IfOp op);
void emit(Emitter &e, tile::WhileOp op);

// Access.cpp: global memory, as the access plan says
void emit(Emitter &e, tile::LoadOp op);
void emit(Emitter &e, tile::StoreOp op);
// Atomics.cpp
void emit(Emitter &e, tile::AtomicRmwOp op);
void emit(Emitter &e, tile::AtomicCasOp op);
void emit(Emitter &e, tile::AtomicLoadOp op);
void emit(Emitter &e, tile::AtomicStoreOp op);

// ConvertLayout.cpp
void emit(Emitter &e, tile::ConvertLayoutOp op);
// Shared.cpp: buffers
void emit(Emitter &e, tile::SharedAllocOp op);
void emit(Emitter &e, tile::SharedSlotOp op);
void emit(Emitter &e, tile::SharedPermuteOp op);
void emit(Emitter &e, tile::SharedLoadOp op);
void emit(Emitter &e, tile::SharedStoreOp op);
void emit(Emitter &e, tile::SharedBarrierOp op);
// AsyncCopy.cpp: cp.async
void emit(Emitter &e, tile::AsyncCopyOp op);
void emit(Emitter &e, tile::AsyncCommitOp op);
void emit(Emitter &e, tile::AsyncWaitOp op);

// Reduce.cpp, Scan.cpp, Gather.cpp, Histogram.cpp, Map.cpp
void emit(Emitter &e, tile::ReduceOp op);
void emit(Emitter &e, tile::ScanOp op);
void emit(Emitter &e, tile::GatherOp op);
void emit(Emitter &e, tile::HistogramOp op);
void emit(Emitter &e, tile::MapOp op);

// Dot.cpp (mma.sync), DotFma.cpp (multiply-adds of each thread)
void emit(Emitter &e, tile::DotOp op);
void emitFmaDot(Emitter &e, tile::DotOp op);

// Foreign.cpp: libdevice, inline PTX
void emit(Emitter &e, tile::ExternOp op);
void emit(Emitter &e, tile::InlineAsmOp op);
// Print.cpp
void emit(Emitter &e, tile::PrintOp op);
void emit(Emitter &e, tile::AssertOp op);

} // namespace tilescope::codegen
