// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/Parser.h"

#include "compiler/Syntax/ParserImpl.h"
#include "compiler/Syntax/Unicode.h"

#include <algorithm>
#include <iterator>

namespace tilescope::syntax {
namespace {

/// The encoding that the first or second line declares (PEP 263: `coding[=:]\s*([-\w.]+)` in a comment).
SourceRange declaredEncoding(const SourceFile &file) {
  constexpr std::string_view NameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  for (uint32_t number = 1; number <= 2; ++number) {
    SourceRange range = file.lineRange(number);
    std::string_view line = file.text(range);
    size_t comment = line.find_first_not_of(" \t\f\xEF\xBB\xBF");
    if (comment == std::string_view::npos)
      continue;
    if (line[comment] != '#')
      break;
    size_t at = line.find("coding", comment);
    if (at == std::string_view::npos || at + 6 >= line.size() || (line[at + 6] != ':' && line[at + 6] != '='))
      continue;
    size_t begin = std::min(line.find_first_not_of(" \t", at + 7), line.size());
    size_t end = std::min(line.find_first_not_of(NameBytes, begin), line.size());
    return {range.begin + static_cast<uint32_t>(begin), range.begin + static_cast<uint32_t>(end)};
  }
  return {};
}

/// Another encoding than UTF-8 does no harm where it is an extension of ASCII and the file has nothing else.
void checkEncoding(const SourceFile &file, ErrorLog &errors) {
  SourceRange declared = declaredEncoding(file);
  std::string name(file.text(declared));
  if (name.empty())
    return;
  std::string key;
  for (char c : name)
    key += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  auto begins = [&](std::string_view family) { return key.starts_with(family); };
  if (begins("utf-8") || begins("utf8"))
    return;
  constexpr std::string_view Extensions[] = {"ascii", "us-ascii", "latin", "iso-8859", "iso8859",
                                             "cp",    "windows",  "koi8",  "mac",      "gb",
                                             "big5",  "euc",      "shift", "hz",       "johab"};
  bool extendsAscii = std::any_of(std::begin(Extensions), std::end(Extensions), begins);
  bool isAscii =
      std::all_of(file.text().begin(), file.text().end(), [](unsigned char c) { return c < 0x80; });
  if (!extendsAscii || !isAscii)
    errors.error("encoding-not-utf8", declared, {name});
}

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
  checkEncoding(*module->file, errors);
  checkBytes(module->file->text(), errors);
  std::vector<Token> tokens = Lexer(module->file->text(), errors).run();
  Parser(*module, std::move(tokens), errors).parseModule();
  errors.moveTo(diagnostics);
  return module;
}

} // namespace tilescope::syntax
