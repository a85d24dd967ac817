// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Names.h"

#include <set>

namespace tilescope::service {

using namespace syntax;

namespace {

/// The bodies of a statement, in the order of the source.
std::vector<Body> bodiesOf(const Stmt &statement) {
  if (auto *function = dynCast<FunctionDef>(&statement))
    return {function->body};
  if (auto *cls = dynCast<ClassDef>(&statement))
    return {cls->body};
  if (auto *loop = dynCast<For>(&statement))
    return {loop->body, loop->orelse};
  if (auto *loop = dynCast<While>(&statement))
    return {loop->body, loop->orelse};
  if (auto *choice = dynCast<If>(&statement))
    return {choice->body, choice->orelse};
  if (auto *with = dynCast<With>(&statement))
    return {with->body};
  std::vector<Body> bodies;
  if (auto *match = dynCast<Match>(&statement))
    for (const MatchCase &branch : match->cases)
      bodies.push_back(branch.body);
  if (auto *attempt = dynCast<Try>(&statement)) {
    bodies.push_back(attempt->body);
    for (const ExceptHandler &handler : attempt->handlers)
      bodies.push_back(handler.body);
    bodies.push_back(attempt->orelse);
    bodies.push_back(attempt->finalbody);
  }
  return bodies;
}

/// Without recursion: a chain of `elif` nests as deep as it is long.
template <typename Action> void walk(Body body, bool intoDefinitions, Action action) {
  std::vector<const Stmt *> left(body.rbegin(), body.rend());
  while (!left.empty()) {
    const Stmt *statement = left.back();
    left.pop_back();
    action(*statement);
    if (!intoDefinitions &&
        (statement->kind == StmtKind::FunctionDef || statement->kind == StmtKind::ClassDef))
      continue;
    const std::vector<Body> bodies = bodiesOf(*statement);
    for (auto inner = bodies.rbegin(); inner != bodies.rend(); ++inner)
      left.insert(left.end(), inner->rbegin(), inner->rend());
  }
}

/// Gathers names, each once, in the order in which they are met.
class NameCollector {
public:
  void add(std::string_view name, NameKind kind) {
    if (!name.empty() && m_seen.emplace(name).second)
      m_names.push_back({std::string(name), kind});
  }
  void addTarget(const Expr *target) {
    if (auto *name = dynCast<Name>(target))
      add(name->id, NameKind::Variable);
    else if (auto *tuple = dynCast<Tuple>(target))
      addTargets(tuple->elts);
    else if (auto *list = dynCast<List>(target))
      addTargets(list->elts);
    else if (auto *starred = dynCast<Starred>(target))
      addTarget(starred->value);
  }
  void addTargets(std::span<Expr *const> targets) {
    for (const Expr *target : targets)
      addTarget(target);
  }
  void addParameters(const Arguments &arguments) {
    for (std::span<const Arg> group : {arguments.posonlyargs, arguments.args, arguments.kwonlyargs})
      for (const Arg &arg : group)
        add(arg.name, NameKind::Variable);
    for (const Arg *arg : {arguments.vararg, arguments.kwarg})
      if (arg)
        add(arg->name, NameKind::Variable);
  }
  /// What the statements of a body define, not entering functions and classes.
  void addBody(Body body) {
    walk(body, false, [this](const Stmt &statement) { addStatement(statement); });
  }
  std::vector<DefinedName> take() { return std::move(m_names); }

private:
  void addImports(std::span<const Alias> names) {
    for (const Alias &alias : names)
      add(alias.asname.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.asname, NameKind::Module);
  }
  void addStatement(const Stmt &statement) {
    if (auto *function = dynCast<FunctionDef>(&statement))
      add(function->name, NameKind::Function);
    else if (auto *cls = dynCast<ClassDef>(&statement))
      add(cls->name, NameKind::Class);
    else if (auto *assign = dynCast<Assign>(&statement))
      addTargets(assign->targets);
    else if (auto *augmented = dynCast<AugAssign>(&statement))
      addTarget(augmented->target);
    else if (auto *annotated = dynCast<AnnAssign>(&statement))
      addTarget(annotated->target);
    else if (auto *loop = dynCast<For>(&statement))
      addTarget(loop->target);
    else if (auto *with = dynCast<With>(&statement))
      for (const WithItem &item : with->items)
        addTarget(item.optionalVars);
    else if (auto *import = dynCast<Import>(&statement))
      addImports(import->names);
    else if (auto *from = dynCast<ImportFrom>(&statement))
      addImports(from->names);
  }

