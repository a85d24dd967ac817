// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `import` and `from … import`.
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {

using K = TokenKind;

/// import_name
Stmt *Parser::parseImport() {
  uint32_t start = begin();
  advance();
  Scratch<Alias> names(m_stacks);
  do
    names.push(parseAlias(true));
  while (accept(K::Comma));
  if (is(K::KwFrom))
    error("import-before-from", from(start).to(token().range()));
  auto *stmt = makeNode<Import>(start);
  stmt->names = finish(names);
  return stmt;
}

/// import_from
Stmt *Parser::parseImportFrom() {
  uint32_t start = begin();
  advance();
  uint32_t level = 0;
  for (; is(K::Dot) || is(K::Ellipsis); advance())
    level += is(K::Dot) ? 1 : 3;
  std::string_view module = level && is(K::KwImport) ? std::string_view() : parseDottedName();
  Scratch<Alias> names(m_stacks);
  if (accept(K::KwImport))
    parseImportedNames(names);
  else if (isLayout(kind()) && !m_failed)
    error("missing-import", {m_lastEnd, m_lastEnd});
  else
    unexpected();
  auto *stmt = makeNode<ImportFrom>(start);
  stmt->module = module;
  stmt->names = finish(names);
  stmt->level = level;
  return stmt;
}

/// import_from_targets
void Parser::parseImportedNames(Scratch<Alias> &names) {
  if (is(K::Star)) {
    Alias all{};
    all.name = text();
    all.range = token().range();
    advance();
    names.push(all);
    return;
  }
  bool inParentheses = accept(K::LParen);
  while (true) {
    names.push(parseAlias(false));
    const Token comma = token();
    if (inParentheses ? !nextItem(K::RParen) : !accept(K::Comma))
      break;
    if (!inParentheses && isLayout(kind())) {
      error("trailing-comma-in-import", comma.range());
      break;
    }
  }
  if (inParentheses)
    close(K::RParen);
}

Alias Parser::parseAlias(bool isDotted) {
  uint32_t start = begin();
  Alias alias{};
  SourceRange range;
  if (isDotted)
    alias.name = parseDottedName();
  else
    expectName(alias.name, range);
  if (accept(K::KwAs))
    expectName(alias.asname, range);
  alias.range = from(start);
  return alias;
}

/// dotted_name; written with spaces or line breaks in it, it is put together without them.
std::string_view Parser::parseDottedName() {
  uint32_t start = begin();
  std::string_view part;
  SourceRange range;
  if (!expectName(part, range))
    return {};
  std::string joined(part);
  while (accept(K::Dot)) {
    if (!expectName(part, range))
      break;
    joined.append(".").append(part);
  }
  SourceRange whole = from(start);
  std::string_view written = m_source.substr(whole.begin, whole.size());
  return written == joined ? written : m_arena.copy(joined);
}

} // namespace tilescope::syntax
