// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/Parser.h"

#include "compiler/Syntax/ParserImpl.h"
#include "compiler/Syntax/Unicode.h"

namespace tilescope::syntax {
namespace {

/// What no Python file may contain, wherever it stands: said once, at the first place.
void checkBytes(std::string_view text, ErrorLog &errors) {
  auto at = [](size_t offset) {
    return SourceRange{static_cast<uint32_t>(offset), static_cast<uint32_t>(offset + 1)};
  };
  if (size_t invalid = findInvalidUtf8(text); invalid != std::string_view::npos)
    errors.error("invalid-utf8", at(invalid));
  if (size_t null = text.find('\0'); null != std::string_view::npos)
    errors.error("null-byte", at(null));
}

} // namespace

std::shared_ptr<const Module> parse(SourceFilePtr file, Diagnostics &diagnostics) {
  auto module = std::make_shared<Module>();
  module->file = std::move(file);
  ErrorLog errors(module->file);
  checkBytes(module->file->text(), errors);
  std::vector<Token> tokens = Lexer(module->file->text(), errors).run();
  Parser(*module, std::move(tokens), errors).parseModule();
  errors.moveTo(diagnostics);
  return module;
}

} // namespace tilescope::syntax
