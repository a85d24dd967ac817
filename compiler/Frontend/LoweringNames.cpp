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
constexpr std::string_view builtinNames[] = {"range", "len",  "min",        "max",     "float",  "int",
                                             "print", "list", "isinstance", "getattr", "hasattr"};

/// Python's own names that Triton does not know, and what to write in their place.
struct PythonName {
  std::string_view name, instead;
  bool isName = false; ///< so that the one can take the other's place
};
constexpr PythonName pythonNames[] = {
    {"abs", "tl.abs", true},
    {"sum", "tl.sum", true},
    {"tuple", "tl.tuple", true},
    {"sorted", "tl.sort", true},
    {"bool", "x != 0"},
    {"str", "f\"{x}\""},
    {"enumerate", "for i in tl.static_range(len(xs))"},
    {"zip", "for i in tl.static_range(len(xs))"},
    {"reversed", "xs[::-1]"},
    {"map", "[f(x) for x in xs]"},
    {"filter", "[x for x in xs if f(x)]"},
    {"round", "tl.floor(x + 0.5)"},
    {"pow", "tl.extra.libdevice.pow"},
    {"divmod", "x // y, x % y"},
    {"type", "x.dtype"},
    {"any", "tl.max"},
    {"all", "tl.min"},
    {"dict", "tl.tuple"},
    {"set", "tl.tuple"},
};

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

std::string textOf(const SourceFile &file, const Expr &expr) { return std::string(file.text(expr.range)); }

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
  if (binding->state == Binding::State::Reset) {
    Binding known = *binding;
    known.state = Binding::State::Bound;
    Diagnostic &warning =
        m_emitter.warning(expr.range, "reset-after-branch", {std::string(expr.id), describe(known.term)});
    warning.notes.insert(warning.notes.begin(),
                         {"assigned-here", {std::string(expr.id)}, m_emitter.span(known.assigned)});
    frame().names.set(expr.id, known); // said once
    return known.term;
  }
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
  const Value *library = value || !function.scope ? nullptr : function.scope->find("*"); // from … import *
  if (auto name = library ? symbolName(*library) : std::nullopt;
      name && name->starts_with("triton.language") && llvm::is_contained(languageNames(), expr.id))
    return makeTerm(m_emitter.context(), makeSymbol("triton.language." + std::string(expr.id)));
  if (!value)
    return isBuiltin(expr.id) ? Term(makeSymbol("builtins." + std::string(expr.id))) : undefinedName(expr);
  if (value->object() && value->object()->kind() == ObjectKind::Host && isBuiltin(expr.id))
    return makeSymbol("builtins." + std::string(expr.id));
  if (isPlainData(*value))
    checkGlobal(expr, *function.module);
  return makeTerm(m_emitter.context(), *value);
}

/// Triton reads globals only if they are made by tl.constexpr(…).
void Lowering::checkGlobal(const Name &expr, const Module &module) {
  const Stmt *definition = definitionOf(module, expr.id);
  std::string name(expr.id);
  if (const auto *plain = dynCast<Assign>(definition); plain && !callsConstexpr(plain->value)) {
    Diagnostic &error = m_emitter.error(expr.range, "global-not-constexpr", {name});
    error.fix = DiagnosticFix{
        "wrap-constexpr", {name}, plain->value->range, "tl.constexpr(" + textOf(file(), *plain->value) + ")"};
  }
  const auto *annotated = dynCast<AnnAssign>(definition);
  if (!annotated || !annotated->value || callsConstexpr(annotated->value))
    return;
  Diagnostic &warning = m_emitter.warning(expr.range, "global-annotated-constexpr", {name});
  warning.fix = DiagnosticFix{"wrap-constexpr",
                              {name},
                              annotated->annotation->range.to(annotated->value->range),
                              textOf(file(), *annotated->annotation) + " = tl.constexpr(" +
                                  textOf(file(), *annotated->value) + ")"};
}

Term Lowering::undefinedName(const Name &expr) {
  if (const auto *row = llvm::find_if(pythonNames, [&](const PythonName &p) { return p.name == expr.id; });
      row != std::end(pythonNames)) {
    std::string instead(row->instead);
    Diagnostic &error = m_emitter.error(expr.range, "python-name", {std::string(expr.id), instead});
    if (row->isName)
      error.fix = DiagnosticFix{"replace-name", {instead}, expr.range, instead};
    return {};
  }
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
