// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions: names, numbers, and the calls, subscripts and attributes that follow them.
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {
namespace {

using K = TokenKind;

ConstantKind kindOfNumber(std::string_view digits) {
  bool isHex = digits.starts_with("0x") || digits.starts_with("0X");
  if (digits.ends_with('j') || digits.ends_with('J'))
    return ConstantKind::Imaginary;
  return !isHex && digits.find_first_of(".eE") != std::string_view::npos ? ConstantKind::Float
                                                                         : ConstantKind::Int;
}

} // namespace

/// await_primary
Expr *Parser::parseAwait() {
  if (!is(K::KwAwait))
    return parsePrimary();
  uint32_t start = begin();
  advance();
  Expr *value = parsePrimary();
  auto *node = makeExpr<Await>(start);
  node->value = value;
  return node;
}

Expr *Parser::parsePrimary() {
  HeightScope scope(*this);
  uint32_t start = begin();
  Expr *value = parseAtom();
  while (true) {
    switch (kind()) {
    case K::Dot:
      value = parseAttribute(start, value);
      break;
    case K::LParen:
      value = parseCall(start, value);
      break;
    case K::LBracket:
      value = parseSubscript(start, value);
      break;
    default:
      return value;
    }
    value = limitHeight(value);
  }
}

Expr *Parser::parseAttribute(uint32_t start, Expr *value) {
  SourceRange dot = token().range();
  advance();
  std::string_view attr;
  SourceRange attrRange{m_lastEnd, m_lastEnd};
  if (is(K::Name)) {
    expectName(attr, attrRange);
  } else if (isKeyword(kind()) && begin() == dot.end) {
    error("keyword-as-name", token().range(), {shown(token())});
    advance();
  } else {
    error("missing-attribute", dot);
  }
  auto *node = makeExpr<Attribute>(start);
  node->value = value;
  node->attr = attr;
  node->attrRange = attrRange;
  return node;
}

Expr *Parser::parseCall(uint32_t start, Expr *func) {
  uint32_t open = begin();
  Scratch<Expr *> args(m_stacks);
  Scratch<Keyword> keywords(m_stacks);
  parseArguments(args, keywords);
  if (args.size() == 1 && args[0]->kind == ExprKind::GeneratorExp && args[0]->range.begin == open)
    args[0]->range.end = m_lastEnd;
  auto *node = makeExpr<Call>(start);
  node->func = func;
  node->args = finish(args);
  node->keywords = finish(keywords);
  return node;
}

/// `(…)` of a call or class, with its parentheses.
void Parser::parseArguments(Scratch<Expr *> &args, Scratch<Keyword> &keywords) {
  uint32_t open = begin();
  advance();
  if (!is(K::RParen)) {
    do
      parseArgument(open, args, keywords);
    while (nextItem(K::RParen));
  }
  close(K::RParen);
}

void Parser::parseArgument(uint32_t open, Scratch<Expr *> &args, Scratch<Keyword> &keywords) {
  uint32_t start = begin();
  if (is(K::DoubleStar) || (is(K::Name) && peek() == K::Equal)) {
    keywords.push(parseKeyword());
    return;
  }
  bool isStarred = is(K::Star);
  args.push(parsePositional(open, args.empty() && keywords.empty()));
  if (keywords.empty())
    return;
  bool afterUnpacking = keywords.back().name.empty();
  if (isStarred && afterUnpacking)
    complain("unpacking-after-double-star", from(start));
  else if (!isStarred)
    complain(afterUnpacking ? "positional-after-double-star" : "positional-after-keyword", from(start));
}

/// A generator that is the only argument needs no parentheses of its own and covers those of the call.
Expr *Parser::parsePositional(uint32_t open, bool isFirst) {
  uint32_t start = begin();
  if (accept(K::Star)) {
    Expr *value = parseExpr();
    auto *node = makeExpr<Starred>(start);
    node->value = value;
    return node;
  }
  Expr *value = parseNamed();
  if (!atComprehension())
    return value;
  auto generators = parseComprehensions();
  bool isAlone = isFirst && is(K::RParen);
  if (!isAlone)
    complain("generator-needs-parentheses", from(start))
        .fix("add-parentheses", from(start),
             "(" + std::string(m_source.substr(start, m_lastEnd - start)) + ")");
  auto *node = makeExpr<GeneratorExp>(isAlone ? open : start);
  node->elt = value;
  node->generators = generators;
  return node;
}

Keyword Parser::parseKeyword() {
  uint32_t start = begin();
  Keyword keyword{};
  if (accept(K::DoubleStar)) {
    keyword.nameRange = {start, start};
  } else {
    expectName(keyword.name, keyword.nameRange);
    advance();
  }
  keyword.value = parseExpr();
  keyword.range = from(start);
  if (atComprehension())
    error("generator-needs-parentheses", from(start));
  return keyword;
}

Expr *Parser::parseSubscript(uint32_t start, Expr *value) {
  advance();
  uint32_t inside = begin();
  Expr *slice = is(K::RBracket) ? missingSubscript() : parseSlice();
  if (is(K::Comma) || slice->kind == ExprKind::Starred) {
    Scratch<Expr *> elts(m_stacks);
    elts.push(slice);
    while (nextItem(K::RBracket))
      elts.push(parseSlice());
    slice = makeTuple(inside, elts);
  }
  close(K::RBracket);
  auto *node = makeExpr<Subscript>(start);
  node->value = value;
  node->slice = slice;
  return node;
}

Expr *Parser::missingSubscript() {
  error("empty-subscript", previous().range().to(token().range()));
  return makeError(m_lastEnd);
}

Expr *Parser::parseSlice() {
  HeightScope scope(*this);
  uint32_t start = begin();
  if (is(K::Star)) {
    advance();
    Expr *value = parseExpr();
    auto *node = makeExpr<Starred>(start);
    node->value = value;
    return node;
  }
  auto isPart = [&] { return !is(K::Colon) && !is(K::Comma) && !is(K::RBracket); };
  Expr *lower = isPart() ? parseNamed() : nullptr;
  if (lower && !is(K::Colon))
    return lower;
  if (!accept(K::Colon))
    return missingExpression();
  Expr *upper = isPart() ? parseExpr() : nullptr;
  Expr *step = accept(K::Colon) && isPart() ? parseExpr() : nullptr;
  auto *node = makeExpr<Slice>(start);
  node->lower = lower;
  node->upper = upper;
  node->step = step;
  return node;
}

Expr *Parser::parseAtom() {
  switch (kind()) {
  case K::Name:
    return parseName();
  case K::Number:
    return parseNumber();
  case K::String:
  case K::FStringStart:
    return parseStrings();
  case K::LParen:
    return parseParenthesized();
  case K::LBracket:
    return parseList();
  case K::LBrace:
    return parseDictOrSet();
  case K::KwNone:
    return parseConstant(ConstantKind::None);
  case K::KwTrue:
    return parseConstant(ConstantKind::True);
  case K::KwFalse:
    return parseConstant(ConstantKind::False);
  case K::Ellipsis:
    return parseConstant(ConstantKind::Ellipsis);
  default:
    return missingExpression();
  }
}

Expr *Parser::parseName() {
  uint32_t start = begin();
  std::string_view id = nameOf(token());
  advance();
  auto *node = makeExpr<Name>(start);
  node->id = id;
  return node;
}

Expr *Parser::parseConstant(ConstantKind constant) {
  uint32_t start = begin();
  advance();
  auto *node = makeExpr<Constant>(start);
  node->constant = constant;
  return node;
}

Expr *Parser::parseNumber() {
  std::string_view digits = text();
  if (digits.find('_') != std::string_view::npos) {
    std::string plain(digits);
    std::erase(plain, '_');
    digits = m_arena.copy(plain);
  }
  auto *node = static_cast<Constant *>(parseConstant(kindOfNumber(digits)));
  node->text = digits;
  return node;
}

} // namespace tilescope::syntax
