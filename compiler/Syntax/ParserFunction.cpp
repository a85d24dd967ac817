// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, classes, and what stands in their headers.
#include "compiler/Syntax/ParserImpl.h"

#include <utility>

namespace tilescope::syntax {

using K = TokenKind;

/// decorators, and what they decorate
Stmt *Parser::parseDecorated() {
  Scratch<Expr *> list(m_stacks);
  uint32_t start = begin();
  while (is(K::At)) {
    m_failed = false;
    m_statementBegin = begin();
    advance();
    list.push(parseNamed());
    if (!is(K::Newline))
      unexpected();
    skipToLineEnd();
    if (is(K::Newline))
      skipLayout();
  }
  auto decorators = finish(list);
  m_statementBegin = begin();
  if (isMisspelt())
    respell();
  if (is(K::KwDef))
    return parseFunction(begin(), false, decorators);
  if (is(K::KwClass))
    return parseClass(decorators);
  if (is(K::KwAsync) && peek() == K::KwDef)
    return parseAsync(decorators);
  error("decorator-alone", from(start));
  return makeNode<ErrorStmt>(start);
}

/// function_def_raw
Stmt *Parser::parseFunction(uint32_t start, bool isAsync, std::span<Expr *const> decorators) {
  const Token keyword = token();
  m_failed = false;
  m_statementBegin = keyword.begin;
  advance();
  std::string_view name;
  SourceRange nameRange;
  expectName(name, nameRange);
  auto typeParams = parseTypeParams();
  Arguments *args = parseFunctionParameters();
  Expr *returns = accept(K::Arrow) ? parseExpr() : nullptr;
  ++m_functions;
  const int loops = std::exchange(m_loops, 0);
  Body body = parseBlock(keyword);
  m_loops = loops;
  --m_functions;
  auto *stmt = makeNode<FunctionDef>(start);
  stmt->isAsync = isAsync;
  stmt->name = name;
  stmt->nameRange = nameRange;
  stmt->typeParams = typeParams;
  stmt->args = args;
  stmt->returns = returns;
  stmt->body = body;
  stmt->decorators = decorators;
  return stmt;
}

Arguments *Parser::parseFunctionParameters() {
  if (!accept(K::LParen)) {
    SourceRange end{m_lastEnd, m_lastEnd};
    if (is(K::Colon) || isLayout(kind()))
      error("missing-parameters", end).fix("insert-text", end, "()", {"()"});
    else
      unexpected();
    return m_arena.make<Arguments>();
  }
  Arguments *args = parseParameters(K::RParen);
  close(K::RParen);
  return args;
}

/// class_def_raw
Stmt *Parser::parseClass(std::span<Expr *const> decorators) {
  const Token keyword = beginClause();
  std::string_view name;
  SourceRange nameRange;
  expectName(name, nameRange);
  auto typeParams = parseTypeParams();
  Scratch<Expr *> bases(m_stacks);
  Scratch<Keyword> keywords(m_stacks);
  if (is(K::LParen))
    parseArguments(bases, keywords);
  const int loops = std::exchange(m_loops, 0), functions = std::exchange(m_functions, 0);
  Body body = parseBlock(keyword);
  m_loops = loops;
  m_functions = functions;
  auto *stmt = makeNode<ClassDef>(keyword.begin);
  stmt->name = name;
  stmt->nameRange = nameRange;
  stmt->typeParams = typeParams;
  stmt->bases = finish(bases);
  stmt->keywords = finish(keywords);
  stmt->body = body;
  stmt->decorators = decorators;
  return stmt;
}

/// type_params of PEP 695
std::span<const TypeParam> Parser::parseTypeParams() {
  if (!accept(K::LBracket))
    return {};
  Scratch<TypeParam> params(m_stacks);
  do
    params.push(parseTypeParam());
  while (nextItem(K::RBracket));
  close(K::RBracket);
  return finish(params);
}

TypeParam Parser::parseTypeParam() {
  uint32_t start = begin();
  TypeParam param{};
  if (accept(K::Star))
    param.kind = TypeParam::Kind::TypeVarTuple;
  else if (accept(K::DoubleStar))
    param.kind = TypeParam::Kind::ParamSpec;
  SourceRange nameRange;
  expectName(param.name, nameRange);
  if (is(K::Colon)) {
    const Token colon = token();
    advance();
    param.bound = parseExpr();
    if (param.kind != TypeParam::Kind::TypeVar)
      complain("bound-on-star-parameter", colon.range().to(param.bound->range));
  }
  param.range = from(start);
  return param;
}

/// lambdef
Expr *Parser::parseLambda() {
  uint32_t start = begin();
  const Token keyword = token();
  advance();
  Arguments *args = parseParameters(K::Colon);
  expectColon(keyword);
  Expr *body = parseExpr();
  auto *node = makeExpr<Lambda>(start);
  node->args = args;
  node->body = body;
  return node;
}

// ---------------------------------------------------------------------------------------------------
// Parameters
// ---------------------------------------------------------------------------------------------------

/// Parameters in the order of the source, and where their groups begin.
struct Parser::ParameterList {
  ParameterList(ScratchStacks &stacks, bool isAnnotated) : args(stacks), isAnnotated(isAnnotated) {}

