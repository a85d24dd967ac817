// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: arguments, who is called, and binding arguments to the parameters of a function of the script.
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include <algorithm>

namespace tilescope::host {

using namespace syntax;

Maybe Evaluation::evaluateCall(const syntax::Call &expression) {
  auto callee = evaluate(*expression.func);
  CallSite site;
  site.call = expression.range;
  site.callee = expression.func->range;
  if (!callee || !evaluateArguments(expression, site))
    return std::nullopt;
  m_at = expression.range;
  return call(*callee, std::move(site));
}

bool Evaluation::evaluateArguments(const syntax::Call &expression, CallSite &site) {
  for (const Expr *argument : expression.args) {
    auto *starred = dynCast<Starred>(argument);
    auto value = evaluate(starred ? *starred->value : *argument);
    auto all = !value    ? Result<std::vector<Value>>(raisedAlready())
               : starred ? elementsOf(*value)
                         : Result<std::vector<Value>>(std::vector<Value>{*value});
    if (!all)
      return raise(argument->range, all.error()), false;
    for (Value &item : *all) {
      site.arguments.positional.push_back(std::move(item));
      site.ranges.push_back(argument->range);
    }
  }
  for (const Keyword &keyword : expression.keywords) {
    auto value = evaluate(*keyword.value);
    if (!value)
      return false;
    auto add = [&](std::string name, Value held) {
      site.arguments.keywords.emplace_back(std::move(name), std::move(held));
      site.ranges.push_back(keyword.value->range);
      site.names.push_back(keyword.name.empty() ? keyword.range : keyword.nameRange);
    };
    if (!keyword.name.empty()) {
      add(std::string(keyword.name), std::move(*value));
      continue;
    }
    auto *dict = value->as<DictObject>();
    if (!dict)
      return raise(keyword.value->range, {"not-a-dict", {std::string(value->typeName())}}), false;
    for (const auto &entry : dict->table.entries())
      if (auto *name = entry.key.asString())
        add(*name, entry.value);
  }
  return true;
}

Maybe Evaluation::call(const Value &callee, std::vector<Value> arguments, const CallSite &at) {
  CallSite site;
  site.call = at.call;
  site.callee = at.callee;
  site.ranges.assign(arguments.size(), at.call);
  site.arguments.positional = std::move(arguments);
  return call(callee, std::move(site));
}

namespace {

bool isOfScript(const Value &callee) {
  auto *method = callee.as<BoundMethodObject>();
  return callee.as<FunctionObject>() || callee.as<ClassObject>() || callee.as<InstanceObject>() ||
         (method && method->function.as<FunctionObject>());
}

} // namespace

Maybe Evaluation::call(const Value &callee, CallSite site) {
  if (!step())
    return std::nullopt;
  if (isUnknown(callee))
    return callee;
  if (m_declaring && (callee.as<KernelLaunchObject>() || (!m_mayCallScript && isOfScript(callee))))
    return unknown();
  if (auto *symbol = callee.as<SymbolObject>())
    return callSymbol(*symbol, site);
  if (auto *method = callee.as<BoundMethodObject>())
    return callMethod(*method, std::move(site));
  if (auto *launcher = callee.as<KernelLaunchObject>())
    return launch(*launcher, site);
  if (callee.as<ClassObject>())
    return instantiate(shared<ClassObject>(callee), std::move(site));
  if (auto *function = callee.as<FunctionObject>()) {
    if (!function->isJit())
      return callFunction(shared<FunctionObject>(callee), site);
    raise(site.call, {"kernel-without-grid", {std::string(function->name())}});
    note("defined-here", function->module->span(function->definition->nameRange),
         {std::string(function->name())});
    return std::nullopt;
  }
  if (callee.as<InstanceObject>())
    if (auto method = attributeOf(callee, "__call__"))
      return call(*method, std::move(site));
  return raise(site.callee, {"not-callable", {std::string(callee.typeName())}});
}

namespace {

bool hasUnknown(const CallArguments &arguments) {
  auto &[positional, keywords] = arguments;
  return std::any_of(positional.begin(), positional.end(), isUnknown) ||
         std::any_of(keywords.begin(), keywords.end(),
                     [](const auto &keyword) { return isUnknown(keyword.second); });
}

bool allows(std::string_view keywords, const std::string &name) {
  size_t at = keywords.find(name + " ");
  return keywords == "*" || (at != std::string_view::npos && (at == 0 || keywords[at - 1] == ' '));
}

/// Checks how many arguments there are and how they are called. Gives the error and which argument it is
/// about.
std::optional<std::pair<Error, size_t>> misuse(const NativeFunction &function,
                                               const CallArguments &arguments) {
  size_t count = arguments.positional.size(), least = function.least;
  std::string name(function.name.substr(function.name.starts_with("builtins.") ? 9 : 0));
  for (size_t i = 0; i < arguments.keywords.size(); ++i)
    if (!allows(function.keywords, arguments.keywords[i].first))
      return std::pair(Error{"unexpected-argument", {name, arguments.keywords[i].first}}, count + i);
  if (count > function.most)
    return std::pair(
        Error{"too-many-arguments", {name, std::to_string(function.most), std::to_string(count)}},
        size_t(function.most));
  if (count + arguments.keywords.size() < least)
    return std::pair(Error{"too-few-arguments", {name, std::to_string(least), std::to_string(count)}},
                     SIZE_MAX);
  return std::nullopt;
}

} // namespace

Maybe Evaluation::callSymbol(const SymbolObject &symbol, CallSite &site) {
  m_at = site.call;
  if (auto *native = findNative(symbol.name)) {
    if (!native->takesUnknown && hasUnknown(site.arguments))
      return unknown();
    if (auto wrong = misuse(*native, site.arguments)) {
      SourceRange place = wrong->second < site.ranges.size() ? site.ranges[wrong->second] : site.call;
      return raise(place, wrong->first);
    }
    NativeCall native_call(*this, site, symbol.name);
    return placed(site, native->call(native_call));
  }
  if (auto *operation = findFunction(symbol.name))
    return callTensorMember(*operation, site);
  constexpr std::string_view Prefix = "builtins.";
  if (symbol.name.starts_with(Prefix) && isExceptionClass(symbol.name.substr(Prefix.size())))
    return makeObject<ExceptionObject>(symbol.name.substr(Prefix.size()), site.arguments.positional);
  return raiseUnknownSymbol(site.callee, symbol.name);
}

Maybe Evaluation::callTensorMember(const Operation &operation, CallSite &site) {
  if (hasUnknown(site.arguments))
    return unknown();
  blamed.reset();
  return placed(site, operation.evaluate(*this, site.arguments));
}

Maybe Evaluation::callMethod(const BoundMethodObject &method, CallSite site) {
  site.arguments.positional.insert(site.arguments.positional.begin(), method.self);
  site.ranges.insert(site.ranges.begin(), site.callee);
  if (auto *name = method.function.asString())
    return callNamedMethod(method.self, *name, site);
  if (!method.function.as<FunctionObject>())
    return call(method.function, std::move(site));
  return callFunction(shared<FunctionObject>(method.function), site, method.owner);
}

Maybe Evaluation::callNamedMethod(const Value &self, const std::string &name, CallSite &site) {
  if (self.as<TensorObject>())
    return callTensorMember(*findMember(name), site);
  auto *method = findNativeMethod(self.as<TupleObject>() ? "tuple" : self.typeName(), name);
  if (!method->takesUnknown && hasUnknown(site.arguments))
    return unknown();
  if (auto wrong = misuse(*method, site.arguments)) {
    // The object counts as an argument in the table, but not for who wrote the call.
    SourceRange place = wrong->second < site.ranges.size() ? site.ranges[wrong->second] : site.call;
    for (size_t i = 1; i < wrong->first.arguments.size() && wrong->first.id != "unexpected-argument"; ++i)
      wrong->first.arguments[i] = std::to_string(std::stoul(wrong->first.arguments[i]) - 1);
    return raise(place, wrong->first);
  }
  NativeCall native_call(*this, site, method->name);
  return placed(site, method->call(native_call));
}

bool Evaluation::mayCall(SourceRange range) {
  if (m_frames.size() <= m_options.recursionLimit)
    return true;
  raise(range, {"recursion-limit", {std::to_string(m_options.recursionLimit)}});
  return false;
}

Maybe Evaluation::callFunction(const std::shared_ptr<FunctionObject> &function, const CallSite &site,
                               std::shared_ptr<ClassObject> owner) {
  if (!mayCall(site.call))
    return std::nullopt;
  auto scope = std::make_shared<Scope>(function->scope);
  if (!bindArguments(*function, site, *scope))
    return std::nullopt;
  Frame frame;
  frame.module = function->module;
  frame.scope = frame.functionScope = scope;
  frame.globals = function->scope;
  while (frame.globals->parent())
    frame.globals = frame.globals->parent();
  frame.function = function->name();
  frame.calledFrom = top().module->span(site.call);
  frame.owner = std::move(owner);
  if (!site.arguments.positional.empty())
    frame.self = site.arguments.positional[0];
  const FunctionDef *definition = function->definition;
  if (definition)
    frame.names = &namesOfFunction(*definition);
  if (definition && (frame.names->yields || definition->isAsync))
    return raiseUnsupported(site.call, frame.names->yields ? "yield" : "async def");
  m_frames.push_back(&frame);
  Flow flow = Flow::Return;
  if (definition)
    flow = execute(definition->body);
  else if (auto value = evaluate(*function->lambda->body))
    frame.result = std::move(*value);
  else
    flow = Flow::Raised;
  m_frames.pop_back();
  return flow == Flow::Raised ? std::nullopt : Maybe(std::move(frame.result));
}

namespace {

/// Puts the arguments of one call into a function's scope, as Python's rules say.
class Binder {
public:
  Binder(const FunctionObject &function, const CallSite &site, Scope &scope)
      : m_function(function), m_site(site), m_scope(scope),
        m_parameters(
            parametersOf(function.definition ? *function.definition->args : *function.lambda->args)) {}

