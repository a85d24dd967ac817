// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/Lexer.h"

#include "compiler/Syntax/CharacterClass.h"
#include "compiler/Syntax/Unicode.h"

#include <cstdio>

namespace tilescope::syntax {
namespace {

constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";

/// The operator at `p`, longest first, or End. Reads at most three bytes, none beyond the NUL.
TokenKind operatorAt(const char *p) {
  using K = TokenKind;
  auto either = [&](K alone, K withEqual) { return p[1] == '=' ? withEqual : alone; };
  auto doubled = [&](K alone, K withEqual, K twice, K twiceEqual) {
    if (p[1] == p[0])
      return p[2] == '=' ? twiceEqual : twice;
    return either(alone, withEqual);
  };
  switch (*p) {
  case '(':
    return K::LParen;
  case ')':
    return K::RParen;
  case '[':
    return K::LBracket;
  case ']':
    return K::RBracket;
  case '{':
    return K::LBrace;
  case '}':
    return K::RBrace;
  case ',':
    return K::Comma;
  case ';':
    return K::Semicolon;
  case '~':
    return K::Tilde;
  case ':':
    return either(K::Colon, K::ColonEqual);
  case '.':
    return p[1] == '.' && p[2] == '.' ? K::Ellipsis : K::Dot;
  case '-':
    return p[1] == '>' ? K::Arrow : either(K::Minus, K::MinusEqual);
  case '=':
    return either(K::Equal, K::EqualEqual);
  case '!':
    return either(K::Exclamation, K::NotEqual);
  case '+':
    return either(K::Plus, K::PlusEqual);
  case '@':
    return either(K::At, K::AtEqual);
  case '%':
    return either(K::Percent, K::PercentEqual);
  case '|':
    return either(K::Pipe, K::PipeEqual);
  case '^':
    return either(K::Caret, K::CaretEqual);
  case '&':
    return either(K::Ampersand, K::AmpersandEqual);
  case '*':
    return doubled(K::Star, K::StarEqual, K::DoubleStar, K::DoubleStarEqual);
  case '/':
    return doubled(K::Slash, K::SlashEqual, K::DoubleSlash, K::DoubleSlashEqual);
  case '<':
    return doubled(K::Less, K::LessEqual, K::LeftShift, K::LeftShiftEqual);
  case '>':
    return doubled(K::Greater, K::GreaterEqual, K::RightShift, K::RightShiftEqual);
  default:
    return K::End;
  }
}

} // namespace

Lexer::Lexer(std::string_view text, ErrorLog &errors)
    : m_text(text.data()), m_size(static_cast<uint32_t>(text.size())), m_errors(errors) {
  if (text.starts_with(ByteOrderMark))
    m_at = static_cast<uint32_t>(ByteOrderMark.size());
  m_tokens.reserve(text.size() / 4 + 8);
}

std::vector<Token> Lexer::run() {
  beginLine();
  while (true) {
    while (!atEnd()) {
      if (inLiteralText())
        lexFStringMiddle();
      else
        lexToken();
    }
    if (!m_brackets.empty())
      recoverUnclosed();
    else if (!m_fstrings.empty())
      abandonFString();
    else
      break;
  }
  finish();
  return std::move(m_tokens);
}

void Lexer::lexToken() {
  char c = m_text[m_at];
  switch (classify(c)) {
  case CharacterClass::Space:
    ++m_at;
    break;
  case CharacterClass::Newline:
    lexNewline();
    break;
  case CharacterClass::Letter:
  case CharacterClass::Wide:
    lexName();
    break;
  case CharacterClass::Digit:
    lexNumber();
    break;
  case CharacterClass::Quote:
    lexString(m_at);
    break;
  case CharacterClass::Comment:
    skipLine();
    break;
  case CharacterClass::Backslash:
    lexContinuation();
    break;
  case CharacterClass::Other:
    lexOperator();
    break;
  }
}

void Lexer::skipLine() {
  while (!atEnd() && !atNewline())
    ++m_at;
}

void Lexer::skipNewline() { m_at += m_text[m_at] == '\r' && peek(1) == '\n' ? 2 : 1; }

void Lexer::lexName() {
  uint32_t begin = m_at;
  bool isWide = false;
  while (true) {
    while (isWordByte(m_text[m_at]))
      ++m_at;
    if (classify(m_text[m_at]) != CharacterClass::Wide)
      break;
    CodePoint point = decodeUtf8({m_text, m_size}, m_at);
    if (m_at == begin ? !isIdentifierStart(point.value) : !isIdentifierContinue(point.value))
      break;
    isWide = true;
    m_at += point.length;
  }
  if (m_at == begin)
    return lexUnknownCharacter();
  if (classify(m_text[m_at]) == CharacterClass::Quote && m_at - begin <= 2 && !isWide &&
      isStringPrefix({m_text + begin, m_at - begin}))
    return lexString(begin);
  push(isWide ? TokenKind::Name : keywordOrName({m_text + begin, m_at - begin}), begin, m_at);
}

void Lexer::lexOperator() {
  TokenKind kind = operatorAt(m_text + m_at);
  if (kind == TokenKind::End)
    return lexUnknownCharacter();
  if (kind == TokenKind::Dot && isDigit(peek(1)))
    return lexNumber();
  bool inField = !m_brackets.empty() && m_brackets.back().isField;
  if (inField && kind == TokenKind::ColonEqual)
    kind = TokenKind::Colon;
  if (kind >= TokenKind::LParen && kind <= TokenKind::RBrace) {
    bool opens = kind == TokenKind::LParen || kind == TokenKind::LBracket || kind == TokenKind::LBrace;
    return opens ? openBracket(kind) : closeBracket(kind);
  }
  push(kind, m_at, m_at + static_cast<uint32_t>(spelling(kind).size()));
  m_at = lastEnd();
  if (inField && kind == TokenKind::Colon)
    m_brackets.back().inSpec = true;
}

void Lexer::lexUnknownCharacter() {
  CodePoint point = decodeUtf8({m_text, m_size}, m_at);
  SourceRange range{m_at, m_at + point.length};
  bool isReported = point.value == CodePoint::Invalid || point.value == 0; // for the file as a whole
  if (isReported || m_errors.isFull()) {
    m_at = range.end;
    return;
  }
  char code[16];
  std::snprintf(code, sizeof code, "U+%04X", point.value);
  std::string written(m_text + range.begin, range.size());
  char meant = asciiLookalike(point.value);
  if (!meant) {
    m_errors.error("invalid-character", range, {written, code});
    m_at = range.end;
    return;
  }
  m_errors.error("lookalike-character", range, {written, code, std::string(1, meant)})
      .fix("write-instead", range, std::string(1, meant), {std::string(1, meant)});
  lexLookalike(meant, point.length);
}

void Lexer::lexLookalike(char meant, uint32_t length) {
  const char text[] = {meant, 0, 0};
  TokenKind kind = operatorAt(text);
  if (kind == TokenKind::LParen || kind == TokenKind::LBracket || kind == TokenKind::LBrace)
    return openBracket(kind, length);
  if (kind >= TokenKind::RParen && kind <= TokenKind::RBrace)
    return closeBracket(kind, length);
  if (kind != TokenKind::End)
    push(kind, m_at, m_at + length);
  m_at += length;
}

void Lexer::lexContinuation() {
  uint32_t begin = m_at++;
  if (atNewline()) {
    skipNewline();
    if (!atEnd())
      return;
  }
  m_errors.error("stray-backslash", {begin, begin + 1});
}

} // namespace tilescope::syntax
