// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations as Python's operators need them; the rows of the table are behind elementwiseRows().
#pragma once

#include "compiler/Host/TensorElementwise.h"

namespace tilescope::host {

/// Those of one kind stand together: whole divisions, bitwise ones, comparisons.
enum class BinaryFunction : uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  DivideTruncating,
  FloorDivide,
  Modulo,
  FloatModulo,
  Power,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  LogicalAnd,
  LogicalOr,
  LogicalXor,
  Maximum,
  Minimum,
  ArcTangent2,
};

/// Errors beyond those of elementwise(): "subtract-bool", "bits-of-float", "division-by-zero" (of integers),
/// "negative-exponent".
Result<TensorPtr> binaryElementwise(OperationContext &context, std::string_view name, BinaryFunction function,
                                    const Operand &left, const Operand &right,
                                    const TensorPtr &destination = nullptr);
Result<TensorPtr> negated(OperationContext &context, const TensorPtr &tensor);
/// Error "bits-of-float".
Result<TensorPtr> inverted(OperationContext &context, const TensorPtr &tensor);

/// Is an element 0, as an integer? For division.
Result<bool> holdsZero(OperationContext &context, const Operand &operand);

} // namespace tilescope::host
