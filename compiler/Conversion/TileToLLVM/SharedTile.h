// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles on their way to and from shared memory, and elements as words of 32 bits. Instructions are as wide as
// layout::sharedVectorBits says, so that they are those that the model counts.
#pragma once

#include "compiler/Conversion/TileToLLVM/Emitter.h"
#include "compiler/Layout/MatrixLoad.h"

namespace tilescope::codegen {

/// (register, lane, warp) to offsets in bytes, for elements of `bytes`. `shared` maps offsets in elements to the tile.
layout::LinearLayout byteOffsets(const layout::LinearLayout &registers, const layout::LinearLayout &shared, unsigned bytes);

/// Writes a tile to shared memory at `base` (`ptr addrspace(3)`). Threads that hold the same element all write it.
void storeShared(Emitter &e, llvm::ArrayRef<llvm::Value *> values, const layout::LinearLayout &registers,
                 const layout::LinearLayout &shared, llvm::Value *base);
/// Reads a tile of elements of that type.
Registers loadShared(Emitter &e, mlir::Type element, const layout::LinearLayout &registers,
                     const layout::LinearLayout &shared, llvm::Value *base);
/// The same by ldmatrix, as planned.
Registers loadMatrices(Emitter &e, mlir::Type element, unsigned registers, const layout::MatrixLoad &plan, llvm::Value *base);

/// Elements one behind the other as one integer, the first in the lowest bits. Types are those of memory.
llvm::Value *packBits(Emitter &e, llvm::ArrayRef<llvm::Value *> elements);
Registers unpackBits(Emitter &e, llvm::Value *bits, unsigned count, llvm::Type *type);

} // namespace tilescope::codegen
