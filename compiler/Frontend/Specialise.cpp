// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel is specialised on: its parameters, the key of a specialisation, and a guess for a kernel that
// nobody launches. The rules of the guess are in compiler/docs/frontend.md.
#include "compiler/Frontend/Frontend.h"

#include "compiler/Frontend/Signature.h"
#include "compiler/Value/Operators.h"

#include <algorithm>
#include <unordered_set>

namespace tilescope::frontend {

using namespace syntax;

std::vector<const Arg *> parameters(const FunctionDef &function) {
  std::vector<const Arg *> result;
  for (const auto &group : {function.args->posonlyargs, function.args->args, function.args->kwonlyargs})
    for (const Arg &arg : group)
      result.push_back(&arg);
  return result;
}

bool isConstexprParameter(const FunctionObject &kernel, size_t parameter) {
  const Expr *annotation = parameters(*kernel.definition)[parameter]->annotation;
  return annotation && isConstexprAnnotation(kernel, *annotation);
}

std::string Specialisation::key() const {
  std::string text = std::to_string(numWarps) + "w" + std::to_string(numStages) + (isLaunched ? "s" : "s?");
  for (const ArgumentSpec &spec : arguments) {
    text += ';';
    if (spec.kind == ArgumentSpec::Kind::Constant) {
      const auto *function = spec.constant.as<FunctionObject>();
      text += '=';
      if (function)
        text.append("function ").append(function->name());
      else
        text.append(repr(spec.constant));
      continue;
    }
    text += spec.kind == ArgumentSpec::Kind::Pointer ? "*" : "";
    text += tritonName(spec.element);
    text += spec.divisibleBy16 ? ":16" : "";
  }
  return text;
}

namespace {

/// Which parameters are used as the pointer of a load, store or atomic, found by following additions and
/// assignments backwards from there.
class PointerUse {
public:
  explicit PointerUse(const FunctionDef &function) { body(function.body); }

  bool contains(std::string_view name) {
    for (size_t before = m_pointers.size() + 1; before != m_pointers.size();) {
      before = m_pointers.size();
      for (const auto &[target, value] : m_assignments)
        if (m_pointers.count(target))
          base(*value);
    }
    return m_pointers.count(name) > 0;
  }

private:
  void body(Body statements) {
    for (const Stmt *stmt : statements)
      visit(*stmt);
  }
  void visit(const Stmt &stmt) {
    if (const auto *assign = dynCast<Assign>(&stmt)) {
      for (const Expr *target : assign->targets)
        if (const auto *name = dynCast<Name>(target))
          m_assignments.emplace_back(name->id, assign->value);
      calls(*assign->value);
    } else if (const auto *augmented = dynCast<AugAssign>(&stmt)) {
      calls(*augmented->value);
    } else if (const auto *annotated = dynCast<AnnAssign>(&stmt)) {
      if (annotated->value)
        calls(*annotated->value);
    } else if (const auto *expression = dynCast<ExprStmt>(&stmt)) {
      calls(*expression->value);
    } else if (const auto *returned = dynCast<Return>(&stmt)) {
      if (returned->value)
        calls(*returned->value);
    } else if (const auto *loop = dynCast<For>(&stmt)) {
      body(loop->body);
    } else if (const auto *repeat = dynCast<While>(&stmt)) {
      body(repeat->body);
    } else if (const auto *branch = dynCast<If>(&stmt)) {
      body(branch->body);
      body(branch->orelse);
    }
  }
  /// Looks for memory accesses inside an expression.
  void calls(const Expr &expr) {
    if (const auto *call = dynCast<Call>(&expr)) {
      const auto *function = dynCast<Attribute>(call->func);
      std::string_view name = function ? function->attr : std::string_view();
      if (!call->args.empty() && (name == "load" || name == "store" || name.starts_with("atomic_")))
        base(*call->args[0]);
      if (function)
        calls(*function->value);
      for (const Expr *arg : call->args)
        calls(*arg);
      for (const Keyword &keyword : call->keywords)
        calls(*keyword.value);
    } else if (const auto *op = dynCast<BinOp>(&expr)) {
      calls(*op->left);
      calls(*op->right);
    } else if (const auto *compare = dynCast<Compare>(&expr)) {
      calls(*compare->left);
      for (const Expr *part : compare->comparators)
        calls(*part);
    } else if (const auto *subscript = dynCast<Subscript>(&expr)) {
      calls(*subscript->value);
    } else if (const auto *tuple = dynCast<Tuple>(&expr)) {
      for (const Expr *item : tuple->elts)
        calls(*item);
    }
  }
  /// The name that an address is computed from: the leftmost of a sum.
  void base(const Expr &expr) {
    if (const auto *name = dynCast<Name>(&expr))
      m_pointers.insert(name->id);
    else if (const auto *op = dynCast<BinOp>(&expr);
             op && (op->op == BinaryOperator::Add || op->op == BinaryOperator::Sub))
      base(*op->left);
    else if (const auto *subscript = dynCast<Subscript>(&expr))
      base(*subscript->value);
  }

