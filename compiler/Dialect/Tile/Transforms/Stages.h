// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from stage one to what the GPU runs, as a list: each stage is one function of one file, can be run alone
// (`tile-opt --tile-NAME`) and looked at (`tilec compile --emit stages`). None changes values.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilescope::tile {

class FuncOp;

struct Stage {
  llvm::StringLiteral name;    ///< of the pass, without "tile-"
  llvm::StringLiteral summary; ///< a line for people who work on the compiler
  void (*run)(FuncOp kernel);
};

/// In the order in which they run, on a kernel whose calls are inlined (`tile-stage-two-prepare`).
llvm::ArrayRef<Stage> stages();

//===- Still without layouts ----------------------------------------------------------------------===//

/// Accesses to blocks of described tensors become accesses through pointers.
void lowerBlocks(FuncOp kernel);
/// Scaled products become ordinary ones, of elements with their scales multiplied in.
void lowerScaledProducts(FuncOp kernel);
/// `x * y + z` in floats becomes one rounding, where a GPU's compiler fuses it: the product may have other uses, and is
/// computed in the same block. Products with a name stay, for those who look at variables. Idempotent.
void contract(FuncOp kernel);

//===- With layouts -------------------------------------------------------------------------------===//

/// Every tile gets a plain layout, or what follows from the tile that it is made of.
void assignLayouts(FuncOp kernel);
/// Loads, stores and atomics: neighbouring elements to a thread, as many as alignment and 16 bytes allow, and
/// neighbouring threads side by side.
void coalesce(FuncOp kernel);
/// Products go to tensor cores where the target has them for the types and the shape, else to threads.
void placeProducts(FuncOp kernel);
/// Accesses and products keep their layouts; everything else takes theirs, and conversions are left only where two meet.
void propagateLayouts(FuncOp kernel);
/// What is cheap is computed again in the other layout instead of being converted.
void rematerialise(FuncOp kernel);
/// Operands of products come through swizzled shared memory, once for all warps.
void stageOperands(FuncOp kernel);
/// Loops over products: asynchronous copies for trips to come, into `num_stages` buffers (from sm_80 on).
void pipelineLoops(FuncOp kernel);
/// Buffers and scratch space get their places (`shared_offset`, `tile.shared_bytes`). No operation moves after it.
void allocateShared(FuncOp kernel);
/// Threads wait for each other between two uses of the same bytes of shared memory, and nowhere else.
void insertBarriers(FuncOp kernel);
/// What does not change from trip to trip is computed in front of the loop.
void hoistInvariants(FuncOp kernel);

/// Folds, and drops what is not used: operations, equal ones, and what loops carry in vain.
void simplify(FuncOp kernel);

} // namespace tilescope::tile
