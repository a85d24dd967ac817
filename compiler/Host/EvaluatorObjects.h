// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that only the evaluator of host code makes: classes and their instances, modules, iterators,
// exceptions, and what `kernel[grid]` gives.
#pragma once

#include "compiler/Host/Operations.h"
#include "compiler/Value/Function.h"

namespace tilescope::host {

/// A method together with its object: a function of the script, or one of ours by its name ("append").
struct BoundMethodObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::BoundMethod;
  BoundMethodObject(Value s, Value f, std::shared_ptr<struct ClassObject> c = nullptr)
      : Object(Kind), self(std::move(s)), function(std::move(f)), owner(std::move(c)) {}
  std::string_view typeName() const override { return "method"; }
  const Value self;
  const Value function;                            ///< a FunctionObject, or a str: the name
  const std::shared_ptr<struct ClassObject> owner; ///< the class that defines it; null for ours
};

struct ModuleObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Module;
  ModuleObject(std::string n, std::shared_ptr<Scope> s)
      : Object(Kind), name(std::move(n)), scope(std::move(s)) {}
  std::string_view typeName() const override { return "module"; }
  const std::string name;
  const std::shared_ptr<Scope> scope;
  bool running = false; ///< its top level has not ended: an import that comes back to it
};

struct ClassObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  explicit ClassObject(std::string n)
      : Object(Kind), name(std::move(n)), attributes(std::make_shared<Scope>()) {}
  std::string_view typeName() const override { return "type"; }
  const std::string name;
  std::vector<Value> bases; ///< ClassObject or symbol
  const std::shared_ptr<Scope> attributes;
  std::vector<std::string> fields; ///< of a dataclass or named tuple, in order
  bool isDataclass = false;
  bool isNamedTuple = false; ///< its objects are tuples
  bool isAggregate = false;  ///< of triton.language: objects of kernels
};

struct InstanceObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Instance;
  explicit InstanceObject(std::shared_ptr<ClassObject> c) : Object(Kind), type(std::move(c)) {}
  std::string_view typeName() const override { return type->name; }
  const std::shared_ptr<ClassObject> type;
  Scope attributes;
  std::shared_ptr<Object> behind; ///< the instance that this super() looks at
};

/// An exception of Python's own; those of the script are instances.
struct ExceptionObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  ExceptionObject(std::string c, std::vector<Value> a)
      : Object(Kind), className(std::move(c)), args(std::move(a)) {}
  std::string_view typeName() const override { return className; }
  const std::string className;
  const std::vector<Value> args;
};

/// zip, enumerate, map, a generator expression …: worked out at once, handed out one by one.
struct IteratorObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  IteratorObject(std::string t, std::vector<Value> v)
      : Object(Kind), type(std::move(t)), items(std::move(v)) {}
  ~IteratorObject() override { release(std::move(items)); }
  std::string_view typeName() const override { return type; }
  const std::string type;
  std::vector<Value> items;
  size_t next = 0;
};

/// `kernel[grid]`.
struct KernelLaunchObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  KernelLaunchObject(std::shared_ptr<FunctionObject> k, Value g, SourceRange r)
      : Object(Kind), kernel(std::move(k)), grid(std::move(g)), gridRange(r) {}
  std::string_view typeName() const override { return "KernelLauncher"; }
  const std::shared_ptr<FunctionObject> kernel;
  const Value grid;
  const SourceRange gridRange;
};

/// triton.Config(kwargs, num_warps=…): what an autotuned kernel may be launched with.
struct ConfigObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  ConfigObject() : Object(Kind) {}
  std::string_view typeName() const override { return "triton.Config"; }
  std::vector<std::pair<std::string, Value>> constants;
  std::vector<std::pair<std::string, Value>> options; ///< num_warps, num_stages …
  Value preHook; ///< called with the arguments by name before a launch; None if there is none
};

template <typename T, typename... Arguments> Value makeObject(Arguments &&...arguments) {
  return Value(std::shared_ptr<Object>(std::make_shared<T>(std::forward<Arguments>(arguments)...)));
}

/// The value as a shared T; it must be one.
template <typename T> std::shared_ptr<T> shared(const Value &value) {
  return std::static_pointer_cast<T>(value.sharedObject());
}

} // namespace tilescope::host