  std::vector<std::pair<std::string_view, const Expr *>> m_assignments;
  std::unordered_set<std::string_view> m_pointers;
};

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return name.starts_with(p); });
}

bool isPointerName(std::string_view name) {
  return name.ends_with("_ptr") || name.ends_with("_ptrs") || name.ends_with("_pointer") ||
         name.ends_with("Ptr") || name == "ptr";
}

bool isRealName(std::string_view name) {
  return startsWithAny(name, {"eps", "alpha", "beta", "scale", "sm_scale", "softmax_scale", "lr", "dropout",
                              "p_drop"}) ||
         name.ends_with("_scale") || name == "p";
}

bool containsAny(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view p) { return name.find(p) != std::string_view::npos; });
}

/// Pointers to places and counts rather than to values.
bool isIndexName(std::string_view name) {
  return containsAny(name, {"index", "indices", "idx", "_ids", "offsets", "seqlen", "lengths", "table"});
}

/// A constexpr parameter without a default: tiles are 64 wide, flags are off.
Value guessConstant(std::string_view name) {
  if (startsWithAny(name, {"IS_", "HAS_", "USE_", "is_", "has_", "use_"}))
    return false;
  if (startsWithAny(name, {"GROUP", "group"}))
    return 8;
  if (containsAny(name, {"dtype", "DTYPE"}))
    return makeSymbol("triton.language.float32");
  if (containsAny(name, {"PRECISION", "precision"}))
    return "tf32";
  if (containsAny(name, {"ACTIVATION", "activation"}))
    return "";
  return 64;
}

ArgumentSpec scalarOf(ElementType element) { return {ArgumentSpec::Kind::Scalar, element, false, {}}; }

ArgumentSpec guess(const FunctionObject &kernel, size_t index, const Arg &arg, PointerUse &uses) {
  auto known = kernel.defaults.find(std::string(arg.name));
  const Value *given = known == kernel.defaults.end() ? nullptr : &known->second;
  if (isConstexprParameter(kernel, index) || (given && given->isNone()))
    return {ArgumentSpec::Kind::Constant, {}, false, given ? *given : guessConstant(arg.name)};
  if (given && given->asFloat())
    return scalarOf(ElementType::Float32);
  if (given && given->asBool())
    return scalarOf(ElementType::Bool);
  if (isPointerName(arg.name) || uses.contains(arg.name))
    return {ArgumentSpec::Kind::Pointer,
            isIndexName(arg.name) ? ElementType::Int64 : ElementType::Float32,
            true,
            {}};
  return scalarOf(isRealName(arg.name) ? ElementType::Float32 : ElementType::Int32);
}

} // namespace

Specialisation inferSpecialisation(const FunctionObject &kernel) {
  Specialisation result;
  result.isLaunched = false;
  PointerUse uses(*kernel.definition);
  std::vector<const Arg *> declared = parameters(*kernel.definition);
  for (size_t i = 0; i < declared.size(); ++i)
    result.arguments.push_back(guess(kernel, i, *declared[i], uses));
  return result;
}

} // namespace tilescope::frontend
