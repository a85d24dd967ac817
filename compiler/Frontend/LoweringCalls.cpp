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
      if (auto items = staticItems(operand(*starred->value)))
        for (const Term &item : *items)
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
  return callee.term.isError() ? Term() : call(callee, arguments);
}

Term Lowering::call(const Operand &callee, const CallArguments &arguments) {
  if (const MethodTerm *method = callee.term.method())
    return callMethod(*method, arguments);
  if (auto symbol = callee.term.symbol())
    return callSymbol(*symbol, arguments);
  const Value *constant = callee.term.constant();
  const auto *function = constant ? constant->as<FunctionObject>() : nullptr;
  if (!function) {
    m_emitter.error(callee.range, "not-callable", {describe(callee.term)});
    return {};
  }
  if (function->isJit() || isForeignFunction(*function))
    return callFunction(*function, arguments);
  Diagnostic &error = m_emitter.error(callee.range, "not-a-jit-function", {std::string(function->name())});
  if (function->definition && function->module->file == frame().function->module->file) {
    uint32_t begin = function->definition->range.begin;
    error.fix = DiagnosticFix{"add-jit", {std::string(function->name())}, {begin, begin}, "@triton.jit\n"};
  }
  return {};
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

bool Lowering::checkRecursion(const FunctionObject &function, SourceRange call) {
  constexpr unsigned limit = 200;
  unsigned depth = 0;
  for (const CallFrame *f = m_frame; f; f = f->caller) {
    if (f->function->definition == function.definition) {
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

Term Lowering::callFunction(const FunctionObject &function, const CallArguments &arguments) {
  if (!function.definition || !checkRecursion(function, arguments.call))
    return {};
  std::vector<Parameter> parameters = parametersOf(function);
  auto bound = bindArguments(m_emitter, function.name(), parameters, arguments);
  if (!bound)
    return {};
  Frame callee;
  callee.function = &function;
  callee.call = arguments.call;
  callee.caller = m_frame;
  callee.isPrelude = findPreludeFunction(function.name()) == &function;
  std::vector<const Arg *> declared = frontend::parameters(*function.definition);
  Frame *caller = m_frame;
  m_frame = &callee;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Term term = (*bound)[i].term;
    auto arg = llvm::find_if(declared, [&](const Arg *a) { return a->name == parameters[i].name; });
    SourceRange nameRange = arg == declared.end() ? SourceRange{} : (*arg)->nameRange;
    if (arg != declared.end() && (*arg)->annotation && term.value() &&
        isConstexprAnnotation(function, *(*arg)->annotation)) {
      m_frame = caller;
      m_emitter.error((*bound)[i].range, "constexpr-argument",
                      {std::string(parameters[i].name), std::string(function.name()), describe(term)});
      m_frame = &callee;
      term = Term();
    }
    m_emitter.setFrame(&callee);
    record(nameRange, parameters[i].name, term);
    m_emitter.setFrame(caller);
    callee.names.set(parameters[i].name, {std::move(term), nameRange});
  }
  m_emitter.setFrame(&callee);
  {
    Emitter::At at(m_emitter, function.definition->range);
    lowerBody(function.definition->body, nullptr);
  }
  m_frame = caller;
  m_emitter.setFrame(caller);
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

namespace {

/// `dtype.is_floating()` and its like.
bool typeIs(mlir::Type type, std::string_view question) {
  mlir::Type element = tile::elementTypeOf(type);
  if (question == "is_block")
    return llvm::isa<tile::TileType>(type);
  if (question == "is_ptr")
    return tile::isPointer(element);
  if (question == "is_floating")
    return tile::isFloat(element);
  if (question == "is_int")
    return tile::isInteger(element);
  if (question == "is_fp8")
    return isFloat8(element);
  return typeName(element) == question.substr(3);
}

} // namespace

Term Lowering::callMethod(const MethodTerm &method, const CallArguments &arguments) {
  if (mlir::Type type = method.self.type())
    return Value(typeIs(type, method.name));
  CallArguments withSelf = arguments;
  withSelf.positional.insert(withSelf.positional.begin(), {method.self, method.selfRange});
  std::string symbol = "triton.language." + std::string(method.name);
  if (const LibraryFunction *function = findMethodOf(method.self, method.name))
    return callLibrary(*function, withSelf);
  return callSymbol(symbol, withSelf);
}

} // namespace tilescope::frontend
