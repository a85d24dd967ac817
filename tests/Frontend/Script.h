// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A script of a test: parsed, its imports, functions and simple globals put into a scope without the
// evaluator of host code, and its kernel compiled for given arguments.
#pragma once

#include "compiler/Frontend/Frontend.h"

#include <functional>
#include <map>
#include <string>

namespace tilescope::frontend::test {

/// "*fp16", "i32", "=12", "=None", "[64,32]*fp16" (a descriptor), "(i32,*fp32)" (a tuple): what a parameter
/// is.
ArgumentSpec specOf(std::string_view text);

class Script {
public:
  explicit Script(std::string text);

  /// The jit function of that name; the test fails if there is none.
  const FunctionObject &function(std::string_view name = "k") const;
  std::string_view text(SourceRange range) const { return m_module->file->text(range); }
  const Diagnostics &parseErrors() const { return m_parseErrors; }

private:
  void define(const syntax::Stmt &stmt);

  Diagnostics m_parseErrors;
  std::shared_ptr<const syntax::Module> m_module;
  std::shared_ptr<Scope> m_scope = std::make_shared<Scope>();
};

/// What came out of compiling the kernel `k` of a script.
struct Compiled {
  std::string ir; ///< without locations; empty after an error
  std::string irWithLocations;
  std::vector<Diagnostic> diagnostics;
  std::vector<TypedExpression> types;
  std::shared_ptr<Script> script;

  /// The type that `variable` had last.
  std::string typeOf(std::string_view variable) const;
  /// "id|text of its range|argument, argument" of each diagnostic.
  std::vector<std::string> errors() const;
  /// The whole script with the fix of the first diagnostic applied.
  std::string fixed() const;
};

/// Arguments by a letter each, as tests/Frontend/AskTypes.py has them: parameters named p (pointer to fp32),
/// q (int32), h (fp16), b (int8), u (uint8), n (int32), m (int64), f (fp32), u32, B (constexpr 64);
/// `signature` says others ("*fp16", "i32", "fp32", "=12",
/// "[8,16]fp16" of a tensor descriptor). `inspect` sees the module, if there is one.
Compiled compileKernel(std::string text, const std::map<std::string, std::string> &signature = {},
                       std::string_view kernel = "k",
                       const std::function<void(mlir::ModuleOp)> &inspect = {});

} // namespace tilescope::frontend::test
