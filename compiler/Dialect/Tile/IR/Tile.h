// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect: include this one. The operations are described in Tile*Ops.td, the reasons in
// compiler/docs/dialect-tile.md.
#pragma once

#include "compiler/Dialect/Tile/IR/TileTraits.h"
#include "compiler/Dialect/Tile/IR/TileTypes.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilescope::tile {

/// Memory that every program of a launch sees.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "global memory"; }
};
/// Memory that the threads of one program share.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "shared memory"; }
};
/// What a person sees: printed lines and failed assertions.
struct Console : mlir::SideEffects::Resource::Base<Console> {
  llvm::StringRef getName() final { return "console"; }
};

/// Names of attributes on function arguments.
inline constexpr llvm::StringLiteral argumentNameAttr = "tile.name";
inline constexpr llvm::StringLiteral argumentDivisibilityAttr = "tile.divisibility";

/// The one operation of a region that combines its two arguments, in either order, and yields the result
/// (see tile.reduce); null for any other region.
mlir::Operation *singleCombiner(mlir::Region &combiner);

} // namespace tilescope::tile

#include "compiler/Dialect/Tile/IR/TileDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileFunctionOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileShapeOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileArithmeticOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileMemoryOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileBlockOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileControlOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileForeignOps.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileSharedOps.h.inc"
