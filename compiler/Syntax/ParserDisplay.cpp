// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions in brackets: tuples, lists, sets, dicts and comprehensions.
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {

using K = TokenKind;

Expr *Parser::makeTuple(uint32_t start, const Scratch<Expr *> &elts) {
  auto *node = makeExpr<Tuple>(start);
  node->elts = finish(elts);
  return node;
}

Expr *Parser::parseParenthesized() {
  uint32_t start = begin();
  advance();
  if (accept(K::RParen))
    return makeExpr<Tuple>(start);
  if (is(K::KwYield)) {
    Expr *value = parseYield();
    close(K::RParen);
    return value;
  }
  Expr *first = parseStarred(true);
  if (atComprehension()) {
    refuseStarred(first);
    auto generators = parseComprehensions();
    close(K::RParen);
    auto *node = makeExpr<GeneratorExp>(start);
    node->elt = first;
    node->generators = generators;
    return node;
  }
  bool isTuple = is(K::Comma);
  Scratch<Expr *> elts(m_stacks);
  elts.push(first);
  while (nextItem(K::RParen))
    elts.push(parseStarred(true));
  close(K::RParen);
  if (isTuple || elts.size() > 1)
    return makeTuple(start, elts);
  refuseStarred(first);
  return first;
}

Expr *Parser::parseList() {
  uint32_t start = begin();
  advance();
  Scratch<Expr *> elts(m_stacks);
  if (!is(K::RBracket)) {
    elts.push(parseStarred(true));
    if (atComprehension()) {
      refuseStarred(elts[0]);
      auto generators = parseComprehensions();
      close(K::RBracket);
      auto *node = makeExpr<ListComp>(start);
      node->elt = elts[0];
      node->generators = generators;
      return node;
    }
    while (nextItem(K::RBracket))
      elts.push(parseStarred(true));
  }
  close(K::RBracket);
  auto *node = makeExpr<List>(start);
  node->elts = finish(elts);
  return node;
}

Expr *Parser::parseDictOrSet() {
  uint32_t start = begin();
  advance();
  if (accept(K::RBrace))
    return makeExpr<Dict>(start);
  if (accept(K::DoubleStar))
    return finishDict(start, nullptr);
  Scratch<Expr *> elts(m_stacks);
  elts.push(parseStarred(true));
  if (is(K::Colon))
    return finishDict(start, elts[0]);
  if (atComprehension()) {
    refuseStarred(elts[0]);
    auto generators = parseComprehensions();
    close(K::RBrace);
    auto *node = makeExpr<SetComp>(start);
    node->elt = elts[0];
    node->generators = generators;
    return node;
  }
  while (nextItem(K::RBrace))
    elts.push(parseStarred(true));
  close(K::RBrace);
  auto *node = makeExpr<Set>(start);
  node->elts = finish(elts);
  return node;
}

/// The rest of a dict after its first key or `**`.
Expr *Parser::finishDict(uint32_t start, Expr *key) {
  Scratch<Expr *> items(m_stacks); // key, value, key, value …
  items.push(key);
  items.push(parseDictValue(key));
  if (atComprehension())
    return finishDictComp(start, key, items[1]);
  while (nextItem(K::RBrace)) {
    Expr *next = accept(K::DoubleStar) ? nullptr : parseExpr();
    items.push(next);
    items.push(parseDictValue(next));
  }
  close(K::RBrace);
  auto *node = makeExpr<Dict>(start);
  node->keys = everySecond(items, 0);
  node->values = everySecond(items, 1);
  return node;
}

std::span<Expr *const> Parser::everySecond(const Scratch<Expr *> &items, size_t first) {
  const size_t count = items.size();
  Scratch<Expr *> chosen(m_stacks);
  for (size_t i = first; i < count; i += 2)
    chosen.push(items[i]);
  return finish(chosen);
}

Expr *Parser::finishDictComp(uint32_t start, Expr *key, Expr *value) {
  if (!key) {
    error("unpacking-in-comprehension", value->range);
    key = makeError(value->range.begin);
  }
  auto generators = parseComprehensions();
  close(K::RBrace);
  auto *node = makeExpr<DictComp>(start);
  node->key = key;
  node->value = value;
  node->generators = generators;
  return node;
}

Expr *Parser::parseDictValue(const Expr *key) {
  if (!key)
    return parseBinary(1);
  if (accept(K::Colon))
    return is(K::RBrace) || is(K::Comma) ? missingDictValue(key) : parseExpr();
  return missingDictValue(key);
}

Expr *Parser::missingDictValue(const Expr *key) {
  error("missing-dict-value", key->range);
  return makeError(m_lastEnd);
}

bool Parser::atComprehension() const { return is(K::KwFor) || (is(K::KwAsync) && peek() == K::KwFor); }

/// for_if_clauses
std::span<const Comprehension> Parser::parseComprehensions() {
  Scratch<Comprehension> generators(m_stacks);
  while (atComprehension())
    generators.push(parseComprehension());
  return finish(generators);
}

Comprehension Parser::parseComprehension() {
  Comprehension generator{};
  generator.isAsync = accept(K::KwAsync);
  advance();
  generator.target = parseTargets();
  expectIn();
  generator.iter = parseOr();
  Scratch<Expr *> ifs(m_stacks);
  while (accept(K::KwIf))
    ifs.push(parseOr());
  generator.ifs = finish(ifs);
  return generator;
}

/// A star stands only among others: in a tuple, list, set or call.
void Parser::refuseStarred(const Expr *elt) {
  if (elt->kind == ExprKind::Starred)
    complain(atComprehension() ? "unpacking-in-comprehension" : "starred-alone", elt->range);
}

} // namespace tilescope::syntax
