// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recursive-descent parser behind `parse`. Functions follow the rules of Python's grammar
// (https://docs.python.org/3.12/reference/grammar.html); a comment names the rule where that helps.
//
// Errors: the first in a statement is reported and sets `m_failed`, which silences the rest of that
// statement; every function returns a node all the same, and every loop ends because it goes on only past a
// token. Brackets recover at their closer, headers at their colon, anything else at the end of its line.
//
// Depth: nesting is bounded by `MaxDepth`, the height of trees that grow in loops (`a + b + c …`, `a.b.c …`)
// by `MaxHeight`, so that whoever walks a tree may do so by recursion.
#pragma once

#include "compiler/Syntax/ErrorLog.h"
#include "compiler/Syntax/Lexer.h"
#include "compiler/Syntax/Scratch.h"
#include "compiler/Syntax/StringLiteral.h"

#include <algorithm>

namespace tilescope::syntax {

class Parser {
public:
  Parser(Module &module, std::vector<Token> tokens, ErrorLog &errors);

  void parseModule();

private:
  static constexpr int MaxDepth = 500;
  static constexpr int MaxHeight = 1000;
  static constexpr int MaxClauses = 1000;

  /// Counts one level of recursion.
  struct Nested {
    explicit Nested(Parser &parser) : m_parser(parser) { ++m_parser.m_depth; }
    ~Nested() { --m_parser.m_depth; }
    bool isTooDeep() const { return m_parser.m_depth > MaxDepth; }
    Parser &m_parser;
  };
  /// Measures the height of what is made within by itself; what stood beside it counts again afterwards.
  struct HeightScope {
    explicit HeightScope(Parser &parser) : m_parser(parser), m_outside(parser.m_height) {
      parser.m_height = 0;
    }
    ~HeightScope() { m_parser.m_height = std::max(m_outside, m_parser.m_height); }
    Parser &m_parser;
    int m_outside;
  };
  /// All that must be put back to read the same tokens in another way.
  struct Place {
    size_t at;
    uint32_t lastEnd;
    bool failed;
    size_t errors;
  };

