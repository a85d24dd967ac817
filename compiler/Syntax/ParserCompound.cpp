// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements with blocks.
#include "compiler/Syntax/ParserImpl.h"

namespace tilescope::syntax {

using K = TokenKind;

/// compound_stmt; null where none begins.
Stmt *Parser::parseCompound() {
  switch (kind()) {
  case K::KwIf:
    return parseIf();
  case K::KwWhile:
    return parseWhile();
  case K::KwFor:
    return parseFor(begin(), false);
  case K::KwWith:
    return parseWith(begin(), false);
  case K::KwTry:
    return parseTry();
  case K::KwDef:
    return parseFunction(begin(), false, {});
  case K::KwClass:
    return parseClass({});
  case K::KwAsync:
    return parseAsync({});
  case K::At:
    return parseDecorated();
  default:
    return atMatch() ? parseMatch() : nullptr;
  }
}

/// `:` and the block after it. An empty block has been reported.
Body Parser::parseBlock(const Token &keyword) {
  expectColon(keyword);
  Scratch<Stmt *> body(m_stacks);
  if (!is(K::Newline)) {
    parseInlineBlock(body, keyword);
    return finish(body);
  }
  skipLayout();
  if (!is(K::Indent)) {
    missingBlock(keyword);
    return {};
  }
  skipLayout();
  parseStatements(body);
  if (is(K::Dedent))
    skipLayout();
  return finish(body);
}

/// Statements on the line of their header.
void Parser::parseInlineBlock(Scratch<Stmt *> &body, const Token &keyword) {
  if (isLayout(kind()))
    return missingBlock(keyword);
  bool isCompound = beginsBlock(kind()) || is(K::At);
  if (!isCompound)
    return parseSimpleLine(body);
  error("block-on-header-line", token().range(), {shown(token())});
  skipUnread(body);
  if (is(K::Newline))
    skipLayout();
}

void Parser::missingBlock(const Token &keyword) {
  SourceRange range = isLayout(kind()) ? SourceRange{m_lastEnd, m_lastEnd} : token().range();
  error("missing-block", range, {shown(keyword)}).note("block-of", keyword.range(), {shown(keyword)});
}

/// Whether the statement before this one was mistaken: then it may be why this one seems out of place.
bool Parser::isAfterMistake() const {
  return m_errors.hasErrorWithin({m_siblingBegin, begin()}, m_errors.size());
}

/// A line that is indented for no reason belongs to the statements around it.
void Parser::parseStrayIndent(Scratch<Stmt *> &out) {
  if (!isAfterMistake())
    error("unexpected-indent", token().range()).fix("remove-indent", token().range(), "");
  skipLayout();
  parseStatements(out);
  if (is(K::Dedent))
    skipLayout();
}

/// `else`, `elif`, `except` or `finally` with nothing before it to belong to. Its block is still read.
void Parser::parseStrayClause(Scratch<Stmt *> &out) {
  const Token keyword = token();
  if (!isAfterMistake())
    error("stray-clause", keyword.range(), {shown(keyword)});
  uint32_t start = begin();
  while (!isLayout(kind()) && !(is(K::Colon) && peek() == K::Newline))
    advance();
  out.push(makeNode<ErrorStmt>(start));
  for (Stmt *stmt : parseBlock(keyword))
    out.push(stmt);
}

// ---------------------------------------------------------------------------------------------------
// Clauses
// ---------------------------------------------------------------------------------------------------

/// Whether a clause with this keyword, perhaps misspelt, comes next.
bool Parser::atClause(TokenKind keyword) {
  if (is(K::Name) && isMisspelt() && nearestKeyword(text(), beginsStatement) == keyword) {
    m_failed = false;
    m_statementBegin = begin();
    respell();
  }
  return is(keyword);
}

/// Passes over the keyword of a clause. What was wrong in the clause before it silences no errors here.
Token Parser::beginClause() {
  m_failed = false;
  const Token keyword = token();
  m_statementBegin = keyword.begin;
  advance();
  return keyword;
}

Body Parser::parseElse() {
  if (!atClause(K::KwElse))
    return {};
  const Token keyword = beginClause();
  return parseBlock(keyword);
}

// ---------------------------------------------------------------------------------------------------
// if, while, for
// ---------------------------------------------------------------------------------------------------

/// if_stmt; its `elif`s are read in a loop, and nest in the tree.
Stmt *Parser::parseIf() {
  const int outside = m_clauses;
  Scratch<Stmt *> chain(m_stacks);
  do {
    const Token keyword = beginClause();
    Expr *test = parseNamed();
    Body body = parseBlock(keyword);
    auto *stmt = makeNode<If>(keyword.begin);
    stmt->test = test;
    stmt->body = body;
    if (++m_clauses <= MaxClauses)
      chain.push(stmt);
    else if (m_clauses == MaxClauses + 1)
      error("too-many-elif", keyword.range(), {std::to_string(MaxClauses)});
  } while (atElif());
  Body orelse = parseElse();
  m_clauses = outside;
  for (size_t i = chain.size(); i-- > 0;) {
    auto *stmt = static_cast<If *>(chain[i]);
    stmt->orelse = orelse;
    stmt->range.end = m_lastEnd;
    orelse = m_arena.copy(std::span<Stmt *const>(&chain[i], 1));
  }
  return chain.empty() ? makeNode<ErrorStmt>(m_lastEnd) : chain[0];
}

/// `else if` is taken for the `elif` that it should be.
bool Parser::atElif() {
  if (is(K::KwElse) && peek() == K::KwIf) {
    m_failed = false;
    m_statementBegin = begin();
    SourceRange both = token().range().to(m_tokens[m_at + 1].range());
    error("else-if", both).fix("write-instead", both, "elif", {"elif"});
    advance();
    return true;
  }
  return atClause(K::KwElif);
}

Body Parser::parseLoopBody(const Token &keyword) {
  ++m_loops;
  Body body = parseBlock(keyword);
  --m_loops;
  return body;
}

Stmt *Parser::parseWhile() {
  const Token keyword = beginClause();
  Expr *test = parseNamed();
  Body body = parseLoopBody(keyword);
  Body orelse = parseElse();
  auto *stmt = makeNode<While>(keyword.begin);
  stmt->test = test;
  stmt->body = body;
  stmt->orelse = orelse;
  return stmt;
}

Stmt *Parser::parseFor(uint32_t start, bool isAsync) {
  const Token keyword = token();
  advance();
  Expr *target = parseTargets();
  expectIn();
  Expr *iter = parseStarExprs();
  Body body = parseLoopBody(keyword);
  Body orelse = parseElse();
  auto *stmt = makeNode<For>(start);
  stmt->isAsync = isAsync;
  stmt->target = target;
  stmt->iter = iter;
  stmt->body = body;
  stmt->orelse = orelse;
  return stmt;
}

// ---------------------------------------------------------------------------------------------------
// with
// ---------------------------------------------------------------------------------------------------

Stmt *Parser::parseWith(uint32_t start, bool isAsync) {
  const Token keyword = token();
  advance();
  Scratch<WithItem> items(m_stacks);
  if (!parseParenthesizedItems(items)) {
    do
      items.push(parseWithItem());
    while (accept(K::Comma));
  }
  Body body = parseBlock(keyword);
  auto *stmt = makeNode<With>(start);
  stmt->isAsync = isAsync;
  stmt->items = finish(items);
  stmt->body = body;
  return stmt;
}

/// `with (a as b, c):`. Where the parentheses turn out to belong to an expression, nothing has happened.
bool Parser::parseParenthesizedItems(Scratch<WithItem> &items) {
  if (!is(K::LParen) || m_failed)
    return false;
  const Place start = place();
  m_complained = false;
  advance();
  do
    items.push(parseWithItem());
  while (accept(K::Comma) && !is(K::RParen));
  if (accept(K::RParen) && is(K::Colon) && !m_complained)
    return true;
  goBack(start);
  items.clear();
  return false;
}

WithItem Parser::parseWithItem() {
  WithItem item{};
  item.contextExpr = parseExpr();
  if (accept(K::KwAs))
    item.optionalVars = parseTarget();
  return item;
}

// ---------------------------------------------------------------------------------------------------
// try
// ---------------------------------------------------------------------------------------------------

Stmt *Parser::parseTry() {
  const Token keyword = beginClause();
  Body body = parseBlock(keyword);
  Scratch<ExceptHandler> handlers(m_stacks);
  bool isStar = false;
  while (atClause(K::KwExcept))
    handlers.push(parseHandler(isStar, handlers.empty()));
  Body orelse = handlers.empty() ? Body{} : parseElse();
  Body finalbody;
  bool hasFinally = atClause(K::KwFinally);
  if (hasFinally) {
    const Token clause = beginClause();
    finalbody = parseBlock(clause);
  }
  if (handlers.empty() && !hasFinally && !m_failed)
    complain("try-without-except", keyword.range());
  auto *stmt = makeNode<Try>(keyword.begin);
  stmt->isStar = isStar;
  stmt->body = body;
  stmt->handlers = finish(handlers);
  stmt->orelse = orelse;
  stmt->finalbody = finalbody;
  return stmt;
}

/// except_block, or except_star_block
ExceptHandler Parser::parseHandler(bool &isStar, bool isFirst) {
  const Token keyword = beginClause();
  const Token star = token();
  bool hasStar = accept(K::Star);
  if (isFirst)
    isStar = hasStar;
  else if (isStar != hasStar)
    complain("mixed-except-star", hasStar ? keyword.range().to(star.range()) : keyword.range());
  ExceptHandler handler{};
  if (!is(K::Colon) && !isLayout(kind()))
    handler.type = parseExpr();
  else if (hasStar)
    error("missing-expression", star.range(), {"*"});
  if (is(K::Comma))
    refuseSeveralTypes(handler.type);
  SourceRange nameRange;
  if (accept(K::KwAs))
    expectName(handler.name, nameRange);
  handler.body = parseBlock(keyword);
  handler.range = from(keyword.begin);
  return handler;
}

/// `except A, B:`
void Parser::refuseSeveralTypes(Expr *&first) {
  uint32_t start = first->range.begin;
  first = finishTuple(start, first, false);
  SourceRange range = from(start);
  error("except-needs-parentheses", range)
      .fix("add-parentheses", range, "(" + std::string(m_source.substr(range.begin, range.size())) + ")");
}

Stmt *Parser::parseAsync(std::span<Expr *const> decorators) {
  uint32_t start = begin();
  const Token async = token();
  advance();
  switch (kind()) {
  case K::KwDef:
    return parseFunction(start, true, decorators);
  case K::KwFor:
    return parseFor(start, true);
  case K::KwWith:
    return parseWith(start, true);
  default:
    break;
  }
  error("async-alone", async.range());
  skipToLineEnd();
  return makeNode<ErrorStmt>(start);
}

} // namespace tilescope::syntax
