// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that a function binds, its parameters, and guessing what a mistyped name was meant to be.
#include "compiler/Host/EvaluatorNames.h"

#include "compiler/Support/EditDistance.h"

#include <algorithm>

namespace tilescope::host {

using namespace syntax;

namespace {

class NameCollector {
public:
  explicit NameCollector(FunctionNames &names) : m_names(names) {}

  void body(Body statements) {
    for (const Stmt *statement : statements)
      visit(*statement);
  }

  void target(const Expr *expression) {
    if (auto *name = dynCast<Name>(expression))
      m_names.locals.insert(name->id);
    else if (auto *tuple = dynCast<Tuple>(expression))
      targets(tuple->elts);
    else if (auto *list = dynCast<List>(expression))
      targets(list->elts);
    else if (auto *starred = dynCast<Starred>(expression))
      target(starred->value);
  }

  void visit(const Stmt &statement);

private:
  void targets(std::span<Expr *const> expressions) {
    for (const Expr *expression : expressions)
      target(expression);
  }

  void visitTry(const Try &statement);
  void visitImport(std::span<const Alias> aliases);

  void expression(const Expr *value) {
    bool yields = value && (value->kind == ExprKind::Yield || value->kind == ExprKind::YieldFrom);
    m_names.yields = m_names.yields || yields;
  }

  FunctionNames &m_names;
};

void NameCollector::visitImport(std::span<const Alias> aliases) {
  for (const Alias &alias : aliases)
    m_names.locals.insert(alias.asname.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.asname);
}

void NameCollector::visitTry(const Try &statement) {
  body(statement.body);
  for (const ExceptHandler &handler : statement.handlers) {
    if (!handler.name.empty())
      m_names.locals.insert(handler.name);
    body(handler.body);
  }
  body(statement.orelse);
  body(statement.finalbody);
}

void NameCollector::visit(const Stmt &statement) {
  switch (statement.kind) {
  case StmtKind::Assign:
    targets(cast<Assign>(&statement).targets);
    return expression(cast<Assign>(&statement).value);
  case StmtKind::AugAssign:
    return target(cast<AugAssign>(&statement).target);
  case StmtKind::AnnAssign:
    return target(cast<AnnAssign>(&statement).target);
  case StmtKind::Delete:
    return targets(cast<Delete>(&statement).targets);
  case StmtKind::For:
    target(cast<For>(&statement).target);
    body(cast<For>(&statement).body);
    return body(cast<For>(&statement).orelse);
  case StmtKind::While:
    body(cast<While>(&statement).body);
    return body(cast<While>(&statement).orelse);
  case StmtKind::If:
    body(cast<If>(&statement).body);
    return body(cast<If>(&statement).orelse);
  case StmtKind::With:
    for (const WithItem &item : cast<With>(&statement).items)
      target(item.optionalVars);
    return body(cast<With>(&statement).body);
  case StmtKind::Try:
    return visitTry(cast<Try>(&statement));
  case StmtKind::FunctionDef:
    m_names.locals.insert(cast<FunctionDef>(&statement).name);
    return;
  case StmtKind::ClassDef:
    m_names.locals.insert(cast<ClassDef>(&statement).name);
    return;
  case StmtKind::Import:
    return visitImport(cast<Import>(&statement).names);
  case StmtKind::ImportFrom:
    return visitImport(cast<ImportFrom>(&statement).names);
  case StmtKind::Global:
    for (auto name : cast<Global>(&statement).names)
      m_names.globals.insert(name);
    return;
  case StmtKind::Nonlocal:
    for (auto name : cast<Nonlocal>(&statement).names)
      m_names.nonlocals.insert(name);
    return;
  case StmtKind::Expr:
    return expression(cast<ExprStmt>(&statement).value);
  default:
    return;
  }
}

} // namespace

FunctionNames namesOf(const FunctionDef &function) {
  FunctionNames names;
  NameCollector(names).body(function.body);
  for (const Parameter &parameter : parametersOf(*function.args))
    names.locals.insert(parameter.arg->name);
  for (auto declared : {&names.globals, &names.nonlocals})
    for (auto name : *declared)
      names.locals.erase(name);
  return names;
}

std::unordered_set<std::string_view> namesBoundBy(const Stmt &statement) {
  FunctionNames names;
  NameCollector(names).visit(statement);
  return std::move(names.locals);
}

std::vector<Parameter> parametersOf(const Arguments &arguments) {
  std::vector<Parameter> result;
  for (const Arg &arg : arguments.posonlyargs)
    result.push_back({Parameter::Kind::PositionalOnly, &arg});
  for (const Arg &arg : arguments.args)
    result.push_back({Parameter::Kind::Normal, &arg});
  if (arguments.vararg)
    result.push_back({Parameter::Kind::Rest, arguments.vararg});
  for (const Arg &arg : arguments.kwonlyargs)
    result.push_back({Parameter::Kind::KeywordOnly, &arg});
  if (arguments.kwarg)
    result.push_back({Parameter::Kind::Keywords, arguments.kwarg});
  return result;
}

std::string nearestName(std::string_view name, const std::vector<std::string> &candidates) {
  constexpr size_t Longest = 64; // names beyond it are not mistyped but generated
  size_t best = std::max<size_t>(name.size() / 3, 1) + 1;
  std::string result;
  if (name.size() > Longest)
    return result;
  for (const std::string &candidate : candidates) {
    if (candidate == name || candidate.size() > Longest)
      continue;
    size_t distance = editDistance(name, candidate);
    if (distance < best && distance < name.size()) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

} // namespace tilescope::host
