// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and methods that scripts find without defining them: Python's built-ins, math, and the parts of
// torch and triton that are not operations on tensors. One row each.
#pragma once

#include "compiler/Host/EvaluatorRun.h"

namespace tilescope::host {

/// One call of such a function; its arguments were counted and their names checked.
class NativeCall {
public:
  NativeCall(Evaluation &evaluation, const CallSite &site, std::string_view function)
      : evaluation(evaluation), site(site), function(function) {}

  Evaluation &evaluation;
  const CallSite &site;
  const std::string_view function;

  size_t count() const { return site.arguments.positional.size(); }
  const Value &operator[](size_t i) const { return site.arguments.positional[i]; }
  /// The i-th positional argument or the one of that name, or null.
  const Value *find(size_t i, std::string_view name) const;
  const Value *keyword(std::string_view name) const { return find(SIZE_MAX, name); }
  /// Puts the error under the i-th argument.
  Error blame(size_t i, Error error) const;
  Error wrongType(size_t i, std::string_view expected) const;
  /// The i-th positional argument as a type, or an error "wrong-argument-type".
  Result<int64_t> integer(size_t i) const;
  Result<double> real(size_t i) const;
  Result<std::string> text(size_t i) const;
};

struct NativeFunction {
  std::string_view name;
  unsigned least, most;      ///< positional arguments; a method's object is the first
  std::string_view keywords; ///< allowed names with a space after each, "key reverse "; "*" allows any
  Result<Value> (*call)(NativeCall &call);
  bool takesUnknown = false; ///< else a call with an unknown argument is unknown
};

constexpr unsigned AnyNumber = 1000;

/// "builtins.len", "math.sqrt", "triton.cdiv" …; null if there is none.
const NativeFunction *findNative(std::string_view name);
/// A method of a built-in type: ("str", "split"); null if there is none.
const NativeFunction *findNativeMethod(std::string_view type, std::string_view name);
/// A constant of a library, such as "math.pi"; nothing if it is none.
std::optional<Value> libraryConstant(std::string_view symbol);
/// An attribute of an element type, torch.float16.itemsize; nothing if it is none.
std::optional<Value> typeAttribute(std::string_view symbol, std::string_view name);
/// Is it a name that every script has: a function, a type or an exception?
bool isBuiltin(std::string_view name);
std::vector<std::string> builtinNames();
std::vector<std::string> nativeNames();
std::vector<std::string> nativeMethodNames(std::string_view type);
/// Python's exception class that an error of ours is, "ValueError" …, and whether `name` is, or derives from,
/// `base`.
std::string_view exceptionClass(std::string_view errorId);
bool derivesFrom(std::string_view exception, std::string_view base);
bool isExceptionClass(std::string_view name);

/// dict(…) and dict.update(…): a dict or pairs at position `from`, then keywords.
Result<bool> updateDict(NativeCall &call, DictObject &dict, size_t from);

using NativeTable = std::span<const NativeFunction>;
NativeTable builtinFunctions();
NativeTable iterationFunctions();
NativeTable conversionFunctions();
NativeTable mathFunctions();
NativeTable libraryFunctions();
NativeTable descriptorFunctions();
NativeTable deviceFunctions();
NativeTable typeFunctions();
NativeTable stringMethods();
NativeTable containerMethods(std::string_view type);
/// Of classes that derive from torch.autograd.Function ("type"), and of what they are given as ctx.
NativeTable autogradMethods(std::string_view type);

} // namespace tilescope::host
