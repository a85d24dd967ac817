// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators on built-in values, with Python's meaning: unbounded integers, floor division, exact
// comparison of int and float, sequence repetition. Errors are those of Python: ids "unsupported-operands",
// "division-by-zero", "index-out-of-range", "integer-too-large" … with the type names as arguments.
#pragma once

#include "compiler/Support/Result.h"
#include "compiler/Syntax/Ast.h"
#include "compiler/Value/Objects.h"

#include <functional>

namespace tilescope {

/// What values may grow to; beyond it the error is "integer-too-large", "too-many-items" or
/// "string-too-long".
constexpr uint64_t MaxIntegerBits = 1 << 20;
constexpr int64_t MaxItems = 10'000'000;
constexpr uint64_t MaxStringBytes = 64 << 20;
/// Containers nested deeper than this cannot be compared, hashed or printed: "recursion-limit".
constexpr unsigned MaxNesting = 200;

Result<Value> binary(syntax::BinaryOperator op, const Value &left, const Value &right);
Result<Value> unary(syntax::UnaryOperator op, const Value &operand);
Result<bool> compare(syntax::CompareOperator op, const Value &left, const Value &right);
/// Python's truth value. Every built-in value has one; Host objects are asked by the evaluator before.
bool truth(const Value &value);
/// `value[index]` for tuple, list, str, dict, range; index may be a slice.
Result<Value> subscript(const Value &value, const Value &index);
Result<int64_t> length(const Value &value);
/// The position that `index` means in a sequence of `length` items. Errors "bad-index-type",
/// "index-out-of-range".
Result<int64_t> position(const Value &index, int64_t length);
/// The positions that a slice picks out of `length` items.
struct SlicePositions {
  int64_t start = 0, stop = 0, step = 1, count = 0;
};
Result<SlicePositions> positions(const SliceObject &slice, int64_t length);
/// The elements that a `for` would see: tuple, list, range, str, dict keys, set.
Result<std::vector<Value>> elements(const Value &value);
/// A literal of the source as a value.
Result<Value> constant(const syntax::Constant &literal);

/// Python's repr() and str() of built-in values (shortest float that reads back, escapes, nesting).
std::string repr(const Value &value);
std::string str(const Value &value);
/// The same for containers of objects that Value does not know, whose repr() `text` gives.
using ObjectText = std::function<Result<std::string>(const Value &)>;
Result<std::string> repr(const Value &value, const ObjectText &text);
/// `template % arguments` of str, as C's printf.
Result<std::string> percentFormat(std::string_view text, const Value &arguments,
                                  const ObjectText &objects = {});
/// format(value, spec): Python's format mini-language for int, float, str.
Result<std::string> format(const Value &value, std::string_view spec);

} // namespace tilescope
