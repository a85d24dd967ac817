// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions: operators, from the loosest to the tightest.
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {
namespace {

using K = TokenKind;

constexpr int Tightest = 6;

/// `|` binds at 1, `*` at 6; 0 for what is no binary operator (`**` is not among them).
int precedence(TokenKind kind) {
  switch (kind) {
  case K::Pipe:
    return 1;
  case K::Caret:
    return 2;
  case K::Ampersand:
    return 3;
  case K::LeftShift:
  case K::RightShift:
    return 4;
  case K::Plus:
  case K::Minus:
    return 5;
  case K::Star:
  case K::At:
  case K::Slash:
  case K::Percent:
  case K::DoubleSlash:
    return Tightest;
  default:
    return 0;
  }
}

static_assert(static_cast<int>(K::DoubleSlash) - static_cast<int>(K::Plus) ==
              static_cast<int>(BinaryOperator::FloorDiv));
BinaryOperator binaryOperator(TokenKind kind) {
  return static_cast<BinaryOperator>(static_cast<int>(kind) - static_cast<int>(K::Plus));
}

} // namespace

/// expression
Expr *Parser::parseExpr() {
  Nested nested(*this);
  if (nested.isTooDeep())
    return tooDeep();
  HeightScope scope(*this);
  if (is(K::KwLambda))
    return parseLambda();
  uint32_t start = begin();
  Expr *body = parseOr();
  if (!accept(K::KwIf))
    return body;
  Expr *test = parseOr();
  Expr *orelse = nullptr;
  if (accept(K::KwElse)) {
    orelse = parseExpr();
  } else {
    error("conditional-without-else", from(start));
    orelse = makeError(m_lastEnd);
  }
  auto *node = makeExpr<IfExp>(start);
  node->test = test;
  node->body = body;
  node->orelse = orelse;
  return node;
}

/// named_expression
Expr *Parser::parseNamed() {
  if (!is(K::Name) || peek() != K::ColonEqual) {
    Expr *value = parseExpr();
    if (is(K::ColonEqual))
      error("walrus-target", value->range);
    return value;
  }
  HeightScope scope(*this);
  uint32_t start = begin();
  auto *target = static_cast<Name *>(parseName());
  advance();
  Expr *value = parseExpr();
  auto *node = makeExpr<NamedExpr>(start);
  node->target = target;
  node->value = value;
  return node;
}

/// star_named_expression, or star_expression
Expr *Parser::parseStarred(bool allowNamed) {
  if (!is(K::Star))
    return allowNamed ? parseNamed() : parseExpr();
  HeightScope scope(*this);
  uint32_t start = begin();
  advance();
  Expr *value = parseBinary(1);
  auto *node = makeExpr<Starred>(start);
  node->value = value;
  return node;
}

/// star_expressions
Expr *Parser::parseStarExprs() {
  uint32_t start = begin();
  Expr *first = parseStarred(false);
  if (is(K::Comma))
    return finishTuple(start, first, false);
  refuseStarred(first);
  return first;
}

/// The rest of a tuple without parentheses, at its first comma.
Expr *Parser::finishTuple(uint32_t start, Expr *first, bool allowNamed) {
  Scratch<Expr *> elts(m_stacks);
  elts.push(first);
  while (accept(K::Comma) && (startsExpression(kind()) || is(K::Star)))
    elts.push(parseStarred(allowNamed));
  return makeTuple(start, elts);
}

/// annotated_rhs: what may stand to the right of `=`
Expr *Parser::parseRightSide() { return is(K::KwYield) ? parseYield() : parseStarExprs(); }

/// The same where another `=` may follow, so that a star may turn out to be part of a target.
Expr *Parser::parseTargetOrRightSide() {
  if (is(K::KwYield))
    return parseYield();
  uint32_t start = begin();
  Expr *first = parseStarred(false);
  return is(K::Comma) ? finishTuple(start, first, false) : first;
}

Expr *Parser::parseYield() {
  uint32_t start = begin();
  advance();
  if (accept(K::KwFrom)) {
    Expr *value = parseExpr();
    auto *node = makeExpr<YieldFrom>(start);
    node->value = value;
    return node;
  }
  Expr *value = startsExpression(kind()) || is(K::Star) ? parseStarExprs() : nullptr;
  auto *node = makeExpr<Yield>(start);
  node->value = value;
  return node;
}

/// disjunction
Expr *Parser::parseOr() {
  uint32_t start = begin();
  Expr *first = parseAnd();
  if (!is(K::KwOr))
    return first;
  Scratch<Expr *> values(m_stacks);
  values.push(first);
  while (accept(K::KwOr))
    values.push(parseAnd());
  auto *node = makeExpr<BoolOp>(start);
  node->op = BoolOperator::Or;
  node->values = finish(values);
  return node;
}

/// conjunction
Expr *Parser::parseAnd() {
  HeightScope scope(*this);
  uint32_t start = begin();
  Expr *first = parseNot();
  if (!is(K::KwAnd))
    return first;
  Scratch<Expr *> values(m_stacks);
  values.push(first);
  while (accept(K::KwAnd))
    values.push(parseNot());
  auto *node = makeExpr<BoolOp>(start);
  node->op = BoolOperator::And;
  node->values = finish(values);
  return node;
}

/// inversion
Expr *Parser::parseNot() {
  if (!is(K::KwNot))
    return parseComparison();
  Nested nested(*this);
  if (nested.isTooDeep())
    return tooDeep();
  HeightScope scope(*this);
  uint32_t start = begin();
  advance();
  Expr *operand = parseNot();
  auto *node = makeExpr<UnaryOp>(start);
  node->op = UnaryOperator::Not;
  node->operand = operand;
  return node;
}

/// comparison
Expr *Parser::parseComparison() {
  HeightScope scope(*this);
  uint32_t start = begin();
  Expr *left = parseBinary(1);
  CompareOperator op;
  if (!acceptCompareOperator(op))
    return left;
  Scratch<CompareOperator> ops(m_stacks);
  Scratch<Expr *> comparators(m_stacks);
  do {
    ops.push(op);
    comparators.push(parseBinary(1));
  } while (acceptCompareOperator(op));
  auto *node = makeExpr<Compare>(start);
  node->left = left;
  node->ops = finish(ops);
  node->comparators = finish(comparators);
  return node;
}

bool Parser::acceptCompareOperator(CompareOperator &op) {
  auto found = [&](CompareOperator which) {
    op = which;
    advance();
    return true;
  };
  switch (kind()) {
  case K::EqualEqual:
    return found(CompareOperator::Eq);
  case K::NotEqual:
    return found(CompareOperator::NotEq);
  case K::LessEqual:
    return found(CompareOperator::LtE);
  case K::Greater:
    return found(CompareOperator::Gt);
  case K::GreaterEqual:
    return found(CompareOperator::GtE);
  case K::KwIn:
    return found(CompareOperator::In);
  case K::Less:
    if (peek() == K::Greater && m_tokens[m_at + 1].begin == token().end) {
      complain("old-not-equal", token().range().to(m_tokens[m_at + 1].range()))
          .fix("write-instead", token().range().to(m_tokens[m_at + 1].range()), "!=", {"!="});
      advance();
      return found(CompareOperator::NotEq);
    }
    return found(CompareOperator::Lt);
  case K::KwIs:
    found(CompareOperator::Is);
    if (accept(K::KwNot))
      op = CompareOperator::IsNot;
    return true;
  case K::KwNot:
    if (peek() != K::KwIn)
      return false;
    advance();
    return found(CompareOperator::NotIn);
  default:
    return false;
  }
}

/// bitwise_or and what binds more tightly, up to term: operators of at least this precedence.
Expr *Parser::parseBinary(int least) {
  HeightScope scope(*this);
  uint32_t start = begin();
  Expr *left = parseUnary();
  for (int found; (found = precedence(kind())) >= least && found > 0;) {
    const Token op = token();
    advance();
    Expr *right = found == Tightest ? parseUnary() : parseBinary(found + 1);
    auto *node = makeExpr<BinOp>(start);
    node->op = binaryOperator(op.kind);
    node->opRange = op.range();
    node->left = left;
    node->right = right;
    left = limitHeight(node);
  }
  return left;
}

/// factor
Expr *Parser::parseUnary() {
  UnaryOperator op;
  switch (kind()) {
  case K::Plus:
    op = UnaryOperator::UAdd;
    break;
  case K::Minus:
    op = UnaryOperator::USub;
    break;
  case K::Tilde:
    op = UnaryOperator::Invert;
    break;
  default:
    return parsePower();
  }
  Nested nested(*this);
  if (nested.isTooDeep())
    return tooDeep();
  uint32_t start = begin();
  advance();
  Expr *operand = parseUnary();
  auto *node = makeExpr<UnaryOp>(start);
  node->op = op;
  node->operand = operand;
  return node;
}

/// power
Expr *Parser::parsePower() {
  uint32_t start = begin();
  Expr *left = parseAwait();
  if (!is(K::DoubleStar))
    return left;
  Nested nested(*this);
  if (nested.isTooDeep())
    return tooDeep();
  SourceRange opRange = token().range();
  advance();
  Expr *right = parseUnary();
  auto *node = makeExpr<BinOp>(start);
  node->op = BinaryOperator::Pow;
  node->opRange = opRange;
  node->left = left;
  node->right = right;
  return node;
}

} // namespace tilescope::syntax
