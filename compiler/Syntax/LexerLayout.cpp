// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines and indentation.
#include "compiler/Syntax/CharacterClass.h"
#include "compiler/Syntax/Lexer.h"

namespace tilescope::syntax {

void Lexer::lexNewline() {
  uint32_t begin = m_at;
  skipNewline();
  if (!m_brackets.empty())
    return beginLineInBrackets();
  push(TokenKind::Newline, begin, m_at);
  beginLine();
}

/// At the start of a logical line: passes over blank lines and comments, then indents or dedents.
void Lexer::beginLine() {
  while (!atEnd()) {
    uint32_t begin = m_at;
    Indentation found = measureIndentation();
    if (peek() == '#')
      skipLine();
    if (atEnd())
      return;
    if (!atNewline())
      return indentTo(found, {begin, m_at});
    skipNewline();
  }
}

/// Passes over the white space at the start of a line. A line that is only white space and a backslash
/// lends its indentation to the next, as in CPython.
Lexer::Indentation Lexer::measureIndentation() {
  Indentation found{0, 0};
  std::optional<Indentation> continued;
  for (;; ++m_at) {
    char c = peek();
    if (c == ' ') {
      ++found.column, ++found.altColumn;
    } else if (c == '\t') {
      found.column = found.column / 8 * 8 + 8;
      ++found.altColumn;
    } else if (c == '\f') {
      found = {0, 0};
    } else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
      if (!continued)
        continued = found;
      const uint32_t backslash = m_at++;
      skipNewline();
      if (atEnd())
        m_errors.error("stray-backslash", {backslash, backslash + 1});
      --m_at;
      found = {0, 0};
    } else {
      return continued ? *continued : found;
    }
  }
}

void Lexer::indentTo(Indentation found, SourceRange range) {
  Indentation current = m_indents.back();
  if (found.column < current.column)
    return dedentTo(found, range);
  if (found.column == current.column) {
    if (found.altColumn != current.altColumn)
      reportTabs(range);
    return;
  }
  if (found.altColumn <= current.altColumn)
    reportTabs(range);
  if (m_indents.size() >= MaxIndents) {
    m_errors.error("too-many-indents", range, {std::to_string(MaxIndents)});
    return skipLine();
  }
  m_indents.push_back(found);
  push(TokenKind::Indent, range.begin, range.end);
}

/// Closes blocks until the one whose indentation was found. A line between the indentations of two blocks is
/// an error and taken to belong to the inner one, which goes on at that indentation.
void Lexer::dedentTo(Indentation found, SourceRange range) {
  while (found.column < m_indents.back().column) {
    bool between = m_indents[m_indents.size() - 2].column < found.column;
    if (between) {
      m_errors.error("inconsistent-dedent", range);
      m_indents.back() = found;
      return;
    }
    m_indents.pop_back();
    push(TokenKind::Dedent, m_at, m_at);
  }
  if (found.altColumn != m_indents.back().altColumn)
    reportTabs(range);
}

void Lexer::reportTabs(SourceRange range) { m_errors.error("inconsistent-tabs", range); }

void Lexer::finish() {
  if (!m_tokens.empty() && !isLayout(m_tokens.back().kind))
    push(TokenKind::Newline, m_size, m_size);
  for (; m_indents.size() > 1; m_indents.pop_back())
    push(TokenKind::Dedent, m_size, m_size);
  push(TokenKind::End, m_size, m_size);
}

} // namespace tilescope::syntax
