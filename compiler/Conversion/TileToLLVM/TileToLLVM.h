// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the end of stage two to LLVM IR for NVPTX. Read compiler/docs/codegen.md.
#pragma once

#include "compiler/Conversion/TileToLLVM/Target.h"
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "llvm/IR/Module.h"

#include <memory>

namespace tilescope::codegen {

/// What no code could be made for, and where: the name of an operation with what about it, such as "dot_scaled".
struct Unsupported {
  std::string what;
  mlir::Location location;
};

/// One kernel as a module with one function of the same name: `ptx_kernel`, its parameters the kernel's in their order
/// (pointers to global memory, i1 as i8), 32 · num_warps threads, `tile.shared_bytes` of dynamic shared memory. Null if an
/// operation is not supported, which is then in `unsupported`. `kernel` is at the end of stage two for `target`.
std::unique_ptr<llvm::Module> translateToLlvm(tile::FuncOp kernel, const Target &target, llvm::LLVMContext &context,
                                              std::vector<Unsupported> &unsupported);

} // namespace tilescope::codegen
