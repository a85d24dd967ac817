// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of tile IR at random: well typed, within their tensors, without a value that is undefined or
// depends on the order of programs. The same seed gives the same kernel.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

namespace tilescope::interp::test {

/// Elements of each tensor that a random kernel gets: one to read and one to write for each of its element
/// types, in the order f32, f16, bf16, si32, si8; then two numbers, si32.
inline constexpr unsigned RandomElementTypes = 5;
inline constexpr int64_t RandomInputElements = 16384, RandomOutputElements = 32768;
inline constexpr unsigned RandomPrograms = 2;

struct RandomTarget {
  std::string target = "cuda:90";
  int warps = 4, stages = 3;
};

mlir::OwningOpRef<mlir::ModuleOp> randomKernel(mlir::MLIRContext &context, uint32_t seed,
                                               const RandomTarget &target);

} // namespace tilescope::interp::test
