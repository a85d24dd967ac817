// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking functions, methods and exceptions up by name.
#include "compiler/Host/Functions.h"

#include <algorithm>

namespace tilescope::host {

const Value *NativeCall::find(size_t i, std::string_view name) const {
  if (i < count())
    return &site.arguments.positional[i];
  for (const auto &[key, value] : site.arguments.keywords)
    if (key == name)
      return &value;
  return nullptr;
}

Error NativeCall::blame(size_t i, Error error) const {
  evaluation.blamed = i;
  return error;
}

Error NativeCall::wrongType(size_t i, std::string_view expected) const {
  std::string name(function.substr(function.rfind('.') + 1));
  return blame(i, {"wrong-argument-type", {name, std::string(expected), std::string((*this)[i].typeName())}});
}

Result<int64_t> NativeCall::integer(size_t i) const {
  auto number = (*this)[i].index();
  return number ? Result<int64_t>(*number) : wrongType(i, "int");
}

Result<double> NativeCall::real(size_t i) const {
  const Value &value = (*this)[i];
  if (auto *number = value.asFloat())
    return *number;
  if (auto *number = value.asInt())
    return number->toDouble();
  if (auto *flag = value.asBool())
    return *flag ? 1.0 : 0.0;
  if (!value.as<TensorObject>())
    return wrongType(i, "float");
  auto number = tensorToFloat(evaluation, value);
  if (!number)
    return number.error();
  return number->asFloat() ? Result<double>(*number->asFloat()) : Error{"unknown", {}};
}

Result<std::string> NativeCall::text(size_t i) const {
  auto *text = (*this)[i].asString();
  return text ? Result<std::string>(*text) : wrongType(i, "str");
}

namespace {

constexpr std::string_view Prefix = "builtins.";

using Index = std::unordered_map<std::string_view, const NativeFunction *>;

Index indexOf(std::initializer_list<NativeTable> tables) {
  Index index;
  for (NativeTable table : tables)
    for (const NativeFunction &row : table)
      index.emplace(row.name, &row);
  return index;
}

const Index &functions() {
  static const Index index =
      indexOf({builtinFunctions(), iterationFunctions(), conversionFunctions(), mathFunctions(),
               libraryFunctions(), descriptorFunctions(), deviceFunctions(), typeFunctions()});
  return index;
}

NativeTable methodsOf(std::string_view type) {
  if (auto methods = autogradMethods(type); !methods.empty())
    return methods;
  return type == "str" ? stringMethods() : containerMethods(type);
}

struct ExceptionRow {
  std::string_view name, base;
};
constexpr ExceptionRow Exceptions[] = {
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"NotImplementedError", "RuntimeError"},
    {"OSError", "Exception"},
    {"OverflowError", "ArithmeticError"},
    {"RecursionError", "RuntimeError"},
    {"RuntimeError", "Exception"},
    {"StopIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"SystemExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"FileNotFoundError", "OSError"},
    {"Warning", "Exception"},
};

const ExceptionRow *exceptionRow(std::string_view name) {
  auto found = std::find_if(std::begin(Exceptions), std::end(Exceptions),
                            [name](const ExceptionRow &row) { return row.name == name; });
  return found == std::end(Exceptions) ? nullptr : found;
}

/// Errors that are not a RuntimeError, as those of torch are.
constexpr std::pair<std::string_view, std::string_view> Classes[] = {
    {"unsupported-operands", "TypeError"},
    {"unsupported-operand", "TypeError"},
    {"bad-index-type", "TypeError"},
    {"not-subscriptable", "TypeError"},
    {"not-iterable", "TypeError"},
    {"no-length", "TypeError"},
    {"unhashable", "TypeError"},
    {"string-membership", "TypeError"},
    {"format-needs-number", "TypeError"},
    {"bad-template", "TypeError"},
    {"not-callable", "TypeError"},
    {"wrong-argument-type", "TypeError"},
    {"missing-argument", "TypeError"},
    {"too-many-arguments", "TypeError"},
    {"too-few-arguments", "TypeError"},
    {"duplicate-argument", "TypeError"},
    {"unexpected-argument", "TypeError"},
    {"no-item-assignment", "TypeError"},
    {"not-a-dict", "TypeError"},
    {"not-a-type", "TypeError"},
    {"not-an-exception", "TypeError"},
    {"not-a-context", "TypeError"},
    {"join-needs-str", "TypeError"},
    {"division-by-zero", "ZeroDivisionError"},
    {"index-out-of-range", "IndexError"},
    {"key-not-found", "KeyError"},
    {"float-overflow", "OverflowError"},
    {"integer-too-large", "OverflowError"},
    {"too-many-items", "MemoryError"},
    {"string-too-long", "MemoryError"},
    {"negative-shift", "ValueError"},
    {"zero-step", "ValueError"},
    {"bad-format", "ValueError"},
    {"complex-result", "ValueError"},
    {"undefined-name", "NameError"},
    {"unbound-local", "UnboundLocalError"},
    {"no-attribute", "AttributeError"},
    {"unknown-tensor-attribute", "AttributeError"},
    {"launch-without-jit", "TypeError"},
    {"no-name-in-module", "ImportError"},
    {"import-not-found", "ModuleNotFoundError"},
    {"import-cycle", "ImportError"},
    {"import-outside", "ImportError"},
    {"unpack-mismatch", "ValueError"},
    {"bad-number-text", "ValueError"},
    {"math-domain", "ValueError"},
    {"empty-sequence", "ValueError"},
    {"not-in-list", "ValueError"},
    {"text-not-found", "ValueError"},
    {"iterator-at-end", "StopIteration"},
    {"empty-pop", "IndexError"},
    {"recursion-limit", "RecursionError"},
    {"unknown-function", "AttributeError"},
    {"unknown-library", "ModuleNotFoundError"},
    {"no-access", "OSError"},
    {"bad-base", "ValueError"},
    {"not-finite", "ValueError"},
    {"zip-lengths", "ValueError"},
    // Of tensors, where torch's are not RuntimeErrors.
    {"operation-argument-twice", "TypeError"},
    {"operation-argument-type", "TypeError"},
    {"operation-missing-argument", "TypeError"},
    {"operation-too-many-arguments", "TypeError"},
    {"operation-unknown-keyword", "TypeError"},
    {"format-of-tensor", "TypeError"},
    {"dimension-out-of-range", "IndexError"},
    {"mask-shape", "IndexError"},
    {"tensor-index-out-of-range", "IndexError"},
    {"too-many-indices", "IndexError"},
    {"not-a-number", "ValueError"},
    {"ragged-list", "ValueError"},
    {"slice-step", "ValueError"},
    {"assert-close-shape", "AssertionError"},
    {"assert-close-type", "AssertionError"},
    {"not-close", "AssertionError"},
    {"tensor-descriptor-ranks", "AssertionError"},
    {"tensor-descriptor-base", "AssertionError"},
    {"tensor-descriptor-size", "AssertionError"},
    {"tensor-descriptor-last-stride", "AssertionError"},
    {"descriptor-rank", "AssertionError"},
    {"descriptor-stride-alignment", "AssertionError"},
    {"bits-of-float", "NotImplementedError"},
    {"subtract-bool", "NotImplementedError"},
};

} // namespace

