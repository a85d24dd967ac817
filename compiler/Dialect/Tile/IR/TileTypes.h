// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and enumerations of the tile dialect, and questions about types that hold for a scalar and a tile
// alike. A scalar counts as the shape without dimensions.
#pragma once

#include "compiler/Layout/LinearLayout.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include <cstdint>
#include <optional>

#include "compiler/Dialect/Tile/IR/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/Tile/IR/TileTypes.h.inc"

namespace tilescope::tile {

/// The element type of a tile; any other type itself.
mlir::Type elementTypeOf(mlir::Type type);
/// The shape of a tile; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// How many elements a value has: 1 for a scalar.
int64_t elementCountOf(mlir::Type type);

/// `like` with another element type: its shape and layout stay.
mlir::Type withElementType(mlir::Type like, mlir::Type element);
/// i1 in the shape of `like`.
mlir::Type booleanLike(mlir::Type like);
/// What a load through `pointers` gives: the pointee in their shape. Null if they are no pointers.
mlir::Type pointeeLike(mlir::Type pointers);
/// A tile of that shape; the element itself when the shape is empty.
mlir::Type tileOrScalar(llvm::ArrayRef<int64_t> shape, mlir::Type element, LayoutAttr layout = {});
/// The layout of a tile; null of a scalar and in stage one.
LayoutAttr layoutOf(mlir::Type type);

/// Of element types. i1 is an integer (unsigned, one bit) and a number.
bool isBoolean(mlir::Type element);
bool isWideInteger(mlir::Type element); ///< si8 to si64 and ui8 to ui64
bool isInteger(mlir::Type element);     ///< i1 or a wide integer
bool isFloat(mlir::Type element);       ///< f16, bf16, f32, f64, and floats of 8 bits
bool isNumber(mlir::Type element);      ///< integer or float
bool isPointer(mlir::Type element);
bool isElement(mlir::Type element); ///< number or pointer
bool isSigned(mlir::Type element);  ///< si8 to si64

/// Bits of an element in a register: 1 for i1, 64 for a pointer.
unsigned bitWidthOf(mlir::Type element);
/// Bytes of an element in memory: 1 for i1, 8 for a pointer.
unsigned byteSizeOf(mlir::Type element);

/// "64x32", or "scalar" for the shape without dimensions: for messages of verifiers.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// For ODS: a type follows from another while parsing, and the verifier says what differs.
inline constexpr auto saidByVerifier = [](mlir::Type, mlir::Type) { return true; };

} // namespace tilescope::tile
