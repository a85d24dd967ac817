// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving through the tokens, and what happens at one that does not fit.
#include "compiler/Syntax/ParserImpl.h"
#include "compiler/Syntax/Unicode.h"

namespace tilescope::syntax {

using K = TokenKind;

Parser::Parser(Module &module, std::vector<Token> tokens, ErrorLog &errors)
    : m_source(module.file->text()), m_arena(module.arena), m_module(module), m_tokens(std::move(tokens)),
      m_errors(errors), m_lexerErrors(errors.size()) {}

void Parser::advance() {
  if (isLayout(kind()))
    return;
  m_lastEnd = token().end;
  ++m_at;
}

/// The text of a Name as Python compares it.
std::string_view Parser::nameOf(const Token &t) {
  std::string_view written = textOf(t);
  bool isAscii = std::all_of(written.begin(), written.end(), [](unsigned char c) { return c < 0x80; });
  if (isAscii)
    return written;
  std::string plain = plainName(written);
  return plain.empty() ? written : m_arena.copy(plain);
}

/// Passes over Newline, Indent or Dedent.
void Parser::skipLayout() { m_at += !is(K::End); }

bool Parser::accept(TokenKind k) {
  if (!is(k))
    return false;
  advance();
  return true;
}

void Parser::goBack(const Place &place) {
  m_at = place.at;
  m_lastEnd = place.lastEnd;
  m_failed = place.failed;
  m_errors.truncate(place.errors);
}

Expr *Parser::limitHeight(Expr *expr) {
  if (m_height <= MaxHeight)
    return expr;
  m_height = 0;
  error("expression-too-long", expr->range);
  return makeError(expr->range.begin);
}

/// Gives up the rest of the line: whatever is nested so deep is not worth reading on.
Expr *Parser::tooDeep() {
  uint32_t start = begin();
  error("too-deeply-nested", token().range());
  skipToLineEnd();
  return makeError(start);
}

// ---------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------

/// Reports what makes the rest of the statement unreadable, unless the statement has an error already.
Report Parser::error(std::string id, SourceRange range, std::vector<std::string> arguments) {
  Report report = complain(std::move(id), range, std::move(arguments));
  m_failed = true;
  return report;
}

/// Reports a mistake after which reading goes on as if nothing had happened.
Report Parser::complain(std::string id, SourceRange range, std::vector<std::string> arguments) {
  m_complained = true;
  if (m_failed || m_errors.isFull() ||
      m_errors.hasErrorWithin({m_statementBegin, std::max(range.end, begin())}, m_lexerErrors))
    return {};
  return m_errors.error(std::move(id), range, std::move(arguments));
}

/// A piece of the source as a message quotes it: its first line, cut where that is long.
std::string Parser::shown(SourceRange range) const {
  constexpr size_t Longest = 30;
  std::string_view written = m_source.substr(range.begin, range.size());
  size_t end = std::min(written.find_first_of("\r\n"), written.size());
  if (end == written.size() && end <= Longest)
    return std::string(written);
  end = std::min(end, Longest);
  while (end > 0 && (static_cast<unsigned char>(written[end]) & 0xC0) == 0x80)
    --end;
  return std::string(written.substr(0, end)) + "…";
}

/// The token here fits nowhere.
void Parser::unexpected() {
  if (m_failed)
    return;
  if (foreignOperator())
    return;
  if (isLayout(kind()))
    error("unexpected-end-of-line", previous().range(), {shown(previous())});
  else if (is(K::Equal))
    error("assignment-in-expression", token().range()).fix("write-instead", token().range(), "==", {"=="});
  else if (is(K::ColonEqual))
    error("walrus-needs-parentheses", token().range());
  else if (isKeyword(kind()))
    error("unexpected-keyword", token().range(), {shown(token())});
  else if (TokenKind meant = nearestKeyword(text(), joinsExpressions); is(K::Name) && meant != K::Name)
    misspelt(meant);
  else
    error("unexpected-token", token().range(), {shown(token())});
}

/// An expression should begin here and does not.
Expr *Parser::missingExpression() {
  bool isLineEnd = isLayout(kind());
  if (!isLineEnd)
    m_lastEnd = begin();
  const uint32_t start = m_lastEnd;
  if (m_failed || foreignOperator() || foreignComment())
    return makeError(start);
  bool isCloser = is(K::RParen) || is(K::RBracket) || is(K::RBrace) || is(K::Comma) || is(K::Colon);
  if ((isLineEnd || isCloser) && m_at > 0 && !isLayout(previous().kind))
    error("missing-expression", previous().range(), {shown(previous())});
  else if (isKeyword(kind()))
    error("keyword-in-expression", token().range(), {shown(token())});
  else
    unexpected();
  return makeError(start);
}

/// Operators of C and its kin: `&&`, `||`, `!x`, `x++`.
bool Parser::foreignOperator() {
  if (m_at == 0 || m_failed)
    return false;
  const Token &last = previous();
  bool isDoubled = is(last.kind) && last.end == begin();
  SourceRange both = last.range().to(token().range());
  auto use = [&](SourceRange range, const char *instead, const char *before = "", const char *after = "") {
    error("foreign-operator", range, {shown(range), instead})
        .fix("write-instead", range, std::string(before) + instead + after, {instead});
    return true;
  };
  if (isDoubled && is(K::Ampersand))
    return use(both, "and");
  if (isDoubled && is(K::Pipe))
    return use(both, "or");
  if (is(K::Exclamation))
    return use(token().range(), "not", "", " ");
  bool isIncrement = isLayout(kind()) && m_at > 1 && (last.kind == K::Plus || last.kind == K::Minus) &&
                     m_tokens[m_at - 2].kind == last.kind && m_tokens[m_at - 2].end == last.begin;
  if (isIncrement)
    return use(m_tokens[m_at - 2].range().to(last.range()), last.kind == K::Plus ? "+= 1" : "-= 1", " ");
  return false;
}

/// `// …` at the start of a line.
bool Parser::foreignComment() {
  if (!is(K::DoubleSlash) || (m_at > 0 && !isLayout(previous().kind)))
    return false;
  error("foreign-comment", token().range()).fix("write-instead", token().range(), "#", {"#"});
  return true;
}

// ---------------------------------------------------------------------------------------------------
// Going on
// ---------------------------------------------------------------------------------------------------

/// To the closer of the innermost open bracket or the end of the line, past pairs of brackets.
void Parser::skipToCloser() {
  for (int depth = 0; !isLayout(kind()); advance()) {
    bool opens = is(K::LParen) || is(K::LBracket) || is(K::LBrace) || is(K::FStringStart);
    bool closes = is(K::RParen) || is(K::RBracket) || is(K::RBrace) || is(K::FStringEnd);
    if (closes && depth == 0)
      return;
    depth += opens - closes;
  }
}

void Parser::skipToLineEnd() {
  while (!isLayout(kind()))
    advance();
}

/// Between items in brackets: whether another follows. A forgotten comma is reported and supplied.
bool Parser::nextItem(TokenKind closer) {
  if (accept(K::Comma))
    return !is(closer) && !isLayout(kind());
  if (is(closer) || !startsExpression(kind()) || m_failed)
    return false;
  SourceRange gap{m_lastEnd, m_lastEnd};
  error("missing-comma", gap).fix("insert-text", gap, ",", {","});
  return true;
}

void Parser::close(TokenKind closer) {
  if (accept(closer))
    return;
  unexpected();
  skipToCloser();
  accept(closer);
}

bool Parser::expectName(std::string_view &name, SourceRange &range) {
  range = {m_lastEnd, m_lastEnd};
  if (is(K::Name)) {
    name = nameOf(token());
    range = token().range();
    advance();
    return true;
  }
  if (isKeyword(kind())) {
    error("keyword-as-name", token().range(), {shown(token())});
    advance();
  } else if (isLayout(kind())) {
    error("missing-name-after", previous().range(), {shown(previous().range())});
  } else {
    error("missing-name", token().range(), {shown(token().range())});
  }
  return false;
}

/// The colon that ends a header. Without it the header is taken to end where its body seems to begin,
/// otherwise at the next colon or the line's end.
void Parser::expectColon(const Token &keyword) {
  if (accept(K::Colon))
    return;
  SourceRange end{m_lastEnd, m_lastEnd};
  bool isForgotten =
      isLayout(kind()) || ((startsExpression(kind()) || isKeyword(kind())) && !hasColonAhead());
  if (isForgotten && !m_failed) {
    error("missing-colon", end, {shown(keyword)}).fix("insert-text", end, ":", {":"});
    return;
  }
  unexpected();
  while (!isLayout(kind()) && !is(K::Colon))
    is(K::LParen) || is(K::LBracket) || is(K::LBrace) ? skipBrackets() : advance();
  accept(K::Colon);
}

/// Whether a colon outside brackets comes before the end of the line.
bool Parser::hasColonAhead() const {
  int depth = 0;
  for (size_t i = m_at; !isLayout(m_tokens[i].kind); ++i) {
    TokenKind k = m_tokens[i].kind;
    depth += k == K::LParen || k == K::LBracket || k == K::LBrace;
    depth -= k == K::RParen || k == K::RBracket || k == K::RBrace;
    if (k == K::Colon && depth == 0)
      return true;
  }
  return false;
}

/// Past an open bracket and everything up to its closer.
void Parser::skipBrackets() {
  advance();
  skipToCloser();
  if (!isLayout(kind()))
    advance();
}

/// After a simple statement a line end or `;` should stand.
void Parser::afterSimpleStatement(const Token &first) {
  if (!isLayout(kind()) && !is(K::Semicolon) && !printStatement(first))
    unexpected();
}

/// Whether the name that begins a line was probably meant to be a keyword: what follows it can follow no
/// name, or the line ends as a header does.
bool Parser::isMisspelt() const {
  if (!is(K::Name) || (m_at > 0 && !isLayout(previous().kind)))
    return false;
  TokenKind meant = nearestKeyword(text(), beginsStatement);
  if (meant == K::Name || peek() == K::Dot || peek() == K::Equal || isWord("match") || isWord("type"))
    return false;
  bool isLiteral =
      peek() == K::KwNone || peek() == K::KwTrue || peek() == K::KwFalse || peek() == K::KwLambda;
  if (peek() == K::Name || peek() == K::Number || peek() == K::String || isLiteral)
    return true;
  size_t end = m_at;
  while (!isLayout(m_tokens[end].kind))
    ++end;
  return m_tokens[end].kind == K::Newline && m_tokens[end - 1].kind == K::Colon;
}

/// Mends the keyword; the rest of the statement is read without further errors.
void Parser::respell() {
  TokenKind meant = nearestKeyword(text(), beginsStatement);
  misspelt(meant);
  m_tokens[m_at].kind = meant;
}

void Parser::misspelt(TokenKind meant) {
  std::string keyword(spelling(meant));
  error("misspelt-keyword", token().range(), {shown(token()), keyword})
      .fix("write-instead", token().range(), keyword, {keyword});
}

/// `print x` of Python 2.
bool Parser::printStatement(const Token &first) {
  bool isPrint = first.kind == K::Name && (textOf(first) == "print" || textOf(first) == "exec");
  if (!isPrint || m_lastEnd != first.end || m_failed || !startsExpression(kind()))
    return false;
  uint32_t argument = begin();
  Report report = error("print-needs-parentheses", first.range(), {shown(first)});
  skipToLineEnd();
  std::string arguments(m_source.substr(argument, m_lastEnd - argument));
  report.fix("add-parentheses", {first.end, m_lastEnd}, "(" + arguments + ")");
  return true;
}

} // namespace tilescope::syntax
