// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of jit functions, which are compiled in place, of the library, and of what cannot be called.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

CallArguments Lowering::lowerArguments(const Call &expr) {
  CallArguments arguments;
  arguments.call = expr.range;
  arguments.callee = expr.func->range;
  for (const Expr *arg : expr.args) {
    if (const auto *starred = dynCast<Starred>(arg)) {
      auto items = staticItems(operand(*starred->value));
      for (const Term &item : items ? *items : std::vector<Term>{Term()})
        arguments.positional.push_back({item, arg->range});
      continue;
    }
    arguments.positional.push_back(operand(*arg));
  }
  for (const Keyword &keyword : expr.keywords) {
    if (keyword.name.empty()) {
      m_emitter.error(keyword.range, "kernel-double-star");
      continue;
    }
    arguments.named.push_back({keyword.name, keyword.nameRange, operand(*keyword.value)});
  }
  return arguments;
}

Term Lowering::lowerCall(const Call &expr) {
  Operand callee = operand(*expr.func);
  CallArguments arguments = lowerArguments(expr);
  if (callee.term.isError())
    return {};
  const Value *constant = callee.term.constant();
  const auto *function = constant ? constant->as<FunctionObject>() : nullptr;
  if (function && !function->isJit() && !isForeignFunction(*function) &&
      expr.func->kind == ExprKind::Attribute && host())
    return callHost(callee, arguments); // a function of a module is plain Python
  return call(callee, arguments);
}

namespace {

bool isConstexprFunction(const FunctionObject &function) {
  return llvm::any_of(function.decorators, [](const Decorator &decorator) {
    return lastPart(symbolName(decorator.callee).value_or("")) == "constexpr_function";
  });
}

} // namespace

Term Lowering::call(const Operand &callee, const CallArguments &arguments) {
  if (const MethodTerm *method = callee.term.method())
    return callMethod(*method, arguments);
  if (auto symbol = callee.term.symbol())
    return callSymbol(*symbol, arguments);
  const Value *constant = callee.term.constant();
  const auto *function = constant ? constant->as<FunctionObject>() : nullptr;
  if (function && (function->isJit() || isForeignFunction(*function)))
    return callFunction(*function, arguments);
  std::shared_ptr<HostCalls> python = host();
  if (auto record = constant && python ? python->record(*constant) : std::nullopt)
    return makeRecord(*constant, *record, arguments);
  bool isMethodOfConstant =
      constant && constant->object() && constant->object()->kind() == ObjectKind::BoundMethod;
  if (python && (isMethodOfConstant || (function && isConstexprFunction(*function))))
    return callHost(callee, arguments);
  if (!function) {
    m_emitter.error(callee.range, "not-callable", {describe(callee.term)});
    return {};
  }
  Diagnostic &error = m_emitter.error(callee.range, "not-a-jit-function", {std::string(function->name())});
  if (function->definition && function->module->file == frame().function->module->file) {
    uint32_t begin = function->definition->range.begin;
    error.fix = DiagnosticFix{"add-jit", {std::string(function->name())}, {begin, begin}, "@triton.jit\n"};
  }
  return {};
}

//===- Plain Python -------------------------------------------------------------------------------===//

Term Lowering::callHost(const Operand &callee, const CallArguments &arguments) {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
  bool isKnown = true;
  auto valueOf = [&](const Operand &argument) {
    std::optional<Value> value = toValue(argument.term);
    if (!value && !argument.term.isError())
      m_emitter.error(argument.range, "compile-time-call",
                      {std::string(file().text(callee.range)), describe(argument.term)});
    isKnown &= value.has_value();
    return value.value_or(Value());
  };
  for (const Operand &argument : arguments.positional)
    positional.push_back(valueOf(argument));
  for (const NamedOperand &argument : arguments.named)
    named.emplace_back(std::string(argument.name), valueOf(argument.operand));
  if (!isKnown)
    return {};
  Result<Value> result = host()->call(*callee.term.constant(), std::move(positional), std::move(named));
  if (result)
    return makeTerm(m_emitter.context(), *result);
  m_emitter.error(arguments.call, result.error().id, result.error().arguments);
  return {};
}

