// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators on built-in values, with Python's meaning: unbounded integers, floor division, exact
// comparison of int and float, sequence repetition. Errors are those of Python: ids "unsupported-operands",
// "division-by-zero", "index-out-of-range", "too-large" … with the type names as arguments.
#pragma once

#include "compiler/Support/Result.h"
#include "compiler/Syntax/Ast.h"
#include "compiler/Value/Objects.h"

namespace tilescope {

Result<Value> binary(syntax::BinaryOperator op, const Value &left, const Value &right);
Result<Value> unary(syntax::UnaryOperator op, const Value &operand);
Result<bool> compare(syntax::CompareOperator op, const Value &left, const Value &right);
/// Python's truth value. Every built-in value has one; Host objects are asked by the evaluator before.
bool truth(const Value &value);
/// `value[index]` for tuple, list, str, dict, range; index may be a slice.
Result<Value> subscript(const Value &value, const Value &index);
Result<int64_t> length(const Value &value);
/// The elements that a `for` would see: tuple, list, range, str, dict keys, set.
Result<std::vector<Value>> elements(const Value &value);
/// A literal of the source as a value.
Result<Value> constant(const syntax::Constant &literal);

/// Python's repr() and str() of built-in values (shortest float that reads back, escapes, nesting).
std::string repr(const Value &value);
std::string str(const Value &value);
/// format(value, spec): Python's format mini-language for int, float, str.
Result<std::string> format(const Value &value, std::string_view spec);

} // namespace tilescope
