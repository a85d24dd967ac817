// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/StringLiteral.h"

#include "compiler/Syntax/CharacterClass.h"
#include "compiler/Syntax/Unicode.h"

#include <algorithm>

namespace tilescope::syntax {
namespace {

int hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool isOctal(char c) { return c >= '0' && c <= '7'; }

class Decoder {
public:
  Decoder(std::string_view text, SourceRange range, LiteralStyle style, std::string &out, ErrorLog &errors)
      : m_text(text), m_at(range.begin), m_end(range.end), m_style(style), m_out(out), m_errors(errors) {}

  void run() {
    while (m_at < m_end) {
      char c = m_text[m_at];
      if (c == '\\' && !m_style.isRaw)
        decodeEscape();
      else if (c == '\r')
        decodeLineEnd();
      else if ((c == '{' || c == '}') && m_style.doublesBraces && peek(1) == c)
        copy(1), ++m_at;
      else
        copy(1);
    }
  }

private:
  char peek(uint32_t ahead) const { return m_at + ahead < m_end ? m_text[m_at + ahead] : 0; }

  void copy(uint32_t count) {
    m_out.append(m_text, m_at, count);
    m_at += count;
  }

  void decodeLineEnd() {
    m_at += peek(1) == '\n' ? 2 : 1;
    m_out += '\n';
  }

  void decodeEscape() {
    char c = peek(1);
    constexpr std::string_view Letters = "\\'\"abfnrtv";
    constexpr std::string_view Values = "\\'\"\a\b\f\n\r\t\v";
    size_t simple = c ? Letters.find(c) : std::string_view::npos;
    if (simple != std::string_view::npos) {
      m_out += Values[simple];
      m_at += 2;
    } else if (c == '\n' || c == '\r') {
      m_at += c == '\r' && peek(2) == '\n' ? 3 : 2;
    } else if (isOctal(c)) {
      decodeOctal();
    } else if (c == 'x') {
      decodeHex(2);
    } else if (c == 'u' && !m_style.isBytes) {
      decodeHex(4);
    } else if (c == 'U' && !m_style.isBytes) {
      decodeHex(8);
    } else if (c == 'N' && !m_style.isBytes) {
      copyNamed();
    } else {
      copyUnknown();
    }
  }

  void append(uint32_t value) {
    if (m_style.isBytes)
      m_out += static_cast<char>(value);
    else
      appendUtf8(m_out, value);
  }

  void decodeOctal() {
    uint32_t begin = m_at++, value = 0;
    for (int i = 0; i < 3 && isOctal(peek(0)); ++i)
      value = value * 8 + (m_text[m_at++] - '0');
    if (value > 0377)
      m_errors.warning("octal-escape-too-large", {begin, m_at}, {written(begin)});
    append(value);
  }

  void decodeHex(uint32_t digits) {
    uint32_t begin = m_at, value = 0;
    m_at += 2;
    while (m_at < begin + 2 + digits && hexDigit(peek(0)) >= 0)
      value = value * 16 + static_cast<uint32_t>(hexDigit(m_text[m_at++]));
    if (m_at < begin + 2 + digits || value > 0x10FFFF)
      m_errors.error("invalid-escape", {begin, m_at}, {written(begin)});
    else
      append(value);
  }

  void copyNamed() {
    size_t close = m_text.find('}', m_at);
    if (peek(2) != '{' || close >= m_end) {
      m_errors.error("invalid-escape", {m_at, m_at + 2}, {"\\N"});
      return copy(2);
    }
    copy(static_cast<uint32_t>(close) + 1 - m_at);
  }

  /// As in Python the backslash stays, with a warning: a later Python will refuse it. A backslash before
  /// a brace of an f-string, or before nothing because a field follows, stands for itself.
  void copyUnknown() {
    const bool atBrace = m_style.doublesBraces && (peek(1) == '{' || peek(1) == '}');
    uint32_t length = m_at + 1 < m_end && !atBrace ? 1 + decodeUtf8(m_text, m_at + 1).length : 1;
    std::string escape(m_text.substr(m_at, length));
    m_errors.warning("unknown-escape", {m_at, m_at + length}, {escape})
        .fix("double-backslash", {m_at, m_at + length}, "\\" + escape);
    copy(length);
  }

  std::string written(uint32_t begin) const { return std::string(m_text.substr(begin, m_at - begin)); }

  std::string_view m_text;
  uint32_t m_at;
  uint32_t m_end;
  LiteralStyle m_style;
  std::string &m_out;
  ErrorLog &m_errors;
};

} // namespace

Literal splitLiteral(std::string_view text, SourceRange range) {
  Literal literal;
  uint32_t at = range.begin;
  for (; at < range.end && text[at] != '"' && text[at] != '\''; ++at) {
    char letter = static_cast<char>(text[at] | 0x20);
    literal.style.isRaw |= letter == 'r';
    literal.style.isBytes |= letter == 'b';
    literal.isFormat |= letter == 'f';
  }
  std::string_view rest = text.substr(at, range.end - at);
  size_t length = rest.size() >= 3 && rest[1] == rest[0] && rest[2] == rest[0] ? 3 : 1;
  std::string_view quotes = rest.substr(0, length);
  literal.body = {at + static_cast<uint32_t>(length), range.end};
  if (rest.size() >= 2 * length && rest.ends_with(quotes))
    literal.body.end -= static_cast<uint32_t>(length);
  return literal;
}

bool needsDecoding(std::string_view body, LiteralStyle style) {
  return std::any_of(body.begin(), body.end(), [&](char c) {
    return c == '\r' || (c == '\\' && !style.isRaw) || ((c == '{' || c == '}') && style.doublesBraces);
  });
}

void decodeLiteral(std::string_view text, SourceRange range, LiteralStyle style, std::string &out,
                   ErrorLog &errors) {
  Decoder(text, range, style, out, errors).run();
}

} // namespace tilescope::syntax