  std::set<std::string, std::less<>> m_seen;
  std::vector<DefinedName> m_names;
};

bool isWordByte(unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; }

} // namespace

void forEachStatement(Body body, const std::function<void(const Stmt &)> &action) {
  walk(body, true, action);
}

std::map<std::string, std::string, std::less<>> importedNames(const Module &module) {
  std::map<std::string, std::string, std::less<>> names;
  forEachStatement(module.body, [&](const Stmt &statement) {
    if (auto *import = dynCast<Import>(&statement))
      for (const Alias &alias : import->names) {
        const std::string_view first = alias.name.substr(0, alias.name.find('.'));
        names.emplace(alias.asname.empty() ? first : alias.asname, alias.asname.empty() ? first : alias.name);
      }
    if (auto *from = dynCast<ImportFrom>(&statement); from && from->level == 0)
      for (const Alias &alias : from->names)
        names.emplace(alias.asname.empty() ? alias.name : alias.asname,
                      std::string(from->module) + "." + std::string(alias.name));
  });
  return names;
}

std::optional<std::string> fullName(const std::map<std::string, std::string, std::less<>> &imported,
                                    std::string_view dotted) {
  const size_t dot = std::min(dotted.find('.'), dotted.size());
  auto found = imported.find(dotted.substr(0, dot));
  if (found == imported.end())
    return std::nullopt;
  return found->second + std::string(dotted.substr(dot));
}

std::vector<DefinedName> namesAt(const Module &module, uint32_t offset) {
  std::vector<const FunctionDef *> around;
  forEachStatement(module.body, [&](const Stmt &statement) {
    auto *function = dynCast<FunctionDef>(&statement);
    if (function && function->range.begin <= offset && offset <= function->range.end)
      around.push_back(function);
  });
  NameCollector names;
  for (auto function = around.rbegin(); function != around.rend(); ++function) {
    names.addParameters(*(*function)->args);
    names.addBody((*function)->body);
  }
  names.addBody(module.body);
  return names.take();
}

std::vector<Assignment> assignments(const Module &module) {
  std::vector<Assignment> found;
  auto add = [&](const Stmt &statement, const Expr *target, const Expr *value) {
    if (value && target->kind == ExprKind::Name)
      found.push_back({statement.range, target->range, value->range});
  };
  forEachStatement(module.body, [&](const Stmt &statement) {
    if (auto *assign = dynCast<Assign>(&statement))
      for (const Expr *target : assign->targets)
        add(statement, target, assign->value);
    if (auto *augmented = dynCast<AugAssign>(&statement))
      add(statement, augmented->target, augmented->value);
    if (auto *annotated = dynCast<AnnAssign>(&statement))
      add(statement, annotated->target, annotated->value);
  });
  return found;
}

std::optional<DottedName> dottedNameAt(std::string_view text, uint32_t offset) {
  size_t end = std::min<size_t>(offset, text.size()), wordBegin = end;
  while (end < text.size() && isWordByte(text[end]))
    ++end;
  while (wordBegin > 0 && isWordByte(text[wordBegin - 1]))
    --wordBegin;
  if (wordBegin == end)
    return std::nullopt;
  size_t begin = wordBegin;
  while (begin > 0 && (isWordByte(text[begin - 1]) || text[begin - 1] == '.'))
    --begin;
  return DottedName{std::string(text.substr(begin, end - begin)),
                    {static_cast<uint32_t>(wordBegin), static_cast<uint32_t>(end)}};
}

} // namespace tilescope::service
