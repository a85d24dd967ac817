// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a script, and the scopes their free names are found in.
#pragma once

#include "compiler/Syntax/Ast.h"
#include "compiler/Value/Objects.h"

#include <functional>

namespace tilescope {

/// Names and their values: the globals of a module, or the locals of a call that a closure keeps.
class Scope {
public:
  explicit Scope(std::shared_ptr<Scope> parent = nullptr) : m_parent(std::move(parent)) {}
  ~Scope();
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  /// The value of a name here or in an enclosing scope, or null.
  const Value *find(std::string_view name);
  /// Null if the name is not defined in this very scope.
  Value *findLocal(std::string_view name);
  void set(std::string_view name, Value value);
  bool erase(std::string_view name);
  /// Forgets every name: functions refer to the scope that they stand in, and so would live for ever.
  void clear();
  const std::shared_ptr<Scope> &parent() const { return m_parent; }
  /// Names of this scope in the order of their first definition.
  const std::vector<std::string> &names() const { return m_order; }

private:
  std::shared_ptr<Scope> m_parent;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Value, Hash, std::equal_to<>> m_values;
  std::vector<std::string> m_order;
};

/// `@name` or `@name(args, key=value)` on a function, evaluated.
struct Decorator {
  Value callee; ///< usually a symbol, such as "triton.jit" or "triton.autotune"
  std::vector<Value> args;
  std::vector<std::pair<std::string, Value>> keywords;
  SourceRange range;
};

/// What plain Python does with values, for whoever compiles a kernel: constexpr functions, methods of strings
/// and numbers, modules and classes of the script. The evaluator of host code gives it to its functions.
class HostCalls {
public:
  virtual ~HostCalls() = default;
  virtual Result<Value> call(const Value &callee, std::vector<Value> positional,
                             std::vector<std::pair<std::string, Value>> named) = 0;
  virtual Result<Value> attribute(const Value &value, std::string_view name) = 0;

  /// A class whose objects are their fields: a named tuple, or an aggregate of triton.language.
  struct Record {
    std::string name;
    std::vector<std::string> fields;
    std::unordered_map<std::string, Value> defaults; ///< by field
    bool isAggregate = false;                        ///< no tuple: without length, items and order
  };
  /// Nothing if the value is no such class.
  virtual std::optional<Record> record(const Value &type) = 0;
};

struct FunctionObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Function;
  FunctionObject() : Object(Kind) {}
  std::string_view typeName() const override { return isJit() ? "JITFunction" : "function"; }

  /// Does a "triton.jit" decorator stand on it, so that it is compiled and not evaluated?
  bool isJit() const;
  std::string_view name() const { return definition ? definition->name : std::string_view("<lambda>"); }

  std::shared_ptr<const syntax::Module> module; ///< keeps the tree and the text alive
  const syntax::FunctionDef *definition = nullptr;
  const syntax::Lambda *lambda = nullptr; ///< set instead of `definition`
  std::shared_ptr<Scope> scope;           ///< where free names are looked up
  std::vector<Decorator> decorators;      ///< outermost first
  /// Evaluated defaults by parameter name.
  std::unordered_map<std::string, Value> defaults;
  /// The evaluator that made it, while that lives.
  std::weak_ptr<HostCalls> host;
};

} // namespace tilescope
