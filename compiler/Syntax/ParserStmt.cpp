// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements: their sequence, and those that fit on one line.
#include "compiler/Syntax/ParserImpl.h"

#include <utility>

namespace tilescope::syntax {

using K = TokenKind;

namespace {

BinaryOperator augmentedOperator(TokenKind kind) {
  return static_cast<BinaryOperator>(static_cast<int>(kind) - static_cast<int>(K::PlusEqual));
}

} // namespace

void Parser::parseModule() {
  Scratch<Stmt *> body(m_stacks);
  while (!is(K::End)) {
    parseStatements(body);
    skipLayout();
  }
  m_module.body = finish(body);
}

/// Statements up to the Dedent that ends their block, or the end of the file.
void Parser::parseStatements(Scratch<Stmt *> &out) {
  for (uint32_t before = begin(); !is(K::Dedent) && !is(K::End);) {
    m_failed = false;
    m_siblingBegin = std::exchange(before, begin());
    m_statementBegin = begin();
    parseStatement(out);
  }
}

void Parser::parseStatement(Scratch<Stmt *> &out) {
  if (isMisspelt())
    respell();
  if (is(K::Newline))
    return skipLayout();
  if (is(K::Indent))
    return parseStrayIndent(out);
  switch (kind()) {
  case K::KwElse:
  case K::KwElif:
  case K::KwExcept:
  case K::KwFinally:
    return parseStrayClause(out);
  default:
    break;
  }
  if (Stmt *compound = parseCompound())
    out.push(compound);
  else
    parseSimpleLine(out);
}

/// simple_stmts
void Parser::parseSimpleLine(Scratch<Stmt *> &out) {
  do {
    const Token first = token();
    out.push(parseSimple());
    afterSimpleStatement(first);
    skipUnread(out);
  } while (accept(K::Semicolon) && !isLayout(kind()));
  if (is(K::Newline))
    skipLayout();
}

/// What is left of a line after a mistake stands in the tree as an ErrorStmt.
void Parser::skipUnread(Scratch<Stmt *> &out) {
  if (isLayout(kind()) || is(K::Semicolon))
    return;
  uint32_t start = begin();
  skipToLineEnd();
  out.push(makeNode<ErrorStmt>(start));
}

Stmt *Parser::parseSimple() {
  switch (kind()) {
  case K::KwReturn:
    return parseReturn();
  case K::KwImport:
    return parseImport();
  case K::KwFrom:
    return parseImportFrom();
  case K::KwRaise:
    return parseRaise();
  case K::KwPass:
    return parseWordStatement<Pass>();
  case K::KwBreak:
    refuseOutside(m_loops > 0, "break-outside-loop");
    return parseWordStatement<Break>();
  case K::KwContinue:
    refuseOutside(m_loops > 0, "continue-outside-loop");
    return parseWordStatement<Continue>();
  case K::KwDel:
    return parseDelete();
  case K::KwAssert:
    return parseAssert();
  case K::KwGlobal:
    return parseScope<Global>();
  case K::KwNonlocal:
    return parseScope<Nonlocal>();
  default:
    break;
  }
  if (isWord("type") && peek() == K::Name)
    return parseTypeAlias();
  return parseExprOrAssign();
}

template <typename T> Stmt *Parser::parseWordStatement() {
  uint32_t start = begin();
  advance();
  return makeNode<T>(start);
}

/// A statement where Python's compiler, though not its grammar, refuses it. After other errors it may only
/// seem to stand there, and nothing is said.
void Parser::refuseOutside(bool isInside, const char *id) {
  if (!isInside && m_errors.size() == 0)
    complain(id, token().range());
}

/// assignment, or star_expressions
Stmt *Parser::parseExprOrAssign() {
  uint32_t start = begin();
  size_t first = m_at;
  Expr *value = parseTargetOrRightSide();
  if (is(K::Equal))
    return parseAssign(start, value);
  refuseStarred(value);
  if (is(K::Colon))
    return parseAnnAssign(start, value, m_tokens[first].kind == K::LParen);
  if (isAugmented(kind()))
    return parseAugAssign(start, value);
  if (m_at == first)
    skipToLineEnd();
  if (value->kind == ExprKind::Error)
    return makeNode<ErrorStmt>(start);
  auto *stmt = makeNode<ExprStmt>(start);
  stmt->value = value;
  return stmt;
}

Stmt *Parser::parseAssign(uint32_t start, Expr *first) {
  Scratch<Expr *> targets(m_stacks);
  Expr *value = first;
  while (accept(K::Equal)) {
    if (value->kind == ExprKind::Starred)
      complain("starred-alone", value->range);
    checkTarget(value);
    targets.push(value);
    value = parseTargetOrRightSide();
  }
  refuseStarred(value);
  auto *stmt = makeNode<Assign>(start);
  stmt->targets = finish(targets);
  stmt->value = value;
  return stmt;
}

Stmt *Parser::parseAnnAssign(uint32_t start, Expr *target, bool inParentheses) {
  checkSingleTarget(target, "annotated-several");
  advance();
  Expr *annotation = parseExpr();
  Expr *value = accept(K::Equal) ? parseRightSide() : nullptr;
  auto *stmt = makeNode<AnnAssign>(start);
  stmt->target = target;
  stmt->annotation = annotation;
  stmt->value = value;
  stmt->simple = target->kind == ExprKind::Name && !inParentheses;
  return stmt;
}

Stmt *Parser::parseAugAssign(uint32_t start, Expr *target) {
  checkSingleTarget(target, "augmented-several");
  const Token op = token();
  advance();
  Expr *value = parseRightSide();
  auto *stmt = makeNode<AugAssign>(start);
  stmt->target = target;
  stmt->op = augmentedOperator(op.kind);
  stmt->opRange = op.range();
  stmt->value = value;
  return stmt;
}

Stmt *Parser::parseReturn() {
  uint32_t start = begin();
  refuseOutside(m_functions > 0, "return-outside-function");
  advance();
  Expr *value = isLayout(kind()) || is(K::Semicolon) ? nullptr : parseStarExprs();
  auto *stmt = makeNode<Return>(start);
  stmt->value = value;
  return stmt;
}

Stmt *Parser::parseDelete() {
  uint32_t start = begin();
  advance();
  Scratch<Expr *> targets(m_stacks);
  do {
    Expr *target = parseStarred(false);
    checkDeleted(target);
    targets.push(target);
  } while (accept(K::Comma) && startsExpression(kind()));
  auto *stmt = makeNode<Delete>(start);
  stmt->targets = finish(targets);
  return stmt;
}

Stmt *Parser::parseRaise() {
  uint32_t start = begin();
  advance();
  bool isBare = isLayout(kind()) || is(K::Semicolon);
  Expr *exc = isBare ? nullptr : parseExpr();
  Expr *cause = exc && accept(K::KwFrom) ? parseExpr() : nullptr;
  auto *stmt = makeNode<Raise>(start);
  stmt->exc = exc;
  stmt->cause = cause;
  return stmt;
}

Stmt *Parser::parseAssert() {
  uint32_t start = begin();
  advance();
  Expr *test = parseExpr();
  Expr *msg = accept(K::Comma) ? parseExpr() : nullptr;
  auto *stmt = makeNode<Assert>(start);
  stmt->test = test;
  stmt->msg = msg;
  return stmt;
}

template <typename T> Stmt *Parser::parseScope() {
  uint32_t start = begin();
  advance();
  Scratch<std::string_view> names(m_stacks);
  do {
    std::string_view name;
    SourceRange range;
    if (expectName(name, range))
      names.push(name);
  } while (accept(K::Comma));
  auto *stmt = makeNode<T>(start);
  stmt->names = finish(names);
  return stmt;
}

/// `type X[T] = value`
Stmt *Parser::parseTypeAlias() {
  uint32_t start = begin();
  advance();
  auto *name = static_cast<Name *>(parseName());
  auto typeParams = parseTypeParams();
  if (!accept(K::Equal))
    unexpected();
  Expr *value = parseExpr();
  auto *stmt = makeNode<TypeAlias>(start);
  stmt->name = name;
  stmt->typeParams = typeParams;
  stmt->value = value;
  return stmt;
}

} // namespace tilescope::syntax
