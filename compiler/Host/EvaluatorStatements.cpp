// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements.
#include "compiler/Host/EvaluatorRun.h"

namespace tilescope::host {

using namespace syntax;

Flow Evaluation::execute(Body body) {
  for (const Stmt *statement : body)
    if (Flow flow = execute(*statement); flow != Flow::Next)
      return flow;
  return Flow::Next;
}

Flow Evaluation::execute(const Stmt &statement) {
  m_at = statement.range;
  if (!step())
    return Flow::Raised;
  switch (statement.kind) {
  case StmtKind::If:
    return executeIf(cast<If>(&statement));
  case StmtKind::While:
    return executeWhile(cast<While>(&statement));
  case StmtKind::For:
    return executeFor(cast<For>(&statement));
  case StmtKind::FunctionDef:
    return executeFunction(cast<FunctionDef>(&statement));
  case StmtKind::ClassDef:
    return executeClass(cast<ClassDef>(&statement));
  case StmtKind::Return:
    return executeReturn(cast<Return>(&statement));
  case StmtKind::Assert:
    return executeAssert(cast<Assert>(&statement));
  case StmtKind::Raise:
    return executeRaise(cast<Raise>(&statement));
  case StmtKind::Try:
    return executeTry(cast<Try>(&statement));
  case StmtKind::With:
    return executeWith(cast<With>(&statement));
  case StmtKind::Import:
    return executeImport(cast<Import>(&statement));
  case StmtKind::ImportFrom:
    return executeImportFrom(cast<ImportFrom>(&statement));
  case StmtKind::Break:
    return Flow::Break;
  case StmtKind::Continue:
    return Flow::Continue;
  default:
    return executeSimple(statement);
  }
}

namespace {
Flow nextIf(bool fine) { return fine ? Flow::Next : Flow::Raised; }
} // namespace

Flow Evaluation::executeSimple(const Stmt &statement) {
  switch (statement.kind) {
  case StmtKind::Expr:
    return nextIf(evaluate(*cast<ExprStmt>(&statement).value).has_value());
  case StmtKind::Assign: {
    auto value = evaluate(*cast<Assign>(&statement).value);
    for (const Expr *target : cast<Assign>(&statement).targets)
      if (!value || !assign(*target, *value))
        return Flow::Raised;
    return Flow::Next;
  }
  case StmtKind::AugAssign:
    return nextIf(augment(cast<AugAssign>(&statement)));
  case StmtKind::AnnAssign: {
    auto &annotated = cast<AnnAssign>(&statement);
    if (!annotated.value)
      return Flow::Next;
    auto value = evaluate(*annotated.value);
    return nextIf(value && assign(*annotated.target, *value));
  }
  case StmtKind::Delete:
    for (const Expr *target : cast<Delete>(&statement).targets)
      if (!remove(*target))
        return Flow::Raised;
    return Flow::Next;
  case StmtKind::Pass:
  case StmtKind::Global:
  case StmtKind::Nonlocal:
  case StmtKind::TypeAlias:
    return Flow::Next;
  case StmtKind::Match:
    raiseUnsupported({statement.range.begin, statement.range.begin + 5}, "match");
    return Flow::Raised;
  default: // a mistake of syntax, which has been reported
    raiseQuietly(true);
    return Flow::Raised;
  }
}

std::optional<bool> Evaluation::decided(SourceRange range, const Value &value) {
  auto truth = placed(range, truthOf(value));
  if (!truth)
    return std::nullopt;
  if (isUnknown(*truth))
    return m_declaring ? std::optional(true) : raiseQuietly(false);
  return *truth->asBool();
}

std::optional<bool> Evaluation::condition(const Expr &test) {
  auto value = evaluate(test);
  return value ? decided(test.range, *value) : std::nullopt;
}

Flow Evaluation::executeIf(const If &statement) {
  auto holds = condition(*statement.test);
  if (!holds)
    return Flow::Raised;
  return execute(*holds ? statement.body : statement.orelse);
}

Flow Evaluation::executeWhile(const While &statement) {
  while (true) {
    m_at = statement.test->range;
    auto holds = step() ? condition(*statement.test) : std::nullopt;
    if (!holds)
      return Flow::Raised;
    if (!*holds)
      return execute(statement.orelse);
    Flow flow = execute(statement.body);
    if (flow == Flow::Break)
      return Flow::Next;
    if (flow != Flow::Next && flow != Flow::Continue)
      return flow;
  }
}

Flow Evaluation::executeFor(const For &statement) {
  if (statement.isAsync) {
    raiseUnsupported(statement.range, "async for");
    return Flow::Raised;
  }
  auto iterable = evaluate(*statement.iter);
  if (!iterable)
    return Flow::Raised;
  auto visit = [&](const Value &item) {
    return assign(*statement.target, item) ? execute(statement.body) : Flow::Raised;
  };
  Flow flow = forEach(statement.iter->range, *iterable, visit);
  if (flow == Flow::Break)
    return Flow::Next;
  return flow == Flow::Next ? execute(statement.orelse) : flow;
}

namespace {

/// Walks a KeyTable by position, so that a body which adds keys is noticed and does no harm.
Flow forKeys(const KeyTable &table, const std::function<Flow(const Value &)> &visit, bool &changed) {
  uint64_t before = table.changes();
  for (size_t i = 0; i < table.size(); ++i) {
    Value key = table.entries()[i].key;
    Flow flow = visit(key);
    if (flow != Flow::Next && flow != Flow::Continue)
      return flow;
    if ((changed = table.changes() != before))
      return Flow::Raised;
  }
  return Flow::Next;
}

} // namespace

Flow Evaluation::forEach(SourceRange range, const Value &iterable,
                         const std::function<Flow(const Value &)> &visit) {
  auto visited = [&](const Value &item) {
    Flow flow = step() ? visit(item) : Flow::Raised;
    return flow == Flow::Continue ? Flow::Next : flow;
  };
  auto all = [&](auto size, auto item) {
    for (size_t i = 0; i < static_cast<size_t>(size()); ++i)
      if (Flow flow = visited(item(i)); flow != Flow::Next)
        return flow;
    return Flow::Next;
  };
  // A list may grow or shrink under the loop, as in Python.
  if (auto *list = iterable.as<ListObject>())
    return all([=] { return list->items.size(); }, [=](size_t i) { return Value(list->items[i]); });
  if (auto *span = iterable.as<RangeObject>())
    return all([=] { return span->length(); },
               [=](size_t i) { return Value(span->start + int64_t(i) * span->step); });
  auto *dict = iterable.as<DictObject>();
  auto *set = iterable.as<SetObject>();
  if (dict || set) {
    bool changed = false;
    Flow flow = forKeys(dict ? dict->table : set->table, visited, changed);
    if (changed)
      raise(range, {"changed-while-iterating", {std::string(iterable.typeName())}});
    return flow;
  }
  if (auto *iterator = iterable.as<IteratorObject>()) {
    while (iterator->next < iterator->items.size()) {
      Value item = iterator->items[iterator->next++];
      if (Flow flow = visited(item); flow != Flow::Next)
        return flow;
    }
    return Flow::Next;
  }
  if (isUnknown(iterable)) {
    raiseQuietly(false);
    return Flow::Raised;
  }
  auto items = elementsOf(iterable);
  if (!items) {
    raise(range, items.error());
    return Flow::Raised;
  }
  return all([&] { return items->size(); }, [&](size_t i) { return (*items)[i]; });
}

Flow Evaluation::executeReturn(const Return &statement) {
  Maybe value = statement.value ? evaluate(*statement.value) : Maybe(Value());
  if (!value)
    return Flow::Raised;
  top().result = std::move(*value);
  return Flow::Return;
}

Flow Evaluation::executeAssert(const Assert &statement) {
  auto value = evaluate(*statement.test);
  auto truth = value ? placed(statement.test->range, truthOf(*value)) : std::nullopt;
  if (!truth)
    return Flow::Raised;
  if (isUnknown(*truth) || *truth->asBool())
    return Flow::Next;
  if (!statement.msg) {
    raise(statement.test->range, {"assertion-failed", {}},
          makeObject<ExceptionObject>("AssertionError", std::vector<Value>{}));
    return Flow::Raised;
  }
  auto message = evaluate(*statement.msg);
  auto text = message ? strOf(*message) : Result<std::string>(raisedAlready());
  if (!text)
    return raise(statement.msg->range, text.error()), Flow::Raised;
  raise(statement.test->range, {"assertion-failed-saying", {*text}},
        makeObject<ExceptionObject>("AssertionError", std::vector<Value>{*message}));
  return Flow::Raised;
}

bool Evaluation::evaluateDefaults(const Arguments &arguments, FunctionObject &function) {
  for (const Parameter &parameter : parametersOf(arguments)) {
    if (!parameter.arg->defaultValue)
      continue;
    auto value = evaluate(*parameter.arg->defaultValue);
    if (!value)
      return false;
    function.defaults[std::string(parameter.arg->name)] = std::move(*value);
  }
  return true;
}

Flow Evaluation::executeFunction(const FunctionDef &statement) {
  auto function = makeFunction();
  function->definition = &statement;
  if (!evaluateDefaults(*statement.args, *function))
    return Flow::Raised;
  Value value(std::shared_ptr<Object>(std::move(function)));
  for (size_t i = statement.decorators.size(); i-- > 0;) {
    auto result = decorated(value, *statement.decorators[i]);
    if (!result)
      return Flow::Raised;
    value = std::move(*result);
  }
  if (auto *kernel = value.as<FunctionObject>(); m_declaring && kernel && kernel->isJit())
    m_jitFunctions.push_back(shared<FunctionObject>(value));
  assignName(statement.name, value);
  return Flow::Next;
}

/// A decorator of the script is called; one of a library is noted down on the function, which stays what it
/// is.
Maybe Evaluation::decorated(Value function, const Expr &decorator) {
  auto *call = dynCast<syntax::Call>(&decorator);
  auto callee = evaluate(call ? *call->func : decorator);
  if (!callee)
    return std::nullopt;
  CallSite site;
  site.call = site.callee = decorator.range;
  if (!callee->as<SymbolObject>()) {
    Maybe wrapper = call ? evaluate(decorator) : callee;
    if (!wrapper)
      return std::nullopt;
    if (!wrapper->as<SymbolObject>() && !isUnknown(*wrapper))
      return this->call(*wrapper, {std::move(function)}, site);
    return function;
  }
  if (call && !evaluateArguments(*call, site))
    return std::nullopt;
  if (auto *target = function.as<FunctionObject>()) {
    Decorator row{*callee, std::move(site.arguments.positional), std::move(site.arguments.keywords),
                  decorator.range};
    target->decorators.insert(target->decorators.begin(), std::move(row));
  }
  return function;
}

} // namespace tilescope::host