  // Tokens.
  const Token &token() const { return m_tokens[m_at]; }
  const Token &previous() const { return m_tokens[m_at ? m_at - 1 : 0]; }
  TokenKind kind() const { return m_tokens[m_at].kind; }
  TokenKind peek() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)].kind; }
  bool is(TokenKind k) const { return kind() == k; }
  uint32_t begin() const { return token().begin; }
  std::string_view textOf(const Token &t) const { return m_source.substr(t.begin, t.end - t.begin); }
  std::string_view text() const { return textOf(token()); }
  std::string_view nameOf(const Token &t);
  bool isWord(std::string_view word) const { return is(TokenKind::Name) && text() == word; }
  void advance();
  void skipLayout();
  bool accept(TokenKind k);
  /// From `begin` to the last token read; where none has been read since, the point after that token.
  SourceRange from(uint32_t begin) const { return {std::min(begin, m_lastEnd), m_lastEnd}; }
  Place place() const { return {m_at, m_lastEnd, m_failed, m_errors.size()}; }
  void goBack(const Place &place);

  // Nodes.
  template <typename T> T *makeExpr(uint32_t begin) {
    ++m_height;
    return makeNode<T>(begin);
  }
  template <typename T> T *makeNode(uint32_t begin) {
    T *node = m_arena.make<T>();
    node->kind = T::Kind;
    node->range = from(begin);
    return node;
  }
  template <typename T> std::span<const T> finish(const Scratch<T> &list) { return list.in(m_arena); }
  Expr *makeError(uint32_t begin) { return makeExpr<ErrorExpr>(begin); }
  Expr *makeTuple(uint32_t begin, const Scratch<Expr *> &elts);
  Expr *limitHeight(Expr *expr);
  Expr *tooDeep();

  // ParserRecovery.cpp: errors.
  Report error(std::string id, SourceRange range, std::vector<std::string> arguments = {});
  Report complain(std::string id, SourceRange range, std::vector<std::string> arguments = {});
  std::string shown(SourceRange range) const;
  std::string shown(const Token &t) const { return shown(t.range()); }
  void unexpected();
  Expr *missingExpression();
  bool foreignOperator();
  bool foreignComment();
  void skipToCloser();
  void skipBrackets();
  void skipToLineEnd();
  bool nextItem(TokenKind closer);
  void close(TokenKind closer);
  bool expectName(std::string_view &name, SourceRange &range);
  void expectColon(const Token &keyword);
  bool hasColonAhead() const;
  void afterSimpleStatement(const Token &first);
  bool isMisspelt() const;
  void respell();
  void misspelt(TokenKind meant);
  bool printStatement(const Token &first);

  // ParserExpr.cpp: operators.
  Expr *parseExpr();
  Expr *parseNamed();
  Expr *parseStarred(bool allowNamed);
  Expr *parseStarExprs();
  Expr *parseRightSide();
  Expr *parseTargetOrRightSide();
  Expr *parseYield();
  Expr *parseOr();
  Expr *parseAnd();
  Expr *parseNot();
  Expr *parseComparison();
  bool acceptCompareOperator(CompareOperator &op);
  Expr *parseBinary(int least);
  Expr *parseUnary();
  Expr *parsePower();
  Expr *finishTuple(uint32_t begin, Expr *first, bool allowNamed);

  // ParserPrimary.cpp: what binds most tightly.
  Expr *parseAwait();
  Expr *parsePrimary();
  Expr *parseAttribute(uint32_t begin, Expr *value);
  Expr *parseCall(uint32_t begin, Expr *func);
  void parseArguments(Scratch<Expr *> &args, Scratch<Keyword> &keywords);
  void parseArgument(uint32_t open, Scratch<Expr *> &args, Scratch<Keyword> &keywords);
  Expr *parsePositional(uint32_t open, bool isFirst);
  Keyword parseKeyword();
  Expr *parseSubscript(uint32_t begin, Expr *value);
  Expr *parseSlice();
  Expr *missingSubscript();
  Expr *parseAtom();
  Expr *parseNumber();
  Expr *parseConstant(ConstantKind constant);
  Expr *parseName();

  // ParserDisplay.cpp: brackets.
  Expr *parseParenthesized();
  Expr *parseList();
  Expr *parseDictOrSet();
  Expr *finishDict(uint32_t begin, Expr *key);
  std::span<Expr *const> everySecond(const Scratch<Expr *> &items, size_t first);
  Expr *finishDictComp(uint32_t begin, Expr *key, Expr *value);
  Expr *parseDictValue(const Expr *key);
  Expr *missingDictValue(const Expr *key);
  bool atComprehension() const;
  std::span<const Comprehension> parseComprehensions();
  Comprehension parseComprehension();
  void refuseStarred(const Expr *elt);

  // ParserString.cpp
  struct StringParts;
  Expr *parseStrings();
  Expr *makeString(uint32_t begin, std::string_view value, bool isBytes);
  std::string_view literalText(const Token &literal);
  void checkBytes(SourceRange body);
  void appendMiddle(StringParts &parts, LiteralStyle style);
  void flushText(StringParts &parts);
  void parseFString(StringParts &parts);
  void parseField(StringParts &parts, bool isRaw);
  Expr *parseFieldValue();
  char parseConversion();
  JoinedStr *parseFormatSpec(bool isRaw);

  // ParserTarget.cpp: what can be assigned to.
  Expr *parseTargets();
  Expr *parseTarget();
  void expectIn();
  void checkTarget(const Expr *target);
  void checkSingleTarget(const Expr *target, const char *id);
  void checkDeleted(const Expr *target);

  // ParserStmt.cpp: simple statements.
  void parseStatements(Scratch<Stmt *> &out);
  void parseStatement(Scratch<Stmt *> &out);
  void parseSimpleLine(Scratch<Stmt *> &out);
  void skipUnread(Scratch<Stmt *> &out);
  Stmt *parseSimple();
  template <typename T> Stmt *parseWordStatement();
  void refuseOutside(bool isInside, const char *id);
  Stmt *parseExprOrAssign();
  Stmt *parseAssign(uint32_t begin, Expr *first);
  Stmt *parseAnnAssign(uint32_t begin, Expr *target, bool inParentheses);
  Stmt *parseAugAssign(uint32_t begin, Expr *target);
  Stmt *parseReturn();
  Stmt *parseDelete();
  Stmt *parseRaise();
  Stmt *parseAssert();
  template <typename T> Stmt *parseScope();
  Stmt *parseTypeAlias();

  // ParserImport.cpp
  Stmt *parseImport();
  Stmt *parseImportFrom();
  void parseImportedNames(Scratch<Alias> &names);
  Alias parseAlias(bool isDotted);
  std::string_view parseDottedName();

  // ParserCompound.cpp
  Stmt *parseCompound();
  Body parseBlock(const Token &keyword);
  void parseInlineBlock(Scratch<Stmt *> &body, const Token &keyword);
  void missingBlock(const Token &keyword);
  bool isAfterMistake() const;
  void parseStrayIndent(Scratch<Stmt *> &out);
  void parseStrayClause(Scratch<Stmt *> &out);
  bool atClause(TokenKind keyword);
  Token beginClause();
  Body parseElse();
  Body parseLoopBody(const Token &keyword);
  Stmt *parseIf();
  bool atElif();
  Stmt *parseWhile();
  Stmt *parseFor(uint32_t begin, bool isAsync);
  Stmt *parseWith(uint32_t begin, bool isAsync);
  bool parseParenthesizedItems(Scratch<WithItem> &items);
  WithItem parseWithItem();
  Stmt *parseTry();
  ExceptHandler parseHandler(bool &isStar, bool isFirst);
  void refuseSeveralTypes(Expr *&first);
  Stmt *parseAsync(std::span<Expr *const> decorators);

  // ParserFunction.cpp: functions, classes and what stands in their headers.
  Stmt *parseDecorated();
  Stmt *parseFunction(uint32_t begin, bool isAsync, std::span<Expr *const> decorators);
  Stmt *parseClass(std::span<Expr *const> decorators);
  std::span<const TypeParam> parseTypeParams();
  TypeParam parseTypeParam();
  Expr *parseLambda();
  struct ParameterList;
  Arguments *parseFunctionParameters();
  Arguments *parseParameters(TokenKind closer);
  void parseParameter(ParameterList &list);
  void parseStarParameter(ParameterList &list);
  void parseSlash(ParameterList &list);
  bool suppliedComma(TokenKind closer);
  Arg parseArg(bool isAnnotated, bool mayBeStarred);
  Arguments *finishParameters(const ParameterList &list);

  // ParserPattern.cpp
  bool atMatch() const;
  Stmt *parseMatch();
  void parseCases(Scratch<MatchCase> &cases);
  MatchCase parseCase();
  Pattern *makePattern(PatternKind kind, uint32_t begin);
  Pattern *makeSequence(uint32_t begin, const Scratch<Pattern *> &patterns);
  Pattern *parseOpenPattern();
  Pattern *parseMaybeStarPattern();
  Pattern *parsePattern();
  Pattern *parseOrPattern();
  Pattern *parseClosedPattern();
  Expr *parsePatternLiteral();
  Expr *parseSignedNumber();
  void checkComplex(const BinOp &sum);
  Pattern *parseNamePattern();
  Pattern *parseClassPattern(uint32_t begin, Expr *name);
  Pattern *parseGroupOrSequence();
  Pattern *parseMappingPattern();
  Expr *parseMappingKey();

  std::string_view m_source;
  Arena &m_arena;
  Module &m_module;
  std::vector<Token> m_tokens;
  ErrorLog &m_errors;
  size_t m_lexerErrors;
  ScratchStacks m_stacks;

  size_t m_at = 0;
  uint32_t m_lastEnd = 0;        ///< the end of the last token that is no layout
  uint32_t m_siblingBegin = 0;   ///< of the statement before this one in its block
  uint32_t m_statementBegin = 0; ///< of the line whose errors are silenced together
  bool m_failed = false;
  bool m_complained = false; ///< an error was found, said or not
  int m_depth = 0;
  int m_height = 0;
  int m_loops = 0;     ///< around this place, in the same function
  int m_functions = 0; ///< around this place
  int m_clauses = 0;   ///< of the `if` statements around this place
};

} // namespace tilescope::syntax