const NativeFunction *findNative(std::string_view name) {
  auto found = functions().find(name);
  return found == functions().end() ? nullptr : found->second;
}

const NativeFunction *findNativeMethod(std::string_view type, std::string_view name) {
  for (const NativeFunction &row : methodsOf(type))
    if (row.name == name)
      return &row;
  return nullptr;
}

bool isBuiltin(std::string_view name) {
  return isExceptionClass(name) || name == "object" || name == "property" || name == "staticmethod" ||
         name == "classmethod" || name == "NotImplemented" ||
         findNative(std::string(Prefix) + std::string(name));
}

std::vector<std::string> builtinNames() {
  std::vector<std::string> names;
  for (const auto &[name, row] : functions())
    if (name.starts_with(Prefix))
      names.emplace_back(name.substr(Prefix.size()));
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> nativeNames() {
  std::vector<std::string> names;
  for (const auto &[name, row] : functions())
    names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> nativeMethodNames(std::string_view type) {
  std::vector<std::string> names;
  for (const NativeFunction &row : methodsOf(type))
    names.emplace_back(row.name);
  return names;
}

std::string_view exceptionClass(std::string_view errorId) {
  auto found = std::find_if(std::begin(Classes), std::end(Classes),
                            [errorId](const auto &row) { return row.first == errorId; });
  return found == std::end(Classes) ? std::string_view("RuntimeError") : found->second;
}

bool isExceptionClass(std::string_view name) { return exceptionRow(name); }

bool derivesFrom(std::string_view exception, std::string_view base) {
  for (auto *row = exceptionRow(exception); row; row = exceptionRow(row->base))
    if (row->name == base)
      return true;
  return false;
}

} // namespace tilescope::host
