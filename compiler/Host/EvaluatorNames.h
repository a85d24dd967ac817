// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which names a function's body binds: those are local to it, as Python decides before it runs.
#pragma once

#include "compiler/Syntax/Ast.h"

#include <string_view>
#include <unordered_set>
#include <vector>

namespace tilescope::host {

struct FunctionNames {
  std::unordered_set<std::string_view> locals;
  std::unordered_set<std::string_view> globals;   ///< declared `global`
  std::unordered_set<std::string_view> nonlocals; ///< declared `nonlocal`
  bool yields = false;                            ///< a generator, which is not evaluated
};

FunctionNames namesOf(const syntax::FunctionDef &function);
/// The names that a statement binds, those inside it too.
std::unordered_set<std::string_view> namesBoundBy(const syntax::Stmt &statement);

/// The parameters in the order of the declaration, and how each may be given.
struct Parameter {
  enum class Kind : uint8_t { PositionalOnly, Normal, Rest, KeywordOnly, Keywords } kind;
  const syntax::Arg *arg;
};
std::vector<Parameter> parametersOf(const syntax::Arguments &arguments);

/// The entry of `candidates` that `name` is most likely meant to be, or empty: by edit distance, at most a
/// third of the letters.
std::string nearestName(std::string_view name, const std::vector<std::string> &candidates);

} // namespace tilescope::host
