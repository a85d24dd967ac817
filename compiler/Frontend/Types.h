// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types of Tilescope as types of the dialect and back, their names, and the questions that Triton's
// promotion rules ask. For questions about shapes see compiler/Dialect/Tile/IR/TileTypes.h.
#pragma once

#include "compiler/Dialect/Tile/IR/TileTypes.h"
#include "compiler/Value/ElementType.h"
#include "compiler/Value/Value.h"

#include <string>

namespace tilescope::frontend {

mlir::Type mlirType(mlir::MLIRContext *context, ElementType element);
/// Nothing for pointers and tiles.
std::optional<ElementType> elementType(mlir::Type type);

/// As Triton says it: "fp32", "int32[1024]", "pointer<fp16>[64, 64]".
std::string typeName(mlir::Type type);
/// "[64, 32]"; "[]" for a scalar.
std::string shapeName(llvm::ArrayRef<int64_t> shape);

bool isFloat8(mlir::Type element);
mlir::Type int32(mlir::MLIRContext *context);
mlir::Type int64(mlir::MLIRContext *context);
mlir::Type boolean(mlir::MLIRContext *context);

/// The type that a Python number gets where nothing else decides: bool int1; int the first of int32, uint32,
/// int64, uint64 that holds it (null if none does); float fp32, or fp64 where fp32 is too small.
mlir::Type typeOfNumber(mlir::MLIRContext *context, const Value &number);
/// Does an integer type (or i1) hold this number?
bool holds(mlir::Type integer, const Integer &number);

} // namespace tilescope::frontend
