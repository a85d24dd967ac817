// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `match` and its patterns (PEP 634).
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {

using K = TokenKind;

/// Whether the name `match` here begins a statement: its line ends with a colon, which no expression's does.
bool Parser::atMatch() const {
  if (!isWord("match") || (m_at > 0 && !isLayout(previous().kind)) ||
      (!startsExpression(peek()) && peek() != K::Star))
    return false;
  size_t end = m_at;
  while (!isLayout(m_tokens[end].kind))
    ++end;
  return m_tokens[end].kind == K::Newline && m_tokens[end - 1].kind == K::Colon;
}

/// match_stmt
Stmt *Parser::parseMatch() {
  const Token keyword = beginClause();
  uint32_t inside = begin();
  Expr *subject = parseStarred(true);
  if (is(K::Comma))
    subject = finishTuple(inside, subject, true);
  expectColon(keyword);
  if (!isLayout(kind()))
    unexpected();
  skipToLineEnd();
  skipLayout();
  Scratch<MatchCase> cases(m_stacks);
  if (is(K::Indent)) {
    skipLayout();
    parseCases(cases);
    if (is(K::Dedent))
      skipLayout();
  } else {
    missingBlock(keyword);
  }
  auto *stmt = makeNode<Match>(keyword.begin);
  stmt->subject = subject;
  stmt->cases = finish(cases);
  return stmt;
}

/// Case blocks up to the Dedent; other statements between them are an error and left out.
void Parser::parseCases(Scratch<MatchCase> &cases) {
  while (!is(K::Dedent) && !is(K::End)) {
    if (isWord("case")) {
      cases.push(parseCase());
      continue;
    }
    m_failed = false;
    m_statementBegin = begin();
    error("expected-case", token().range());
    Scratch<Stmt *> ignored(m_stacks);
    parseStatement(ignored);
  }
}

/// case_block
MatchCase Parser::parseCase() {
  const Token keyword = beginClause();
  MatchCase result{};
  result.pattern = parseOpenPattern();
  result.guard = accept(K::KwIf) ? parseNamed() : nullptr;
  result.body = parseBlock(keyword);
  return result;
}

Pattern *Parser::makePattern(PatternKind kind, uint32_t start) {
  auto *pattern = m_arena.make<Pattern>();
  pattern->kind = kind;
  pattern->range = from(start);
  return pattern;
}

/// patterns: a sequence may go without brackets here.
Pattern *Parser::parseOpenPattern() {
  uint32_t start = begin();
  Pattern *first = parseMaybeStarPattern();
  if (!is(K::Comma)) {
    if (first->kind == PatternKind::Star)
      complain("starred-alone", first->range);
    return first;
  }
  Scratch<Pattern *> patterns(m_stacks);
  patterns.push(first);
  while (accept(K::Comma) && !is(K::Colon) && !is(K::KwIf) && !isLayout(kind()))
    patterns.push(parseMaybeStarPattern());
  return makeSequence(start, patterns);
}

Pattern *Parser::makeSequence(uint32_t start, const Scratch<Pattern *> &patterns) {
  Pattern *sequence = makePattern(PatternKind::Sequence, start);
  sequence->patterns = finish(patterns);
  return sequence;
}

/// maybe_star_pattern
Pattern *Parser::parseMaybeStarPattern() {
  if (!is(K::Star))
    return parsePattern();
  uint32_t start = begin();
  advance();
  std::string_view name;
  SourceRange nameRange;
  expectName(name, nameRange);
  Pattern *star = makePattern(PatternKind::Star, start);
  star->name = name == "_" ? std::string_view() : name;
  return star;
}

/// pattern: perhaps with `as name`
Pattern *Parser::parsePattern() {
  uint32_t start = begin();
  Pattern *inner = parseOrPattern();
  if (!accept(K::KwAs))
    return inner;
  std::string_view name;
  SourceRange nameRange;
  if (expectName(name, nameRange) && name == "_")
    complain("pattern-name-underscore", nameRange);
  Pattern *pattern = makePattern(PatternKind::As, start);
  pattern->pattern = inner;
  pattern->name = name;
  return pattern;
}

Pattern *Parser::parseOrPattern() {
  uint32_t start = begin();
  Pattern *first = parseClosedPattern();
  if (!is(K::Pipe))
    return first;
  Scratch<Pattern *> patterns(m_stacks);
  patterns.push(first);
  while (accept(K::Pipe))
    patterns.push(parseClosedPattern());
  Pattern *either = makePattern(PatternKind::Or, start);
  either->patterns = finish(patterns);
  return either;
}

Pattern *Parser::parseClosedPattern() {
  uint32_t start = begin();
  switch (kind()) {
  case K::Name:
    return parseNamePattern();
  case K::LParen:
  case K::LBracket:
    return parseGroupOrSequence();
  case K::LBrace:
    return parseMappingPattern();
  case K::KwNone:
  case K::KwTrue:
  case K::KwFalse: {
    Expr *value = parseAtom();
    Pattern *pattern = makePattern(PatternKind::Singleton, start);
    pattern->value = value;
    return pattern;
  }
  default: {
    Expr *value = parsePatternLiteral();
    Pattern *pattern = makePattern(PatternKind::Value, start);
    pattern->value = value;
    return pattern;
  }
  }
}

/// A number (with sign, or complex) or a string: literal_expr
Expr *Parser::parsePatternLiteral() {
  uint32_t start = begin();
  if (is(K::String) || is(K::FStringStart)) {
    Expr *value = parseStrings();
    if (value->kind == ExprKind::JoinedStr)
      complain("pattern-not-literal", value->range);
    return value;
  }
  if (!is(K::Number) && !is(K::Minus)) {
    if (startsExpression(kind()))
      error("pattern-not-literal", token().range());
    return missingExpression();
  }
  Expr *left = parseSignedNumber();
  if (!is(K::Plus) && !is(K::Minus))
    return left;
  const Token op = token();
  advance();
  Expr *right = parseSignedNumber();
  auto *node = makeExpr<BinOp>(start);
  node->op = op.kind == K::Plus ? BinaryOperator::Add : BinaryOperator::Sub;
  node->opRange = op.range();
  node->left = left;
  node->right = right;
  checkComplex(*node);
  return node;
}

Expr *Parser::parseSignedNumber() {
  uint32_t start = begin();
  bool isNegative = accept(K::Minus);
  Expr *number = is(K::Number) ? parseNumber() : missingExpression();
  if (!isNegative)
    return number;
  auto *node = makeExpr<UnaryOp>(start);
  node->op = UnaryOperator::USub;
  node->operand = number;
  return node;
}

/// `1 + 2j`: a real number first, an imaginary one last.
void Parser::checkComplex(const BinOp &sum) {
  const Expr *real = sum.left;
  if (auto *negative = dynCast<UnaryOp>(real))
    real = negative->operand;
  auto *first = dynCast<Constant>(real);
  auto *last = dynCast<Constant>(sum.right);
  bool isComplex = first && last && first->constant != ConstantKind::Imaginary &&
                   last->constant == ConstantKind::Imaginary;
  if (!isComplex)
    complain("pattern-not-literal", sum.range);
}

/// A capture, the wildcard, a dotted name (a value) or a class.
Pattern *Parser::parseNamePattern() {
  uint32_t start = begin();
  Expr *name = parseName();
  bool isDotted = is(K::Dot);
  while (is(K::Dot))
    name = limitHeight(parseAttribute(start, name));
  if (is(K::LParen))
    return parseClassPattern(start, name);
  if (isDotted) {
    Pattern *value = makePattern(PatternKind::Value, start);
    value->value = name;
    return value;
  }
  Pattern *capture = makePattern(PatternKind::As, start);
  std::string_view id = cast<Name>(name).id;
  capture->name = id == "_" ? std::string_view() : id;
  return capture;
}

/// class_pattern: positional ones first, then `attr=pattern`.
Pattern *Parser::parseClassPattern(uint32_t start, Expr *name) {
  advance();
  Scratch<Pattern *> patterns(m_stacks);
  Scratch<std::string_view> attrs(m_stacks);
  size_t positional = 0;
  if (!is(K::RParen)) {
    do {
      uint32_t argument = begin();
      bool isKeyword = is(K::Name) && peek() == K::Equal;
      if (isKeyword) {
        attrs.push(nameOf(token()));
        advance();
        advance();
      }
      patterns.push(parsePattern());
      if (!isKeyword && !attrs.empty())
        complain("positional-after-keyword", from(argument));
      positional += attrs.empty();
    } while (nextItem(K::RParen));
  }
  close(K::RParen);
  Pattern *pattern = makePattern(PatternKind::Class, start);
  std::span<Pattern *const> all = finish(patterns);
  pattern->value = name;
  pattern->patterns = all.first(positional);
  pattern->kwdAttrs = finish(attrs);
  pattern->kwdPatterns = all.subspan(positional);
  return pattern;
}

/// `(pattern)` is the pattern itself; anything else in brackets is a sequence.
Pattern *Parser::parseGroupOrSequence() {
  uint32_t start = begin();
  TokenKind closer = is(K::LParen) ? K::RParen : K::RBracket;
  advance();
  Scratch<Pattern *> patterns(m_stacks);
  bool isGroup = false;
  if (!is(closer)) {
    patterns.push(parseMaybeStarPattern());
    isGroup = closer == K::RParen && is(closer);
    while (nextItem(closer))
      patterns.push(parseMaybeStarPattern());
  }
  close(closer);
  if (!isGroup)
    return makeSequence(start, patterns);
  if (patterns[0]->kind == PatternKind::Star)
    complain("starred-alone", patterns[0]->range);
  return patterns[0];
}

/// mapping_pattern
Pattern *Parser::parseMappingPattern() {
  uint32_t start = begin();
  advance();
  Scratch<Expr *> keys(m_stacks);
  Scratch<Pattern *> patterns(m_stacks);
  std::string_view rest;
  while (!is(K::RBrace)) {
    if (!rest.empty())
      complain("pattern-after-rest", token().range());
    if (accept(K::DoubleStar)) {
      SourceRange nameRange;
      if (expectName(rest, nameRange) && rest == "_")
        complain("pattern-name-underscore", nameRange);
    } else {
      keys.push(parseMappingKey());
      if (!accept(K::Colon))
        missingDictValue(keys.back());
      patterns.push(parsePattern());
    }
    if (!nextItem(K::RBrace))
      break;
  }
  close(K::RBrace);
  Pattern *mapping = makePattern(PatternKind::Mapping, start);
  mapping->keys = finish(keys);
  mapping->patterns = finish(patterns);
  mapping->name = rest;
  return mapping;
}

Expr *Parser::parseMappingKey() {
  if (is(K::KwNone) || is(K::KwTrue) || is(K::KwFalse))
    return parseAtom();
  if (!is(K::Name))
    return parsePatternLiteral();
  uint32_t start = begin();
  Expr *name = parseName();
  if (!is(K::Dot))
    complain("pattern-key-name", name->range);
  while (is(K::Dot))
    name = limitHeight(parseAttribute(start, name));
  return name;
}

} // namespace tilescope::syntax
