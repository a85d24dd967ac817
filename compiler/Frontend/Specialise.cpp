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
  for (const auto &group : {function.args->posonlyargs, function.args->args, function.args->kwonlyargs})
    for (const Arg &arg : group)
      result.push_back(&arg);
  return result;
}

bool isConstexprParameter(const FunctionObject &kernel, size_t parameter) {
  const Expr *annotation = parameters(*kernel.definition)[parameter]->annotation;
  return annotation && isConstexprAnnotation(kernel, *annotation);
}

std::string textOf(const ArgumentSpec &spec) {
  if (spec.kind == ArgumentSpec::Kind::Constant) {
    const auto *function = spec.constant.as<FunctionObject>();
    return function ? "=function " + std::string(function->name()) : "=" + repr(spec.constant);
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
    text += ";" + textOf(spec);
  return text;
}

} // namespace tilescope::frontend