  bool bind() { return bindPositional() && bindKeywords() && bindDefaults(); }

  Error error;
  SourceRange place;
  std::string mistyped; ///< the keyword that no parameter has
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const Parameter &parameter : m_parameters)
      result.emplace_back(parameter.arg->name);
    return result;
  }

private:
  using Kind = Parameter::Kind;

  std::string functionName() const { return std::string(m_function.name()); }
  bool fail(SourceRange range, std::string id, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), functionName());
    error = {std::move(id), std::move(arguments)};
    place = range;
    return false;
  }

  bool bindPositional() {
    const auto &given = m_site.arguments.positional;
    size_t next = 0, places = 0;
    for (const Parameter &parameter : m_parameters) {
      bool takesOne = parameter.kind == Kind::PositionalOnly || parameter.kind == Kind::Normal;
      places += takesOne;
      if (takesOne && next < given.size())
        m_scope.set(parameter.arg->name, given[next++]);
      if (parameter.kind == Kind::Rest) {
        m_scope.set(parameter.arg->name,
                    makeTuple({given.begin() + static_cast<std::ptrdiff_t>(next), given.end()}));
        next = given.size();
      }
    }
    return next == given.size() || fail(m_site.ranges[next], "too-many-arguments",
                                        {std::to_string(places), std::to_string(given.size())});
  }

  const Parameter *parameter(std::string_view name) const {
    for (const Parameter &each : m_parameters)
      if (each.arg->name == name && (each.kind == Kind::Normal || each.kind == Kind::KeywordOnly))
        return &each;
    return nullptr;
  }

  bool bindKeywords() {
    auto others = std::make_shared<DictObject>();
    bool takesOthers = !m_parameters.empty() && m_parameters.back().kind == Kind::Keywords;
    for (size_t i = 0; i < m_site.arguments.keywords.size(); ++i) {
      const auto &[name, value] = m_site.arguments.keywords[i];
      SourceRange range = m_site.names[i];
      bool known = parameter(name);
      if (!known && !takesOthers) {
        mistyped = name;
        return fail(range, "unexpected-argument", {name});
      }
      auto taken = known ? m_scope.findLocal(name) != nullptr : !*others->table.set(Value(name), value);
      if (taken)
        return fail(range, "duplicate-argument", {name});
      if (known)
        m_scope.set(name, value);
    }
    if (takesOthers)
      m_scope.set(m_parameters.back().arg->name, Value(std::shared_ptr<Object>(others)));
    return true;
  }

  bool bindDefaults() {
    std::string missing;
    for (const Parameter &each : m_parameters) {
      std::string name(each.arg->name);
      if (m_scope.findLocal(name))
        continue;
      auto found = m_function.defaults.find(name);
      if (found != m_function.defaults.end())
        m_scope.set(name, found->second);
      else
        missing += (missing.empty() ? "" : ", ") + name;
    }
    return missing.empty() || fail(m_site.call, "missing-argument", {missing});
  }

  const FunctionObject &m_function;
  const CallSite &m_site;
  Scope &m_scope;
  const std::vector<Parameter> m_parameters;
};

} // namespace

bool Evaluation::bindArguments(const FunctionObject &function, const CallSite &site, Scope &scope) {
  Binder binder(function, site, scope);
  if (binder.bind())
    return true;
  raise(binder.place, binder.error);
  if (!binder.mistyped.empty())
    suggest(binder.mistyped, binder.names(), binder.place);
  if (function.definition)
    note("defined-here", function.module->span(function.definition->nameRange),
         {std::string(function.name())});
  return false;
}

} // namespace tilescope::host
