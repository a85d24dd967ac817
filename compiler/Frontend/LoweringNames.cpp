// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names: variables, globals, Python's own.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

namespace {

/// Python's own names that mean something in a kernel.
constexpr std::string_view builtinNames[] = {"range", "len",   "min",   "max",  "float", "int",
                                             "bool",  "print", "tuple", "list", "str",   "isinstance"};

bool isBuiltin(std::string_view name) { return llvm::is_contained(builtinNames, name); }

const Stmt *definitionOf(const Module &module, std::string_view name) {
  auto isName = [&](const Expr *target) {
    const auto *n = dynCast<Name>(target);
    return n && n->id == name;
  };
  for (const Stmt *stmt : module.body) {
    if (const auto *plain = dynCast<Assign>(stmt); plain && llvm::any_of(plain->targets, isName))
      return stmt;
    if (const auto *annotated = dynCast<AnnAssign>(stmt); annotated && isName(annotated->target))
      return stmt;
  }
  return nullptr;
}

bool callsConstexpr(const Expr *value) {
  const auto *call = dynCast<Call>(value);
  if (!call)
    return false;
  const auto *attribute = dynCast<Attribute>(call->func);
  const auto *name = dynCast<Name>(call->func);
  return (attribute && attribute->attr == "constexpr") || (name && name->id == "constexpr");
}

/// A plain global of a kind that Triton refuses to read from a kernel: a number, text or tuple.
bool isPlainData(const Value &value) {
  return value.asBool() || value.asInt() || value.asFloat() || value.asString() || value.as<TupleObject>() ||
         value.as<ListObject>();
}

} // namespace

Term Lowering::lowerName(const Name &expr) {
  const Binding *binding = frame().names.find(expr.id);
  if (!binding)
    return lowerGlobal(expr);
  if (binding->state == Binding::State::Bound || frame().isPrelude)
    return binding->term;
  bool oneBranch = binding->state == Binding::State::OneBranch;
  Diagnostic &error = m_emitter.error(
      expr.range, oneBranch ? "defined-in-one-branch" : "defined-in-loop-only", {std::string(expr.id)});
  error.notes.insert(error.notes.begin(),
                     {"assigned-here", {std::string(expr.id)}, m_emitter.span(binding->assigned)});
  return {};
}

Term Lowering::lowerGlobal(const Name &expr) {
  const FunctionObject &function = *frame().function;
  const Value *value = function.scope ? function.scope->find(expr.id) : nullptr;
  if (!value)
    return isBuiltin(expr.id) ? Term(makeSymbol("builtins." + std::string(expr.id))) : undefinedName(expr);
  if (value->object() && value->object()->kind() == ObjectKind::Host && isBuiltin(expr.id))
    return makeSymbol("builtins." + std::string(expr.id));
  if (isPlainData(*value)) {
    const auto *plain = dynCast<Assign>(definitionOf(*function.module, expr.id));
    if (plain && !callsConstexpr(plain->value)) {
      Diagnostic &error = m_emitter.error(expr.range, "global-not-constexpr", {std::string(expr.id)});
      std::string text(file().text(plain->value->range));
      error.fix = DiagnosticFix{
          "wrap-constexpr", {std::string(expr.id)}, plain->value->range, "tl.constexpr(" + text + ")"};
      return makeTerm(m_emitter.context(), *value);
    }
  }
  return makeTerm(m_emitter.context(), *value);
}

Term Lowering::undefinedName(const Name &expr) {
  std::vector<std::string_view> candidates(std::begin(builtinNames), std::end(builtinNames));
  for (const auto &[name, binding] : frame().names.all())
    candidates.push_back(name);
  for (Scope *scope = frame().function->scope.get(); scope; scope = scope->parent().get())
    for (const std::string &name : scope->names())
      candidates.push_back(name);
  Diagnostic &error = m_emitter.error(expr.range, "undefined-name", {std::string(expr.id)});
  std::string_view near = nearest(expr.id, candidates);
  std::string replacement(near);
  if (near.empty() && llvm::is_contained(languageNames(), expr.id))
    replacement = "tl." + std::string(expr.id);
  if (!replacement.empty())
    error.fix = DiagnosticFix{"replace-name", {replacement}, expr.range, replacement};
  if (!frame().names.find(expr.id)) // said once, not at every use
    frame().names.set(expr.id, {Term(), expr.range});
  return {};
}

} // namespace tilescope::frontend
