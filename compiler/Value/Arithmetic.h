// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's arithmetic on numbers; a part of Operators.h that only this folder includes.
#pragma once

#include "compiler/Value/Operators.h"

namespace tilescope::detail {

/// A bool, int or float as an operand.
struct Number {
  bool isFloat = false;
  Integer whole; ///< if not isFloat
  double real = 0;
};
std::optional<Number> numberOf(const Value &value);

/// `left op right` of two numbers.
Result<Value> arithmetic(syntax::BinaryOperator op, const Number &left, const Number &right);
/// left <=> right exactly, whatever the sizes; unordered with a NaN.
std::partial_ordering order(const Number &left, const Number &right);
/// float(value). Error "float-overflow".
Result<double> toDouble(const Number &number);

Error unsupportedOperands(std::string_view op, const Value &left, const Value &right);

} // namespace tilescope::detail
