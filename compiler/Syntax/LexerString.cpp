// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings and f-strings. A replacement field is lexed like any code, with its `{` on the stack of brackets;
// what stands between fields is FStringMiddle.
#include "compiler/Syntax/CharacterClass.h"
#include "compiler/Syntax/Lexer.h"

#include <algorithm>
#include <cstring>

namespace tilescope::syntax {
namespace {

bool hasLetter(std::string_view prefix, char lower) {
  return std::any_of(prefix.begin(), prefix.end(), [&](char c) { return (c | 0x20) == lower; });
}

} // namespace

bool Lexer::isStringPrefix(std::string_view word) {
  bool isRaw = hasLetter(word, 'r'), isBytes = hasLetter(word, 'b'), isFormat = hasLetter(word, 'f');
  if (word.size() == 1)
    return isRaw || isBytes || isFormat || (word[0] | 0x20) == 'u';
  return word.size() == 2 && isRaw && (isBytes || isFormat);
}

/// `begin` is where the prefix starts; the quote is here.
void Lexer::lexString(uint32_t begin) {
  std::string_view prefix(m_text + begin, m_at - begin);
  char quote = peek();
  bool isTriple = peek(1) == quote && peek(2) == quote;
  uint32_t body = m_at + (isTriple ? 3 : 1);
  if (closesFieldByMistake(quote, isTriple))
    return abandonFields();
  m_at = body;
  if (hasLetter(prefix, 'f')) {
    push(TokenKind::FStringStart, begin, body);
    m_fstrings.push_back({m_tokens.back(), quote, isTriple, hasLetter(prefix, 'r'), m_brackets.size()});
    return;
  }
  bool isClosed = scanString(quote, isTriple);
  if (!isClosed)
    reportUnterminated({begin, body}, isTriple);
  push(TokenKind::String, begin, m_at);
}

/// Moves past the closing quote; false when it is missing (then to the end of the line or file).
bool Lexer::scanString(char quote, bool isTriple) {
  while (!atEnd()) {
    char c = m_text[m_at];
    if (c == quote && (!isTriple || (peek(1) == quote && peek(2) == quote))) {
      m_at += isTriple ? 3 : 1;
      return true;
    }
    if (c == '\\')
      skipEscape();
    else if (!isTriple && atNewline())
      return false;
    else
      ++m_at;
  }
  return false;
}

/// Passes over a backslash and what it escapes; a line end, CRLF too, counts as one.
void Lexer::skipEscape() {
  ++m_at;
  if (atEnd())
    return;
  if (atNewline())
    skipNewline();
  else
    ++m_at;
}

/// A string open to the end of its line is shown whole; one open to the end of the file at its quotes.
void Lexer::reportUnterminated(SourceRange opening, bool isTriple) {
  if (isTriple) {
    std::string quotes(m_text + opening.end - 3, 3);
    m_errors.error("unterminated-triple-string", opening, {quotes});
    return;
  }
  std::string quote(1, m_text[opening.end - 1]);
  m_errors.error("unterminated-string", {opening.begin, m_at}, {quote})
      .fix("insert-text", {m_at, m_at}, quote, {quote});
}

// ---------------------------------------------------------------------------------------------------
// f-strings
// ---------------------------------------------------------------------------------------------------

/// Whether the text of an f-string goes on here, rather than code.
bool Lexer::inLiteralText() const {
  if (m_fstrings.empty())
    return false;
  return m_brackets.size() == m_fstrings.back().bracketsOutside ||
         (m_brackets.back().isField && m_brackets.back().inSpec);
}

bool Lexer::endsFString() const {
  const FString &string = m_fstrings.back();
  return peek() == string.quote && (!string.isTriple || (peek(1) == string.quote && peek(2) == string.quote));
}

void Lexer::lexFStringMiddle() {
  const FString &string = m_fstrings.back();
  bool inSpec = m_brackets.size() > string.bracketsOutside;
  uint32_t begin = m_at;
  auto endMiddle = [&] {
    if (m_at > begin)
      push(TokenKind::FStringMiddle, begin, m_at);
  };
  while (!atEnd() && !endsFString()) {
    char c = m_text[m_at];
    if (!string.isTriple && atNewline()) {
      if (!inSpec || !closesAfterNewline())
        break;
      m_brackets.back().inSpec = false;
      return endMiddle();
    }
    if (c == '\\') {
      skipFStringEscape(string.isRaw);
    } else if ((c == '{' || c == '}') && peek(1) == c && !inSpec) {
      m_at += 2;
    } else if (c == '{') {
      endMiddle();
      return openField();
    } else if (c == '}' && inSpec) {
      endMiddle();
      return closeBracket(TokenKind::RBrace);
    } else {
      if (c == '}')
        m_errors.error("fstring-single-brace", {m_at, m_at + 1}).fix("double-brace", {m_at, m_at + 1}, "}}");
      ++m_at;
    }
  }
  endMiddle();
  if (atEnd() || !endsFString())
    return abandonFString();
  if (inSpec)
    return abandonFields();
  endFString();
}

/// As in CPython, a field whose format ends with its line may be closed on the next.
bool Lexer::closesAfterNewline() const {
  uint32_t at = m_at;
  while (at < m_size &&
         (classify(m_text[at]) == CharacterClass::Space || classify(m_text[at]) == CharacterClass::Newline))
    ++at;
  return at < m_size && m_text[at] == '}';
}

void Lexer::openField() {
  auto isField = [](const Bracket &bracket) { return bracket.isField; };
  auto outside = m_brackets.begin() + static_cast<ptrdiff_t>(m_fstrings.back().bracketsOutside);
  if (std::count_if(outside, m_brackets.end(), isField) == MaxNestedFields)
    m_errors.error("fstring-nested-format", {m_at, m_at + 1});
  openBracket(TokenKind::LBrace, 1, true);
}

/// A backslash escapes neither brace, but `\N{…}` holds a name and no field.
void Lexer::skipFStringEscape(bool isRaw) {
  char next = peek(1);
  if (next == '{' || next == '}') {
    ++m_at;
  } else if (next == 'N' && peek(2) == '{' && !isRaw) {
    while (!atEnd() && !atNewline() && !endsFString() && peek() != '}')
      ++m_at;
    m_at += peek() == '}';
  } else {
    skipEscape();
  }
}

void Lexer::endFString() {
  uint32_t length = m_fstrings.back().isTriple ? 3 : 1;
  push(TokenKind::FStringEnd, m_at, m_at + length);
  m_at += length;
  m_fstrings.pop_back();
}

/// Whether the quote here, inside a field, would open a string that never closes: then it was meant to
/// close the f-string, and the field's brace is missing.
bool Lexer::closesFieldByMistake(char quote, bool isTriple) const {
  if (m_fstrings.empty() || m_fstrings.back().isTriple || isTriple || quote != m_fstrings.back().quote)
    return false;
  for (uint32_t i = m_at + 1; i < m_size && m_text[i] != '\n' && m_text[i] != '\r'; ++i) {
    if (m_text[i] == quote)
      return false;
    if (m_text[i] == '\\')
      ++i;
  }
  return true;
}

/// At the closing quote of an f-string with fields still open.
void Lexer::abandonFields() {
  uint32_t field = m_brackets[m_fstrings.back().bracketsOutside].at;
  m_errors.error("fstring-unclosed-field", {field, m_at})
      .note("opened-here", {field, field + 1}, {"{"})
      .fix("insert-text", {m_at, m_at}, "}", {"}"});
  closeInner(m_fstrings.back().bracketsOutside);
  endFString();
}

/// At the end of the line or file with an f-string still open.
void Lexer::abandonFString() {
  bool inField = m_brackets.size() > m_fstrings.back().bracketsOutside;
  if (inField && m_candidate && m_recoveries < MaxRecoveries)
    return recoverUnclosed();
  reportUnterminated(m_fstrings.back().start.range(), m_fstrings.back().isTriple);
  closeFString();
}

/// Supplies the end of an f-string, which covers nothing.
void Lexer::closeFString() {
  closeInner(m_fstrings.back().bracketsOutside);
  push(TokenKind::FStringEnd, lastEnd(), lastEnd());
  m_fstrings.pop_back();
}

} // namespace tilescope::syntax
