// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of a syntax tree, without evaluating it: what is imported, what is defined where, what is assigned.
#pragma once

#include "compiler/Syntax/Ast.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::service {

/// Calls `action` on every statement, outer ones first, in the order of the source.
void forEachStatement(syntax::Body body, const std::function<void(const syntax::Stmt &)> &action);

/// The full name that each imported name stands for: "tl" -> "triton.language".
std::map<std::string, std::string, std::less<>> importedNames(const syntax::Module &module);

/// "tl.load" -> "triton.language.load"; nothing if its first part is not imported.
std::optional<std::string> fullName(const std::map<std::string, std::string, std::less<>> &imported,
                                    std::string_view dotted);

/// As LSP's CompletionItemKind.
enum class NameKind : uint8_t { Function = 3, Variable = 6, Class = 7, Module = 9, Keyword = 14 };

struct DefinedName {
  std::string name;
  NameKind kind;
};
/// The names that can be used at a place: those of the functions around it, then those of the module.
std::vector<DefinedName> namesAt(const syntax::Module &module, uint32_t offset);

/// `name = value` and its relatives (`name += value`, `name: T = value`) of one bare name.
struct Assignment {
  SourceRange statement;
  SourceRange target;
  SourceRange value;
};
std::vector<Assignment> assignments(const syntax::Module &module);

/// A word of a text, with the words and dots before it: at "lo|ad" of "tl.load", "tl.load".
struct DottedName {
  std::string text;
  SourceRange range; ///< of its last word
  friend bool operator==(const DottedName &, const DottedName &) = default;
};
/// The one at `offset`, up to the end of the word there; nothing where there is no word.
std::optional<DottedName> dottedNameAt(std::string_view text, uint32_t offset);

} // namespace tilescope::service
