// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which version of PTX a module needs: the lower, the more drivers take it.
#pragma once

#include "compiler/Conversion/TileToLLVM/Target.h"

#include "llvm/IR/Module.h"

namespace tilescope::nvptx {

/// major · 10 + minor: the first version that knows the GPU.
unsigned ptxVersionOf(const codegen::Target &target);

/// The lowest version that knows the GPU and each instruction that the module names, as inline PTX or as an intrinsic.
/// Source: PTX ISA 9.0, "PTX ISA Notes" of each instruction.
unsigned ptxVersionFor(const llvm::Module &module, const codegen::Target &target);

} // namespace tilescope::nvptx