  Scratch<Arg> args;
  bool isAnnotated;          ///< of a function, not of a lambda
  size_t positionalOnly = 0; ///< how many stand before `/`
  size_t keywordOnly = 0;    ///< index of the first after `*`
  bool sawSlash = false;
  bool sawStar = false;
  bool sawDefault = false;
  SourceRange bareStar; ///< of a `*` without name that no parameter follows as yet
  const Arg *vararg = nullptr;
  const Arg *kwarg = nullptr;
};

/// parameters, or lambda_params; `closer` is what follows them.
Arguments *Parser::parseParameters(TokenKind closer) {
  ParameterList list(m_stacks, closer == K::RParen);
  while (!is(closer)) {
    const size_t before = m_at;
    parseParameter(list);
    if (m_at == before || (!accept(K::Comma) && !suppliedComma(closer)))
      break;
  }
  if (list.bareStar.size())
    complain("star-without-parameters", list.bareStar);
  return finishParameters(list);
}

bool Parser::suppliedComma(TokenKind closer) {
  bool isParameter = is(K::Name) || is(K::Star) || is(K::DoubleStar);
  if (is(closer) || !isParameter || closer != K::RParen || m_failed)
    return false;
  SourceRange gap{m_lastEnd, m_lastEnd};
  error("missing-comma", gap).fix("insert-text", gap, ",", {","});
  return true;
}

void Parser::parseParameter(ParameterList &list) {
  if (is(K::Slash))
    return parseSlash(list);
  if (is(K::Star) || is(K::DoubleStar))
    return parseStarParameter(list);
  if (list.kwarg)
    complain("parameter-after-double-star", token().range(), {shown(token())});
  Arg arg = parseArg(list.isAnnotated, false);
  if (accept(K::Equal))
    arg.defaultValue = parseExpr();
  if (!arg.defaultValue && list.sawDefault && !list.sawStar)
    complain("parameter-without-default", arg.nameRange, {std::string(arg.name)});
  list.sawDefault |= arg.defaultValue != nullptr;
  list.bareStar = {};
  list.args.push(arg);
}

void Parser::parseSlash(ParameterList &list) {
  if (list.sawSlash || list.sawStar || list.args.empty())
    complain("misplaced-slash", token().range());
  advance();
  list.sawSlash = true;
  if (!list.sawStar)
    list.positionalOnly = list.args.size();
}

void Parser::parseStarParameter(ParameterList &list) {
  const Token star = token();
  advance();
  bool isKwarg = star.kind == K::DoubleStar;
  if (list.kwarg || (!isKwarg && list.sawStar))
    complain("repeated-star-parameter", star.range(), {shown(star)});
  bool isBare = !isKwarg && !is(K::Name);
  if (!isKwarg && !list.sawStar) {
    list.sawStar = true;
    list.keywordOnly = list.args.size();
    list.bareStar = isBare ? star.range() : SourceRange{};
  }
  if (isBare)
    return;
  Arg *arg = m_arena.make<Arg>();
  *arg = parseArg(list.isAnnotated, !isKwarg);
  if (is(K::Equal)) {
    error("star-parameter-default", token().range(), {std::string(arg->name)});
    advance();
    arg->defaultValue = parseExpr();
  }
  (isKwarg ? list.kwarg : list.vararg) = arg;
}

/// param; `*args: *Ts` may have a star in its annotation.
Arg Parser::parseArg(bool isAnnotated, bool mayBeStarred) {
  uint32_t start = begin();
  Arg arg{};
  if (is(K::LParen)) {
    error("parameter-in-parentheses", token().range());
    arg.nameRange = token().range();
  } else {
    expectName(arg.name, arg.nameRange);
  }
  if (isAnnotated && accept(K::Colon))
    arg.annotation = mayBeStarred ? parseStarred(false) : parseExpr();
  arg.range = from(start);
  return arg;
}

Arguments *Parser::finishParameters(const ParameterList &list) {
  std::span<const Arg> all = finish(list.args);
  size_t keywordOnly = list.sawStar ? list.keywordOnly : all.size();
  auto *args = m_arena.make<Arguments>();
  args->posonlyargs = all.first(list.positionalOnly);
  args->args = all.subspan(list.positionalOnly, keywordOnly - list.positionalOnly);
  args->kwonlyargs = all.subspan(keywordOnly);
  args->vararg = list.vararg;
  args->kwarg = list.kwarg;
  return args;
}

} // namespace tilescope::syntax
