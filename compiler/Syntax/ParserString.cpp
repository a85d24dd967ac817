// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings and f-strings; literals that stand side by side are one.
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {

using K = TokenKind;

/// The parts of an f-string so far, and the text since the last field.
struct Parser::StringParts {
  explicit StringParts(ScratchStacks &stacks) : values(stacks) {}

  void cover(SourceRange part) {
    range = hasText ? range.to(part) : part;
    hasText = true;
  }

  Scratch<Expr *> values;
  std::string text;
  SourceRange range; ///< of the text
  bool hasText = false;
};

/// strings
Expr *Parser::parseStrings() {
  uint32_t start = begin();
  bool isPlain = is(K::String) && peek() != K::String && peek() != K::FStringStart;
  bool isBytes = splitLiteral(m_source, token().range()).style.isBytes;
  if (isPlain) {
    const Token literal = token();
    advance();
    return makeString(start, literalText(literal), isBytes);
  }
  StringParts parts(m_stacks);
  bool isFormat = false;
  while (is(K::String) || is(K::FStringStart)) {
    if (splitLiteral(m_source, token().range()).style.isBytes != isBytes)
      complain("mixed-bytes", from(start).to(token().range()));
    if (is(K::FStringStart)) {
      isFormat = true;
      parseFString(parts);
    } else {
      parts.text += literalText(token());
      parts.cover(token().range());
      advance();
    }
  }
  if (!isFormat)
    return makeString(start, m_arena.copy(parts.text), isBytes);
  flushText(parts);
  auto *node = makeExpr<JoinedStr>(start);
  node->values = finish(parts.values);
  return node;
}

Expr *Parser::makeString(uint32_t start, std::string_view value, bool isBytes) {
  auto *node = makeExpr<Constant>(start);
  node->constant = isBytes ? ConstantKind::Bytes : ConstantKind::String;
  node->text = value;
  return node;
}

/// The value of a String token; a view into the file where it can be.
std::string_view Parser::literalText(const Token &literal) {
  Literal parts = splitLiteral(m_source, literal.range());
  std::string_view body = m_source.substr(parts.body.begin, parts.body.size());
  if (parts.style.isBytes)
    checkBytes(parts.body);
  if (!needsDecoding(body, parts.style))
    return body;
  std::string value;
  decodeLiteral(m_source, parts.body, parts.style, value, m_errors);
  return m_arena.copy(value);
}

void Parser::checkBytes(SourceRange body) {
  for (uint32_t i = body.begin; i < body.end; ++i)
    if (static_cast<unsigned char>(m_source[i]) >= 0x80) {
      complain("bytes-not-ascii", body);
      return;
    }
}

void Parser::appendMiddle(StringParts &parts, LiteralStyle style) {
  decodeLiteral(m_source, token().range(), style, parts.text, m_errors);
  parts.cover(token().range());
  advance();
}

/// The text before a field becomes a Constant, if there is any.
void Parser::flushText(StringParts &parts) {
  if (!parts.text.empty()) {
    Expr *constant = makeString(parts.range.begin, m_arena.copy(parts.text), false);
    constant->range = parts.range;
    parts.values.push(constant);
  }
  parts.text.clear();
  parts.hasText = false;
}

/// fstring
void Parser::parseFString(StringParts &parts) {
  LiteralStyle style = splitLiteral(m_source, token().range()).style;
  style.doublesBraces = true;
  advance();
  while (is(K::FStringMiddle) || is(K::LBrace)) {
    if (is(K::LBrace))
      parseField(parts, style.isRaw);
    else
      appendMiddle(parts, style);
  }
  accept(K::FStringEnd);
}

/// fstring_replacement_field
void Parser::parseField(StringParts &parts, bool isRaw) {
  HeightScope scope(*this);
  uint32_t start = begin();
  advance();
  Expr *value = parseFieldValue();
  std::string_view selfDocumenting;
  if (accept(K::Equal)) {
    SourceRange written{start + 1, begin()};
    selfDocumenting = m_source.substr(written.begin, written.size());
    decodeLiteral(m_source, written, {.isRaw = true}, parts.text, m_errors);
    parts.cover(written);
  }
  flushText(parts);
  char conversion = is(K::Exclamation) ? parseConversion() : 0;
  JoinedStr *spec = is(K::Colon) ? parseFormatSpec(isRaw) : nullptr;
  if (!selfDocumenting.empty() && !conversion && !spec)
    conversion = 'r';
  close(K::RBrace);
  auto *node = makeExpr<FormattedValue>(start);
  node->value = value;
  node->conversion = conversion;
  node->formatSpec = spec;
  node->selfDocumenting = selfDocumenting;
  parts.values.push(node);
}

Expr *Parser::parseFieldValue() {
  if (!is(K::RBrace) && !is(K::Exclamation) && !is(K::Colon) && !is(K::Equal))
    return parseRightSide();
  error("fstring-empty-field", previous().range().to(token().range()));
  return makeError(m_lastEnd);
}

char Parser::parseConversion() {
  const Token mark = token();
  advance();
  bool isKnown = is(K::Name) && begin() == mark.end && (text() == "s" || text() == "r" || text() == "a");
  if (!isKnown) {
    error("fstring-conversion", is(K::Name) ? mark.range().to(token().range()) : mark.range());
    accept(K::Name);
    return 0;
  }
  char conversion = text()[0];
  advance();
  return conversion;
}

/// fstring_full_format_spec: from its colon to the closing brace.
JoinedStr *Parser::parseFormatSpec(bool isRaw) {
  uint32_t start = begin();
  advance();
  StringParts parts(m_stacks);
  while (is(K::FStringMiddle) || is(K::LBrace)) {
    if (is(K::LBrace))
      parseField(parts, isRaw);
    else
      appendMiddle(parts, {.isRaw = isRaw});
  }
  flushText(parts);
  auto *node = makeExpr<JoinedStr>(start);
  node->values = finish(parts.values);
  return node;
}

} // namespace tilescope::syntax
