// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a script for what it defines and not for what it does (Evaluator::declare): its functions, wherever
// they stand, with the values of the names that they use. Whatever cannot be worked out is unknown and stops
// nothing.
//
// - Statements that only do something (bare expressions, assert, raise, return, del) are passed over, but for
//   the launches in them.
// - A test that is unknown counts as true, but the names of its other side are there too.
// - The bodies of functions are entered once each, as if called: a parameter has its default, the first value
//   that pytest.mark.parametrize gives it, or is unknown; functions of the script are not called from there.
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include "compiler/Syntax/Visitor.h"

#include <algorithm>

namespace tilescope::host {

using namespace syntax;

namespace {

/// So many steps a statement at most, so that one loop does not keep the rest from being read.
constexpr uint64_t StepsOfOneStatement = 100'000;

/// Could there be a kernel in it?
bool definesFunctions(Body body) {
  for (const Stmt *statement : body) {
    bool found = statement->kind == StmtKind::FunctionDef || statement->kind == StmtKind::ClassDef;
    forEachChild(*statement, [&](const auto *child) {
      if constexpr (std::is_same_v<decltype(child), const Stmt *>)
        found = found || definesFunctions({const_cast<Stmt *const *>(&child), 1});
    });
    if (found)
      return true;
  }
  return false;
}

bool isSymbolCalled(const Value &value, std::string_view ending) {
  auto name = symbolName(value);
  return name && name->ends_with(ending);
}

/// The names of `parametrize("a, b", …)`.
std::vector<std::string> splitNames(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string_view name = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    size_t first = name.find_first_not_of(' ');
    if (first != std::string_view::npos)
      names.emplace_back(name.substr(first, name.find_last_not_of(' ') - first + 1));
  }
  return names;
}

} // namespace

void Evaluation::declare(std::shared_ptr<const Module> script, const std::string &folder,
                         const std::string &name) {
  Diagnostics ignored;
  m_diagnostics = &ignored;
  m_declaring = true;
  m_stackTop = static_cast<const char *>(__builtin_frame_address(0));
  m_folder = folder;
  m_globals->set("__name__", Value(name));
  m_globals->set("__file__", Value(script->file->path()));
  m_scopes.push_back(m_globals);
  m_modules[name] = std::make_shared<ModuleObject>(name, m_globals);
  m_modules[name]->running = true;
  m_script = script;
  runModule(std::move(script), m_globals, {});
  for (size_t i = 0; i < m_entered.size(); ++i)
    enter(m_entered[i]);
  m_raised.reset();
  m_diagnostics = nullptr;
}

void Evaluation::declare(Body body) {
  for (const Stmt *statement : body) {
    if (stopRequested())
      return;
    m_steps = 0;
    declare(*statement);
    m_raised.reset();
  }
}

void Evaluation::declare(const Stmt &statement) {
  m_at = statement.range;
  noteLaunches(statement);
  switch (statement.kind) {
  case StmtKind::FunctionDef:
    return declareFunction(cast<FunctionDef>(&statement));
  case StmtKind::ClassDef:
    return declareClass(cast<ClassDef>(&statement));
  case StmtKind::If:
    return declareIf(cast<If>(&statement));
  case StmtKind::Try:
    return declareTry(cast<Try>(&statement));
  case StmtKind::With:
    for (const WithItem &item : cast<With>(&statement).items)
      if (item.optionalVars)
        assign(*item.optionalVars, unknown());
    return declare(cast<With>(&statement).body);
  case StmtKind::For: {
    auto &loop = cast<For>(&statement);
    assign(*loop.target, firstItem(*loop.iter));
    return declare(loop.body);
  }
  case StmtKind::While:
    return declare(cast<While>(&statement).body);
  case StmtKind::Expr:
  case StmtKind::Assert:
  case StmtKind::Raise:
  case StmtKind::Return:
  case StmtKind::Delete:
  case StmtKind::Break:
  case StmtKind::Continue:
    return;
  default:
    if (execute(statement) == Flow::Raised)
      forgetNames(statement);
  }
}

/// What a statement that failed was to define is unknown.
void Evaluation::forgetNames(const Stmt &statement) {
  m_raised.reset();
  for (std::string_view name : namesBoundBy(statement))
    assignName(name, unknown());
}

Value Evaluation::firstItem(const Expr &iterable) {
  auto value = evaluate(iterable);
  auto items = value ? elementsOf(*value) : Result<std::vector<Value>>(raisedAlready());
  m_raised.reset();
  return items && !items->empty() ? items->front() : unknown();
}