Term Lowering::makeRecord(const Value &type, const HostCalls::Record &record,
                          const CallArguments &arguments) {
  Term empty =
      makeTuple(std::vector<Term>(record.fields.size()), record.fields, record.isAggregate ? type : Value());
  if (record.isAggregate)
    if (Result<Value> initialize = host()->attribute(type, "__init__"))
      if (const auto *function = initialize->as<FunctionObject>())
        return construct(*function, empty, arguments);
  std::vector<Parameter> parameters;
  for (const std::string &field : record.fields) {
    Parameter parameter{field, std::nullopt, false};
    if (auto known = record.defaults.find(field); known != record.defaults.end())
      parameter.defaultValue = makeTerm(m_emitter.context(), known->second);
    parameters.push_back(std::move(parameter));
  }
  auto bound = bindArguments(m_emitter, record.name, parameters, arguments);
  if (!bound)
    return {};
  std::vector<Term> items;
  for (const Operand &operand : *bound)
    items.push_back(operand.term);
  return tupleLike(*empty.tuple(), std::move(items));
}

Term Lowering::construct(const FunctionObject &initialize, const Term &object,
                         const CallArguments &arguments) {
  std::vector<const Arg *> declared = frontend::parameters(*initialize.definition);
  if (declared.empty())
    return {};
  CallArguments withSelf = arguments;
  withSelf.positional.insert(withSelf.positional.begin(), {object, arguments.callee});
  return callFunction(initialize, withSelf, declared[0]->name);
}

//===- Functions of the script --------------------------------------------------------------------===//

std::vector<Parameter> Lowering::parametersOf(const FunctionObject &function) {
  std::vector<Parameter> result;
  const Arguments &args = *function.definition->args;
  auto add = [&](const Arg &arg, bool keywordOnly) {
    Parameter parameter{arg.name, std::nullopt, keywordOnly};
    if (auto known = function.defaults.find(std::string(arg.name)); known != function.defaults.end())
      parameter.defaultValue = makeTerm(m_emitter.context(), known->second);
    else if (arg.defaultValue)
      if (const auto *literal = dynCast<Constant>(arg.defaultValue))
        if (Result<Value> value = constant(*literal))
          parameter.defaultValue = Term(*value);
    result.push_back(std::move(parameter));
  };
  for (const Arg &arg : args.posonlyargs)
    add(arg, false);
  for (const Arg &arg : args.args)
    add(arg, false);
  if (args.vararg)
    result.push_back({args.vararg->name, std::nullopt, false, /*isStar=*/true});
  for (const Arg &arg : args.kwonlyargs)
    add(arg, true);
  if (args.kwarg)
    result.push_back({args.kwarg->name, std::nullopt, true, false, /*isDoubleStar=*/true});
  return result;
}

namespace {

/// As Triton tells calls apart: by the types of run-time values and by constants.
bool areSameArguments(std::span<const Operand> a, std::span<const Operand> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Operand &x, const Operand &y) { return haveSameForm(x.term, y.term); });
}

} // namespace

bool Lowering::checkRecursion(const FunctionObject &function, std::span<const Operand> arguments,
                              SourceRange call) {
  constexpr unsigned limit = 200;
  unsigned depth = 0;
  for (const CallFrame *f = m_frame; f; f = f->caller) {
    if (f->function->definition == function.definition &&
        areSameArguments(static_cast<const Frame *>(f)->arguments, arguments)) {
      m_emitter.error(call, "recursive-call", {std::string(function.name())});
      return false;
    }
    if (++depth > limit) {
      m_emitter.error(call, "calls-too-deep", {std::to_string(limit)});
      return false;
    }
  }
  return true;
}

/// Triton compiles such a function apart from its caller, and hands it scalars only.
void Lowering::checkNoinline(const FunctionObject &function, std::span<const Operand> arguments) {
  bool isNoinline = llvm::any_of(function.decorators, [](const Decorator &decorator) {
    return llvm::any_of(decorator.keywords, [](const auto &keyword) {
      return keyword.first == "noinline" && truth(keyword.second);
    });
  });
  for (const Operand &argument : arguments)
    if (mlir::Value value = isNoinline ? argument.term.value() : mlir::Value())
      if (tile::elementCountOf(value.getType()) != 1)
        m_emitter.error(argument.range, "noinline-tile",
                        {std::string(function.name()), describe(argument.term)});
}

