// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the library that can be said in the language itself. It is parsed once and compiled at each
// call, as a helper of the script would be.
#include "compiler/Frontend/Prelude.h"

#include "compiler/Frontend/Library.h"
#include "compiler/Syntax/Parser.h"

#include <llvm/ADT/STLExtras.h>

namespace tilescope::frontend {

namespace {

bool isMarkedMethod(const syntax::FunctionDef &definition) {
  return llvm::any_of(definition.decorators, [](const syntax::Expr *decorator) {
    const auto *name = syntax::dynCast<syntax::Name>(decorator);
    return name && name->id == "method";
  });
}

struct Prelude {
  std::shared_ptr<Scope> scope = std::make_shared<Scope>();
  std::vector<PreludeFunction> functions;

  Prelude() {
    scope->set("tl", makeSymbol("triton.language"));
    for (const char *text : {arithmeticPrelude, shapePrelude, sortPrelude, memoryPrelude, randomPrelude})
      add(text);
  }

  void add(const char *text) {
    Diagnostics diagnostics;
    auto module = syntax::parse(std::make_shared<SourceFile>("triton/language", text), diagnostics);
    assert(diagnostics.empty());
    for (const syntax::Stmt *stmt : module->body) {
      auto function = std::make_shared<FunctionObject>();
      function->module = module;
      function->definition = syntax::dynCast<syntax::FunctionDef>(stmt);
      function->scope = scope;
      function->decorators.push_back({makeSymbol("triton.jit"), {}, {}, {}});
      scope->set(function->name(), Value(std::shared_ptr<Object>(function)));
      functions.push_back({function, isMarkedMethod(*function->definition)});
    }
  }
};

} // namespace

const std::vector<PreludeFunction> &preludeFunctions() {
  static const Prelude prelude;
  return prelude.functions;
}

const FunctionObject *findPreludeFunction(std::string_view name) {
  static const auto byName = [] {
    std::unordered_map<std::string_view, const FunctionObject *> result;
    for (const PreludeFunction &row : preludeFunctions())
      result.emplace(row.function->name(), row.function.get());
    return result;
  }();
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

} // namespace tilescope::frontend