/// A side that is not taken is read for its functions, without leaving its names behind.
void Evaluation::declareAside(Body body) {
  if (!definesFunctions(body))
    return;
  Frame frame = top();
  frame.scope = frame.functionScope = std::make_shared<Scope>(top().scope);
  frame.inClass = false;
  m_frames.push_back(&frame);
  declare(body);
  m_frames.pop_back();
}

void Evaluation::declareIf(const If &statement) {
  auto value = evaluate(*statement.test);
  auto truth = value ? truthOf(*value) : Result<Value>(unknown());
  m_raised.reset();
  if (!truth || isUnknown(*truth)) {
    declare(statement.orelse);
    return declare(statement.body);
  }
  bool holds = *truth->asBool();
  declareAside(holds ? statement.orelse : statement.body);
  declare(holds ? statement.body : statement.orelse);
}

/// As far as the body goes; then the first handler if something was raised, whatever its type.
void Evaluation::declareTry(const Try &statement) {
  bool failed = false;
  for (const Stmt *part : statement.body) {
    bool isSimple = part->kind == StmtKind::Import || part->kind == StmtKind::ImportFrom ||
                    part->kind == StmtKind::Assign || part->kind == StmtKind::AnnAssign;
    failed = isSimple && !failed && execute(*part) == Flow::Raised;
    if (failed)
      break;
    if (!isSimple)
      declare(*part);
  }
  m_raised.reset();
  if (failed)
    declareAside(statement.body);
  for (size_t i = 0; i < statement.handlers.size(); ++i) {
    const ExceptHandler &handler = statement.handlers[i];
    if (failed && i == 0)
      declare(handler.body);
    else
      declareAside(handler.body);
  }
  if (!failed)
    declare(statement.orelse);
  declare(statement.finalbody);
}

void Evaluation::declareClass(const ClassDef &statement) {
  auto type = std::make_shared<ClassObject>(std::string(statement.name));
  if (auto bases = evaluateItems(statement.bases))
    type->bases = std::move(*bases);
  m_raised.reset();
  Frame frame;
  frame.module = top().module;
  frame.globals = top().globals;
  frame.scope = std::make_shared<Scope>(top().scope);
  frame.functionScope = top().inClass ? top().functionScope : top().scope;
  frame.inClass = true;
  m_frames.push_back(&frame);
  declare(statement.body);
  m_frames.pop_back();
  for (const std::string &name : frame.scope->names())
    type->attributes->set(name, *frame.scope->findLocal(name));
  m_scopes.push_back(type->attributes);
  addFields(statement, *type);
  assignName(statement.name, Value(std::static_pointer_cast<Object>(type)));
}

void Evaluation::declareFunction(const FunctionDef &statement) {
  auto function = makeFunction();
  function->definition = &statement;
  for (const Parameter &parameter : parametersOf(*statement.args))
    if (const Expr *given = parameter.arg->defaultValue) {
      auto value = evaluate(*given);
      function->defaults[std::string(parameter.arg->name)] = value ? *value : unknown();
      m_raised.reset();
    }
  Value value(std::static_pointer_cast<Object>(function));
  for (size_t i = statement.decorators.size(); i-- > 0;)
    value = declareDecorated(value, *statement.decorators[i]);
  auto *result = value.as<FunctionObject>();
  if (result && result->isJit())
    m_jitFunctions.push_back(shared<FunctionObject>(value));
  else if (top().module == m_script)
    m_entered.push_back(function);
  assignName(statement.name, value);
}

/// Decorators of libraries are noted down. One of the script is called if that may make a kernel of the
/// function, and else leaves it what it is; so does an unknown one.
Value Evaluation::declareDecorated(const Value &function, const Expr &decorator) {
  auto *call = dynCast<syntax::Call>(&decorator);
  auto callee = evaluate(call ? *call->func : decorator);
  m_raised.reset();
  auto *target = function.as<FunctionObject>();
  if (!callee || !target)
    return function;
  if (callee->as<SymbolObject>()) {
    CallSite site;
    if (call && !evaluateArguments(*call, site))
      m_raised.reset();
    target->decorators.insert(
        target->decorators.begin(),
        {*callee, std::move(site.arguments.positional), std::move(site.arguments.keywords), decorator.range});
    return function;
  }
  if (target->isJit())
    return function;
  CallSite site;
  site.call = site.callee = decorator.range;
  Maybe wrapper = call ? evaluate(decorator) : callee;
  Maybe made = wrapper ? this->call(*wrapper, {function}, site) : std::nullopt;
  m_raised.reset();
  auto *kernel = made ? made->as<FunctionObject>() : nullptr;
  return kernel && kernel->isJit() ? *made : function;
}

