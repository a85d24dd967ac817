// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers, checked as CPython's tokenizer does. Their values are made by whoever needs them.
#include "compiler/Syntax/CharacterClass.h"
#include "compiler/Syntax/Lexer.h"

namespace tilescope::syntax {
namespace {

bool isDigitOf(char c, int base) {
  if (base == 16)
    return isDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  return c >= '0' && c < '0' + base;
}

int baseOf(char letter) {
  switch (letter | 0x20) {
  case 'x':
    return 16;
  case 'o':
    return 8;
  case 'b':
    return 2;
  default:
    return 10;
  }
}

} // namespace

/// Digits with single underscores between them. False when an underscore is not followed by a digit.
bool Lexer::scanDigits(int base) {
  while (true) {
    while (isDigitOf(peek(), base))
      ++m_at;
    if (peek() != '_')
      return true;
    ++m_at;
    if (!isDigitOf(peek(), base))
      return false;
  }
}

void Lexer::lexNumber() {
  uint32_t begin = m_at;
  int base = peek() == '0' ? baseOf(peek(1)) : 10;
  if (base == 10)
    return scanDecimal();
  m_at += peek(2) == '_' ? 3 : 2;
  checkNumberEnd(begin, isDigitOf(peek(), base) && scanDigits(base));
}

void Lexer::scanDecimal() {
  uint32_t begin = m_at;
  bool isValid = peek() == '.' || scanDigits(10);
  uint32_t wholeEnd = m_at;
  bool isInteger = true;
  if (isValid && peek() == '.') {
    isInteger = false;
    ++m_at;
    isValid = !isDigit(peek()) || scanDigits(10);
  }
  uint32_t sign = peek(1) == '+' || peek(1) == '-';
  if (isValid && (peek() | 0x20) == 'e' && isDigit(peek(1 + sign))) {
    isInteger = false;
    m_at += 1 + sign;
    isValid = scanDigits(10);
  }
  if (isValid && (peek() | 0x20) == 'j') {
    isInteger = false;
    ++m_at;
  }
  if (isValid && isInteger)
    checkLeadingZeros({begin, wholeEnd});
  checkNumberEnd(begin, isValid);
}

/// `012` meant eight and four in Python 2; only zeros may follow a zero now.
void Lexer::checkLeadingZeros(SourceRange range) {
  std::string_view digits(m_text + range.begin, range.size());
  size_t nonZero = digits.find_first_not_of("0_");
  if (digits[0] != '0' || nonZero == std::string_view::npos)
    return;
  std::string plain(digits.substr(nonZero));
  m_errors.error("leading-zeros", range, {std::string(digits)}).fix("write-instead", range, plain, {plain});
}

/// A number ends at anything but a letter or digit; keywords may follow at once (`1if x else 2`).
void Lexer::checkNumberEnd(uint32_t begin, bool isValid) {
  uint32_t end = m_at;
  while (isWordByte(m_text[end]) || classify(m_text[end]) == CharacterClass::Wide)
    ++end;
  if (isValid && end != m_at) {
    switch (keywordOrName({m_text + m_at, end - m_at})) {
    case TokenKind::KwAnd:
    case TokenKind::KwElse:
    case TokenKind::KwFor:
    case TokenKind::KwIf:
    case TokenKind::KwIn:
    case TokenKind::KwIs:
    case TokenKind::KwNot:
    case TokenKind::KwOr:
      end = m_at;
      break;
    default:
      isValid = false;
    }
  }
  if (!isValid)
    m_errors.error("invalid-number", {begin, end}, {std::string(m_text + begin, end - begin)});
  m_at = end;
  push(TokenKind::Number, begin, end);
}

} // namespace tilescope::syntax
