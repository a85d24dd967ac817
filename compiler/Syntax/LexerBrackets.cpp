// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brackets, and what to do when they do not pair.
#include "compiler/Syntax/CharacterClass.h"
#include "compiler/Syntax/Lexer.h"

#include <algorithm>

namespace tilescope::syntax {
namespace {

char closerOf(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

TokenKind kindOfCloser(char open) {
  return open == '(' ? TokenKind::RParen : open == '[' ? TokenKind::RBracket : TokenKind::RBrace;
}

} // namespace

void Lexer::openBracket(TokenKind kind, uint32_t length, bool isField) {
  SourceRange range{m_at, m_at + length};
  if (m_brackets.size() >= MaxBrackets) {
    m_errors.error("too-many-brackets", range, {std::to_string(MaxBrackets)});
    closeAll();
    return skipLine();
  }
  if (m_brackets.empty())
    m_candidate.reset();
  m_brackets.push_back({spelling(kind)[0], range.begin, isField});
  push(kind, range.begin, range.end);
  m_at = range.end;
}

void Lexer::closeBracket(TokenKind kind, uint32_t length) {
  uint32_t at = m_at;
  char close = spelling(kind)[0];
  m_at += length;
  size_t outside = m_fstrings.empty() ? 0 : m_fstrings.back().bracketsOutside;
  size_t match = m_brackets.size();
  while (match > outside && closerOf(m_brackets[match - 1].open) != close)
    --match;
  bool isInsideField = m_brackets.size() > outside && m_brackets.back().isField;
  if (m_brackets.size() == outside || (match == outside && isInsideField)) {
    m_errors.error("unmatched-bracket", {at, at + length}, {std::string(1, close)});
    return;
  }
  const Bracket innermost = m_brackets.back();
  if (match != m_brackets.size()) {
    char wanted = closerOf(innermost.open);
    m_errors
        .error("mismatched-bracket", {at, at + length},
               {std::string(1, close), std::string(1, innermost.open)})
        .note("opened-here", {innermost.at, innermost.at + 1}, {std::string(1, innermost.open)})
        .fix("write-instead", {at, at + length}, std::string(1, wanted), {std::string(1, wanted)});
  }
  // A closer that fits no open bracket is taken for the one that was wanted.
  if (match > outside)
    closeInner(match);
  push(kindOfCloser(m_brackets.back().open), at, at + length);
  m_brackets.pop_back();
}

/// Supplies closing brackets, which cover nothing, until `depth` brackets are open.
void Lexer::closeInner(size_t depth) {
  uint32_t end = lastEnd();
  for (; m_brackets.size() > depth; m_brackets.pop_back())
    push(kindOfCloser(m_brackets.back().open), end, end);
}

/// Supplies the ends of whatever is open: brackets and f-strings.
void Lexer::closeAll() {
  while (!m_fstrings.empty())
    closeFString();
  closeInner(0);
}

/// A new line while brackets are open: it goes on with the expression, unless a bracket was forgotten.
void Lexer::beginLineInBrackets() {
  uint32_t begin = m_at;
  Indentation found = measureIndentation();
  bool inText = !m_fstrings.empty() && m_fstrings.back().isTriple;
  if (inText || atEnd() || atNewline() || peek() == '#')
    return;
  if (beginsStatement())
    return recoverUnclosed();
  bool closes = peek() == ')' || peek() == ']' || peek() == '}';
  bool mayEnd = !closes && found.column <= m_indents.back().column;
  if (!m_candidate && (mayEnd || !m_fstrings.empty()))
    m_candidate = Candidate{begin, m_tokens.size(), m_errors.size(), m_brackets, m_fstrings};
}

/// Whether a keyword stands here that cannot be part of an expression.
bool Lexer::beginsStatement() const {
  uint32_t end = m_at;
  while (isWordByte(m_text[end]))
    ++end;
  switch (keywordOrName({m_text + m_at, end - m_at})) {
  case TokenKind::KwAssert:
  case TokenKind::KwBreak:
  case TokenKind::KwClass:
  case TokenKind::KwContinue:
  case TokenKind::KwDef:
  case TokenKind::KwDel:
  case TokenKind::KwElif:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
  case TokenKind::KwGlobal:
  case TokenKind::KwImport:
  case TokenKind::KwNonlocal:
  case TokenKind::KwPass:
  case TokenKind::KwRaise:
  case TokenKind::KwReturn:
  case TokenKind::KwTry:
  case TokenKind::KwWhile:
  case TokenKind::KwWith:
    return true;
  default:
    return false;
  }
}

/// A bracket is still open at a line that begins a statement or at the end of the file. The statement is
/// taken to end before the first line that was indented no deeper than its own, otherwise here; reading
/// starts again from there.
void Lexer::recoverUnclosed() {
  uint32_t lineStart = m_at;
  while (lineStart > 0 && !atEnd() && m_text[lineStart - 1] != '\n' && m_text[lineStart - 1] != '\r')
    --lineStart;
  if (m_candidate && m_recoveries++ < MaxRecoveries) {
    lineStart = m_candidate->at;
    m_tokens.resize(m_candidate->tokens);
    m_errors.truncate(m_candidate->errors);
    m_brackets = std::move(m_candidate->brackets);
    m_fstrings = std::move(m_candidate->fstrings);
  }
  m_candidate.reset();
  reportUnclosed();
  closeAll();
  push(TokenKind::Newline, lastEnd(), lastEnd());
  m_at = lineStart;
  beginLine();
}

void Lexer::reportUnclosed() {
  const Bracket innermost = m_brackets.back();
  SourceRange end{lastEnd(), lastEnd()};
  if (!m_fstrings.empty()) {
    m_errors.error("fstring-unclosed-field", {innermost.at, end.end})
        .note("opened-here", m_fstrings.back().start.range(), {std::string(1, m_fstrings.back().quote)});
    return;
  }
  if (m_errors.hasErrorWithin({innermost.at, end.end}, m_errors.size()))
    return; // such as a string without end, which took the closer in
  std::string closer(1, closerOf(innermost.open));
  m_errors
      .error("unclosed-bracket", {innermost.at, innermost.at + 1}, {std::string(1, innermost.open), closer})
      .fix("insert-text", end, closer, {closer});
}

} // namespace tilescope::syntax
