// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed operations on terms, with the meaning that triton.language gives them: promotion of numbers and
// tiles, broadcasting, implicit casts. Each function reports what is wrong at the operand's range and then
// returns null or an error term; given an error term it returns one silently. The rules are in
// compiler/docs/frontend.md.
#pragma once

#include "compiler/Frontend/Emitter.h"
#include "compiler/Syntax/Ast.h"

namespace tilescope::frontend {

//===- Values -------------------------------------------------------------------------------------===//

/// A number (scalar or tile type `type`) as a constant. Integers wrap to the type's width.
mlir::Value constantOf(Emitter &emitter, mlir::Type type, const Value &number);
/// A run-time value: numbers become scalars of their own type. Error "tensor-expected" for anything else.
mlir::Value toTensor(Emitter &emitter, const Operand &operand);
/// As toTensor, but a tile is asked for: scalars are an error "tile-expected".
mlir::Value toTile(Emitter &emitter, const Operand &operand);
/// What a variable holds after `x = …`: bool, int and float become run-time scalars, also inside tuples.
Term sanitise(Emitter &emitter, const Operand &operand);
/// A scalar i1 for `if`, `while` and `assert`. Error "tile-condition".
mlir::Value toCondition(Emitter &emitter, const Operand &operand);

//===- Shapes and casts ---------------------------------------------------------------------------===//

/// The dimension in which two shapes, aligned at the end, cannot be made one; nothing if they can.
std::optional<size_t> disagreement(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);
/// The shape of two that do not disagree: 1 gives way to the other's size.
llvm::SmallVector<int64_t> commonShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);
mlir::Value broadcastTo(Emitter &emitter, mlir::Value value, llvm::ArrayRef<int64_t> shape,
                        SourceRange range);
/// Brings both to one shape. False after error "tile-shapes-differ".
bool broadcast(Emitter &emitter, mlir::Value &left, mlir::Value &right, SourceRange leftRange,
               SourceRange rightRange);
mlir::Value castTo(Emitter &emitter, mlir::Value value, mlir::Type element, SourceRange range,
                   tile::Rounding rounding = tile::Rounding::NearestEven);
mlir::Value bitcast(Emitter &emitter, mlir::Value value, mlir::Type element, SourceRange range);
/// `x[:, None]` puts a dimension in at `axis`.
mlir::Value expandDims(Emitter &emitter, mlir::Value value, int64_t axis);

//===- Operators ----------------------------------------------------------------------------------===//

/// Both operands in their common type and shape, before an arithmetic operation written as `name`.
struct Pair {
  mlir::Value left, right;
  explicit operator bool() const { return left && right; }
};
Pair promote(Emitter &emitter, const Operand &left, const Operand &right, std::string_view name,
             bool isDivision = false);

/// The same for three. All numbers among them count as one beside the tiles, whatever their order.
struct Triple {
  mlir::Value first, second, third;
  explicit operator bool() const { return first && second && third; }
};
Triple promote(Emitter &emitter, const Operand &first, const Operand &second, const Operand &third,
               std::string_view name);

Term binary(Emitter &emitter, syntax::BinaryOperator op, const Operand &left, const Operand &right);
Term unary(Emitter &emitter, syntax::UnaryOperator op, const Operand &operand);
Term compare(Emitter &emitter, syntax::CompareOperator op, const Operand &left, const Operand &right);
/// `dtype.is_floating()` and its like; the name is one of theirs.
Term callTypeMethod(Emitter &emitter, mlir::Type type, std::string_view name);
/// `x and y`, `x or y` on run-time values: scalars and tiles of int1.
Term logical(Emitter &emitter, syntax::BoolOperator op, const Operand &left, const Operand &right);
/// tl.where.
Term select(Emitter &emitter, const Operand &condition, const Operand &onTrue, const Operand &onFalse);

/// The type in which two element types are computed, null if there is none. `isNumber`: a Python number,
/// which does not widen a tile of its own kind.
mlir::Type commonType(mlir::Type left, bool leftIsNumber, mlir::Type right, bool rightIsNumber,
                      bool isDivision);

} // namespace tilescope::frontend
