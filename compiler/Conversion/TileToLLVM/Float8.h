// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats of 8 bits, which no GPU computes with: to fp32 and back. Where the GPU has PTX's `cvt` for the format two go at
// once; elsewhere by integer arithmetic, to the same bits.
#pragma once

#include "compiler/Conversion/TileToLLVM/Emitter.h"

namespace tilescope::codegen {

bool isFloat8(mlir::Type element);
/// Bits of such floats (i8) as fp32; exact.
Registers widenFloat8(Emitter &e, mlir::Type from, llvm::ArrayRef<llvm::Value *> bits);
/// fp32 to the format's bits: to nearest, ties to even, or towards zero; past the range to the greatest finite value.
Registers narrowToFloat8(Emitter &e, mlir::Type to, llvm::ArrayRef<llvm::Value *> values, bool towardZero);

} // namespace tilescope::codegen
