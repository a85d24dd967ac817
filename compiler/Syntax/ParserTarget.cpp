// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be assigned to. Targets are read as expressions and checked afterwards.
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {
namespace {

using K = TokenKind;

/// The id of the error for an expression that is no target, otherwise null.
const char *whyNoTarget(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Name:
  case ExprKind::Attribute:
  case ExprKind::Subscript:
  case ExprKind::Starred:
  case ExprKind::Tuple:
  case ExprKind::List:
  case ExprKind::Error:
    return nullptr;
  case ExprKind::Constant: {
    ConstantKind constant = static_cast<const Constant &>(expr).constant;
    bool isWord = constant <= ConstantKind::Ellipsis;
    return isWord ? "assign-to-keyword" : "assign-to-literal";
  }
  case ExprKind::JoinedStr:
  case ExprKind::Dict:
  case ExprKind::Set:
    return "assign-to-literal";
  case ExprKind::Call:
    return "assign-to-call";
  case ExprKind::Compare:
    return "assign-to-comparison";
  default:
    return "assign-to-expression";
  }
}

} // namespace

/// star_targets: the names between `for` and `in`.
Expr *Parser::parseTargets() {
  uint32_t start = begin();
  Expr *first = parseTarget();
  if (!is(K::Comma)) {
    refuseStarred(first);
    return first;
  }
  Scratch<Expr *> elts(m_stacks);
  elts.push(first);
  while (accept(K::Comma) && (startsExpression(kind()) || is(K::Star)))
    elts.push(parseTarget());
  return makeTuple(start, elts);
}

Expr *Parser::parseTarget() {
  Expr *target;
  if (is(K::Star)) {
    target = parseStarred(false);
  } else {
    target = parseBinary(1);
  }
  checkTarget(target);
  return target;
}

void Parser::expectIn() {
  if (accept(K::KwIn))
    return;
  SourceRange end{m_lastEnd, m_lastEnd};
  bool isMisspelt =
      is(K::Name) && startsExpression(peek()) && nearestKeyword(text(), joinsExpressions) == K::KwIn;
  if (isMisspelt) {
    misspelt(K::KwIn);
    advance();
  } else if (startsExpression(kind())) {
    error("missing-in", end).fix("insert-text", end, " in", {"in"});
  } else {
    error("missing-in", isLayout(kind()) ? end : token().range());
  }
}

/// star_target
void Parser::checkTarget(const Expr *target) {
  if (auto *starred = dynCast<Starred>(target))
    return checkTarget(starred->value);
  std::span<Expr *const> elts;
  if (auto *tuple = dynCast<Tuple>(target))
    elts = tuple->elts;
  if (auto *list = dynCast<List>(target))
    elts = list->elts;
  for (const Expr *elt : elts)
    checkTarget(elt);
  if (const char *id = whyNoTarget(*target))
    complain(id, target->range, {shown(target->range)});
}

/// single_target: of `+=` and of an annotation.
void Parser::checkSingleTarget(const Expr *target, const char *id) {
  bool isSeveral =
      target->kind == ExprKind::Tuple || target->kind == ExprKind::List || target->kind == ExprKind::Starred;
  if (isSeveral)
    complain(id, target->range);
  else
    checkTarget(target);
}

/// del_target
void Parser::checkDeleted(const Expr *target) {
  std::span<Expr *const> elts;
  if (auto *tuple = dynCast<Tuple>(target))
    elts = tuple->elts;
  if (auto *list = dynCast<List>(target))
    elts = list->elts;
  for (const Expr *elt : elts)
    checkDeleted(elt);
  if (target->kind == ExprKind::Starred || whyNoTarget(*target))
    complain("cannot-delete", target->range);
}

} // namespace tilescope::syntax