void Evaluation::enter(const std::shared_ptr<FunctionObject> &function) {
  auto scope = std::make_shared<Scope>(function->scope);
  m_scopes.push_back(scope);
  for (const Parameter &parameter : parametersOf(*function->definition->args)) {
    auto known = function->defaults.find(std::string(parameter.arg->name));
    scope->set(parameter.arg->name, known == function->defaults.end() ? unknown() : known->second);
  }
  for (const Decorator &decorator : function->decorators)
    if (isSymbolCalled(decorator.callee, ".parametrize"))
      setFirstCase(decorator, *scope);
  Frame frame;
  frame.module = function->module;
  frame.scope = frame.functionScope = scope;
  frame.globals = m_globals;
  frame.function = function->name();
  frame.names = &namesOfFunction(*function->definition);
  m_frames.push_back(&frame);
  m_mayCallScript = false;
  declare(function->definition->body);
  m_mayCallScript = true;
  m_frames.pop_back();
}

void Evaluation::setFirstCase(const Decorator &decorator, Scope &scope) {
  if (decorator.args.size() < 2)
    return;
  std::vector<std::string> names;
  if (auto *text = decorator.args[0].asString())
    names = splitNames(*text);
  else if (auto listed = elementsOf(decorator.args[0]))
    for (const Value &name : *listed)
      if (auto *text = name.asString())
        names.push_back(*text);
  auto cases = elementsOf(decorator.args[1]);
  if (!cases || cases->empty())
    return;
  auto items = names.size() > 1 ? elementsOf(cases->front())
                                : Result<std::vector<Value>>(std::vector<Value>{cases->front()});
  for (size_t i = 0; items && i < std::min(names.size(), items->size()); ++i)
    scope.set(names[i], (*items)[i]);
}

Maybe Evaluation::callAside(const FunctionObject &around, const Value &callee, std::vector<Value> arguments) {
  Diagnostics ignored;
  m_diagnostics = &ignored;
  m_stackTop = static_cast<const char *>(__builtin_frame_address(0));
  m_steps = 0;
  Frame frame;
  frame.module = around.module;
  frame.globals = frame.scope = frame.functionScope = m_globals;
  m_frames.push_back(&frame);
  CallSite site;
  site.call = site.callee = around.definition->nameRange;
  Maybe result = call(callee, std::move(arguments), site);
  m_frames.pop_back();
  m_raised.reset();
  m_diagnostics = nullptr;
  return result && !isUnknown(*result) ? result : std::nullopt;
}

//===- Launches ------------------------------------------------------------------------------------===//

namespace {

/// Calls `found` with each `kernel[grid](…)` of a statement's own expressions.
void forEachLaunch(const auto &node, const auto &found) {
  forEachChild(node, [&](const auto *child) {
    if constexpr (std::is_same_v<decltype(child), const Expr *>) {
      auto *call = dynCast<syntax::Call>(child);
      if (call && call->func->kind == ExprKind::Subscript)
        found(*call);
      if (child->kind != ExprKind::Lambda)
        forEachLaunch(*child, found);
    }
  });
}

} // namespace

/// What a launch says of its arguments is kept, one value a parameter, unknown ones too.
void Evaluation::noteLaunches(const Stmt &statement) {
  if (statement.kind == StmtKind::FunctionDef || statement.kind == StmtKind::ClassDef)
    return;
  forEachLaunch(statement, [&](const syntax::Call &call) {
    auto kernel = evaluate(*cast<Subscript>(call.func).value);
    m_raised.reset();
    auto *function = kernel ? kernel->as<FunctionObject>() : nullptr;
    if (!function || !function->isJit())
      return;
    NotedLaunch launch{shared<FunctionObject>(*kernel), {}};
    auto value = [&](const Expr &expression) {
      auto result = evaluate(expression);
      m_raised.reset();
      return result.value_or(unknown());
    };
    auto parameters = parametersOf(*function->definition->args);
    size_t next = 0;
    for (const Expr *argument : call.args) {
      if (argument->kind == ExprKind::Starred || next == parameters.size())
        break;
      launch.arguments.emplace_back(parameters[next++].arg->name, value(*argument));
    }
    for (const Keyword &keyword : call.keywords)
      if (!keyword.name.empty())
        launch.arguments.emplace_back(keyword.name, value(*keyword.value));
    std::erase_if(launch.arguments, [](const auto &argument) { return isUnknown(argument.second); });
    m_launches.push_back(std::move(launch));
  });
}

} // namespace tilescope::host
