// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// import: `.py` files below the script's folder are run; every other name is a symbol of a library.
#include "compiler/Host/EvaluatorRun.h"

#include "compiler/Syntax/Parser.h"

#include <algorithm>

namespace tilescope::host {

using namespace syntax;

namespace {

std::string_view rootOf(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

std::string parentOf(const std::string &dotted) {
  size_t dot = dotted.rfind('.');
  return dot == std::string::npos ? std::string() : dotted.substr(0, dot);
}

std::string joinedName(const std::string &base, std::string_view name) {
  return base.empty() ? std::string(name) : name.empty() ? base : base + "." + std::string(name);
}

/// These are always the libraries, whatever lies in the folder.
bool isKnownLibrary(std::string_view root) { return root == "torch" || root == "triton"; }

} // namespace

Flow Evaluation::runModule(std::shared_ptr<const Module> tree, const std::shared_ptr<Scope> &scope,
                           SourceSpan from) {
  Frame frame;
  frame.module = std::move(tree);
  frame.globals = frame.scope = frame.functionScope = scope;
  frame.calledFrom = std::move(from);
  m_frames.push_back(&frame);
  Flow flow = Flow::Next;
  if (m_declaring)
    declare(frame.module->body);
  else
    flow = execute(frame.module->body);
  m_frames.pop_back();
  return flow;
}

std::optional<Evaluation::ModulePtr> Evaluation::load(const std::string &dotted, SourceFilePtr file,
                                                      SourceRange range) {
  Diagnostics mistakes;
  auto tree = parse(file, mistakes);
  for (const Diagnostic &mistake : mistakes.all())
    m_diagnostics->add(mistake);
  if (mistakes.hasErrors())
    return raiseQuietly(true);
  auto module = std::make_shared<ModuleObject>(dotted, std::make_shared<Scope>());
  m_modules[dotted] = module;
  m_scopes.push_back(module->scope);
  module->scope->set("__name__", Value(dotted));
  module->scope->set("__file__", Value(file->path()));
  module->running = true;
  Flow flow =
      mayCall(range) ? runModule(std::move(tree), module->scope, top().module->span(range)) : Flow::Raised;
  module->running = false;
  if (flow == Flow::Raised)
    return std::nullopt;
  return module;
}

std::optional<Evaluation::ModulePtr> Evaluation::localModule(const std::string &dotted, SourceRange range) {
  if (auto found = m_modules.find(dotted); found != m_modules.end())
    return found->second;
  if (!m_options.source || isKnownLibrary(rootOf(dotted)))
    return ModulePtr();
  std::string path = m_folder + dotted;
  std::replace(path.begin() + static_cast<std::ptrdiff_t>(m_folder.size()), path.end(), '.', '/');
  for (const char *ending : {".py", "/__init__.py"})
    if (auto file = m_options.source(path + ending))
      return load(dotted, std::move(file), range);
  return ModulePtr();
}

/// Runs the packages around a module first, as Python does, and makes it an attribute of the nearest. A
/// folder without __init__.py is a package with nothing in it.
std::optional<Evaluation::ModulePtr> Evaluation::localModuleWithParents(const std::string &dotted,
                                                                        SourceRange range) {
  std::string parentName = parentOf(dotted);
  auto parent = parentName.empty() ? std::optional(ModulePtr()) : localModuleWithParents(parentName, range);
  auto module = parent ? localModule(dotted, range) : std::nullopt;
  if (!module || !*module || parentName.empty())
    return module;
  if (!*parent) {
    parent = std::make_shared<ModuleObject>(parentName, std::make_shared<Scope>());
    m_modules[parentName] = *parent;
    m_scopes.push_back((*parent)->scope);
  }
  (*parent)->scope->set(dotted.substr(parentName.size() + 1),
                        Value(std::static_pointer_cast<Object>(*module)));
  return module;
}

Flow Evaluation::executeImport(const Import &statement) {
  for (const Alias &alias : statement.names) {
    std::string dotted(alias.name);
    auto module = localModuleWithParents(dotted, alias.range);
    if (!module)
      return Flow::Raised;
    std::string bound(alias.asname.empty() ? std::string(rootOf(dotted)) : dotted);
    std::string_view name = alias.asname.empty() ? rootOf(alias.name) : alias.asname;
    auto local = m_modules.find(bound);
    assignName(name, *module && local != m_modules.end()
                         ? Value(std::static_pointer_cast<Object>(local->second))
                         : makeSymbol(bound));
  }
  return Flow::Next;
}

/// `from ..a import b` in the package p.q means p.a. Nothing if there are more dots than packages (raised).
std::optional<std::string> Evaluation::absoluteName(const ImportFrom &statement) {
  if (statement.level == 0)
    return std::string(statement.module);
  std::string name = *top().globals->findLocal("__name__")->asString();
  bool isPackage = top().module->file->path().ends_with("/__init__.py");
  std::string base = name == "__main__" ? "" : isPackage ? name : parentOf(name);
  for (uint32_t level = 1; level < statement.level; ++level) {
    if (base.empty() && m_declaring)
      break;
    if (base.empty())
      return raise(statement.range, {"import-outside", {std::string(statement.module)}});
    base = parentOf(base);
  }
  return joinedName(base, statement.module);
}

bool Evaluation::importFrom(const Alias &alias, ModuleObject &module, const std::string &base) {
  if (alias.name == "*") {
    std::vector<std::string> names = module.scope->names();
    for (const std::string &name : names)
      if (!name.starts_with('_'))
        assignName(name, *module.scope->findLocal(name));
    return true;
  }
  std::string_view target = alias.asname.empty() ? alias.name : alias.asname;
  if (auto *value = module.scope->findLocal(alias.name)) {
    assignName(target, Value(*value));
    return true;
  }
  std::string innerName = joinedName(base, alias.name);
  auto inner =
      m_declaring ? localModule(innerName, alias.range) : localModuleWithParents(innerName, alias.range);
  if (!inner)
    return false;
  if (*inner) {
    assignName(target, Value(std::static_pointer_cast<Object>(*inner)));
    return true;
  }
  if (m_declaring) {
    assignName(target, makeSymbol(joinedName(base, alias.name)));
    return true;
  }
  raise(alias.range,
        {module.running ? "import-cycle" : "no-name-in-module", {module.name, std::string(alias.name)}});
  SourceRange name{alias.range.begin, alias.range.begin + static_cast<uint32_t>(alias.name.size())};
  suggest(alias.name, module.scope->names(), name);
  return false;
}

Flow Evaluation::executeImportFrom(const ImportFrom &statement) {
  auto base = absoluteName(statement);
  auto module = !base           ? std::nullopt
                : base->empty() ? std::optional(std::make_shared<ModuleObject>("", std::make_shared<Scope>()))
                : m_declaring   ? localModule(*base, statement.range)
                                : localModuleWithParents(*base, statement.range);
  if (!module)
    return Flow::Raised;
  if (!*module && statement.level > 0 && !m_declaring) {
    raise(statement.range, {"import-not-found", {*base}});
    return Flow::Raised;
  }
  for (const Alias &alias : statement.names) {
    if (*module) {
      if (!importFrom(alias, **module, *base))
        return Flow::Raised;
      continue;
    }
    auto value = placed(alias.range, attributeOf(makeSymbol(*base), alias.name));
    bool all = alias.name == "*";
    if (all)
      top().globals->set(StarImport, makeSymbol(*base));
    else if (value)
      assignName(alias.asname.empty() ? alias.name : alias.asname, *value);
  }
  return Flow::Next;
}

} // namespace tilescope::host