Term Lowering::callFunction(const FunctionObject &function, const CallArguments &arguments,
                            std::string_view underConstruction) {
  if (!function.definition)
    return {};
  std::vector<Parameter> parameters = parametersOf(function);
  auto bound = bindArguments(m_emitter, function.name(), parameters, arguments);
  if (!bound || !checkRecursion(function, *bound, arguments.call))
    return {};
  checkNoinline(function, *bound);
  Frame callee;
  callee.function = &function;
  callee.call = arguments.call;
  callee.caller = m_frame;
  callee.isPrelude = findPreludeFunction(function.name()) == &function;
  callee.underConstruction = underConstruction;
  callee.arguments = std::move(*bound);
  std::vector<const Arg *> declared = frontend::parameters(*function.definition);
  Frame *caller = m_frame;
  m_frame = &callee;
  m_emitter.setFrame(&callee);
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto arg = llvm::find_if(declared, [&](const Arg *a) { return a->name == parameters[i].name; });
    SourceRange nameRange = arg == declared.end() ? SourceRange{} : (*arg)->nameRange;
    record(nameRange, parameters[i].name, callee.arguments[i].term);
    callee.names.set(parameters[i].name, {callee.arguments[i].term, nameRange});
  }
  {
    Emitter::At at(m_emitter, function.definition->range);
    lowerBody(function.definition->body, nullptr);
  }
  m_frame = caller;
  m_emitter.setFrame(caller);
  if (!underConstruction.empty())
    return callee.names.find(underConstruction)->term;
  return callee.returned ? callee.returned->term : Term(Value());
}

//===- The library --------------------------------------------------------------------------------===//

namespace {

/// Helpers of a GPU that triton.language.extra has and this library does not.
bool isMissing(std::string_view symbol) {
  return symbol.starts_with("triton.language.extra.") && !isLibdevice(symbol);
}

bool isHostLibrary(std::string_view symbol) { return !symbol.starts_with("triton."); }

} // namespace

Term Lowering::callSymbol(std::string_view symbol, const CallArguments &arguments) {
  if (const LibraryFunction *function = findLibraryFunction(symbol))
    return callLibrary(*function, arguments);
  std::string_view name = lastPart(symbol);
  if (symbol.starts_with("triton.language.") || symbol == "triton.cdiv")
    if (const FunctionObject *function = findPreludeFunction(name))
      return callFunction(*function, arguments);
  SourceRange nameRange{arguments.callee.end -
                            static_cast<uint32_t>(std::min<size_t>(name.size(), arguments.callee.size())),
                        arguments.callee.end};
  if (symbol.starts_with("triton.profiler."))
    return Value();
  if (isHostLibrary(symbol) && host() &&
      llvm::all_of(arguments.positional, [](const Operand &o) { return toValue(o.term).has_value(); }))
    return callHost({makeSymbol(std::string(symbol)), arguments.callee}, arguments);
  if (isHostLibrary(symbol)) {
    Diagnostic &error = m_emitter.error(arguments.callee, "host-only", {std::string(symbol)});
    if (llvm::is_contained(languageNames(), name))
      error.fix = DiagnosticFix{
          "replace-name", {"tl." + std::string(name)}, arguments.callee, "tl." + std::string(name)};
    return {};
  }
  if (isMissing(symbol)) {
    m_emitter.error(arguments.callee, "unsupported-library-function", {std::string(symbol)});
    return {};
  }
  Diagnostic &error = m_emitter.error(arguments.callee, "unknown-library-function", {std::string(symbol)});
  const auto &known = isLibdevice(symbol) ? libdeviceNames() : languageNames();
  if (std::string_view near = nearest(name, known); !near.empty() && file().text(nameRange) == name)
    error.fix = DiagnosticFix{"replace-name", {std::string(near)}, nameRange, std::string(near)};
  return {};
}

Term Lowering::callLibrary(const LibraryFunction &function, const CallArguments &arguments) {
  std::vector<Parameter> parameters = parseSignature(m_emitter.context(), function.signature);
  auto bound = bindArguments(m_emitter, lastPart(function.name), parameters, arguments);
  if (!bound)
    return {};
  for (const Operand &operand : *bound)
    if (operand.term.isError() ||
        (operand.term.tuple() &&
         llvm::any_of(operand.term.tuple()->items, [](const Term &t) { return t.isError(); })))
      return {};
  LibraryCall call{*this, m_emitter, function, std::move(*bound), arguments.call};
  return function.handler(call);
}

Term Lowering::callMethod(const MethodTerm &method, const CallArguments &arguments) {
  if (mlir::Type type = method.self.type())
    return callTypeMethod(m_emitter, type, method.name);
  CallArguments withSelf = arguments;
  withSelf.positional.insert(withSelf.positional.begin(), {method.self, method.selfRange});
  if (!method.function.isNone())
    return call({method.function, arguments.callee}, withSelf);
  std::string symbol = "triton.language." + std::string(method.name);
  if (const LibraryFunction *function = findMethodOf(method.self, method.name))
    return callLibrary(*function, withSelf);
  return callSymbol(symbol, withSelf);
}

} // namespace tilescope::frontend
