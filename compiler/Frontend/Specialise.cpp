// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel is specialised on: its parameters and the key of a specialisation.
#include "compiler/Frontend/Infer.h"

#include "compiler/Frontend/Signature.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

std::vector<const Arg *> parameters(const FunctionDef &function) {
  std::vector<const Arg *> result;
  const Arguments &args = *function.args;
  for (const auto &group : {args.posonlyargs, args.args})
    for (const Arg &arg : group)
      result.push_back(&arg);
  if (args.vararg)
    result.push_back(args.vararg);
  for (const Arg &arg : args.kwonlyargs)
    result.push_back(&arg);
  return result;
}

bool isConstexprParameter(const FunctionObject &kernel, size_t parameter) {
  const Expr *annotation = parameters(*kernel.definition)[parameter]->annotation;
  return annotation && isConstexprAnnotation(kernel, *annotation);
}

namespace {

/// A function as a constant: where it stands in which text, and what its closure holds.
std::string keyOf(const FunctionObject &function) {
  const SourceFile &file = *function.module->file;
  uint32_t begin = function.definition ? function.definition->range.begin : function.lambda->range.begin;
  std::string text = "function " + std::string(function.name()) + "@" + file.path() + ":" +
                     std::to_string(begin) + "#" + std::to_string(std::hash<std::string_view>()(file.text()));
  for (Scope *scope = function.scope.get(); scope && scope->parent(); scope = scope->parent().get())
    for (const std::string &name : scope->names())
      if (const Value &held = *scope->findLocal(name); !held.object() || held.asString())
        text += "," + name + "=" + repr(held);
  return text;
}

std::string keyOf(const Value &constant) {
  if (const auto *function = constant.as<FunctionObject>())
    return keyOf(*function);
  const auto *tuple = constant.as<TupleObject>();
  if (!tuple)
    return repr(constant);
  std::string text(tuple->className);
  for (const Value &item : tuple->items)
    text += "," + keyOf(item);
  return "(" + text + ")";
}

std::string keyOf(const ArgumentSpec &spec) {
  if (spec.kind == ArgumentSpec::Kind::Constant)
    return "=" + keyOf(spec.constant);
  std::string text;
  if (spec.kind == ArgumentSpec::Kind::Tuple) {
    for (size_t i = 0; i < spec.items.size(); ++i)
      text += (i < spec.fieldNames.size() ? spec.fieldNames[i] : "") + keyOf(spec.items[i]) + ",";
    return "(" + text + ")";
  }
  text = spec.kind == ArgumentSpec::Kind::Pointer ? "*" : "";
  text += tritonName(spec.element);
  text += spec.divisibleBy16 ? ":16" : "";
  for (int64_t size : spec.blockShape)
    text += (spec.padsNaN ? "n" : "z") + std::to_string(size);
  return text;
}

} // namespace

std::string textOf(const ArgumentSpec &spec) {
  if (spec.kind == ArgumentSpec::Kind::Constant) {
    const auto *function = spec.constant.as<FunctionObject>();
    return function ? "=function " + std::string(function->name()) : "=" + repr(spec.constant);
  }
  if (spec.kind == ArgumentSpec::Kind::Tuple) {
    std::string text;
    for (const ArgumentSpec &item : spec.items)
      text += (text.empty() ? "" : ", ") + textOf(item);
    return "(" + text + ")";
  }
  std::string text = (spec.kind == ArgumentSpec::Kind::Pointer ? "*" : "") +
                     std::string(tritonName(spec.element)) + (spec.divisibleBy16 ? ":16" : "");
  for (int64_t size : spec.blockShape)
    text += (spec.padsNaN ? "n" : "z") + std::to_string(size);
  return text;
}

std::string Specialisation::key() const {
  std::string text = std::to_string(numWarps) + "w" + std::to_string(numStages) + (isLaunched ? "s" : "s?");
  for (const ArgumentSpec &spec : arguments)
    text += ";" + keyOf(spec);
  return text;
}

} // namespace tilescope::frontend
