// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tokens of Python 3.12, as in its `tokenize` with f-strings taken apart (PEP 701).
#pragma once

#include "compiler/Support/SourceFile.h"

#include <string_view>

namespace tilescope::syntax {

enum class TokenKind : uint8_t {
  // Layout.
  End,
  Newline,
  Indent,
  Dedent,
  // Words and literals. The text of an f-string comes as Start, then Middle and the tokens of `{…}`, then
  // End.
  Name,
  Number,
  String,
  FStringStart,
  FStringMiddle,
  FStringEnd,
  // Brackets and punctuation.
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  Colon,
  ColonEqual,
  Comma,
  Semicolon,
  Dot,
  Ellipsis,
  Arrow,
  Exclamation,
  Equal,
  // Binary operators, then the same with `=`, in the order of `BinaryOperator`.
  Plus,
  Minus,
  Star,
  At,
  Slash,
  Percent,
  DoubleStar,
  LeftShift,
  RightShift,
  Pipe,
  Caret,
  Ampersand,
  DoubleSlash,
  PlusEqual,
  MinusEqual,
  StarEqual,
  AtEqual,
  SlashEqual,
  PercentEqual,
  DoubleStarEqual,
  LeftShiftEqual,
  RightShiftEqual,
  PipeEqual,
  CaretEqual,
  AmpersandEqual,
  DoubleSlashEqual,
  Tilde,
  EqualEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  // Keywords. `match`, `case`, `type` and `_` are names that the parser knows.
  KwFalse,
  KwNone,
  KwTrue,
  KwAnd,
  KwAs,
  KwAssert,
  KwAsync,
  KwAwait,
  KwBreak,
  KwClass,
  KwContinue,
  KwDef,
  KwDel,
  KwElif,
  KwElse,
  KwExcept,
  KwFinally,
  KwFor,
  KwFrom,
  KwGlobal,
  KwIf,
  KwImport,
  KwIn,
  KwIs,
  KwLambda,
  KwNonlocal,
  KwNot,
  KwOr,
  KwPass,
  KwRaise,
  KwReturn,
  KwTry,
  KwWhile,
  KwWith,
  KwYield,
};

struct Token {
  TokenKind kind;
  uint32_t begin;
  uint32_t end;

  SourceRange range() const { return {begin, end}; }
};

inline bool isKeyword(TokenKind kind) { return kind >= TokenKind::KwFalse; }
inline bool isAugmented(TokenKind kind) {
  return kind >= TokenKind::PlusEqual && kind <= TokenKind::DoubleSlashEqual;
}
inline bool isLayout(TokenKind kind) { return kind <= TokenKind::Dedent; }

/// Whether an expression may begin so (`*` and `yield` not counted).
bool startsExpression(TokenKind kind);

/// The keyword that `word` is, otherwise Name.
TokenKind keywordOrName(std::string_view word);

/// A token that is always written the same way ("while", "<<="), otherwise an empty text.
std::string_view spelling(TokenKind kind);

/// Whether a statement with a block, or a clause of one, begins with this keyword.
bool beginsBlock(TokenKind keyword);

/// Whether a statement, or a clause such as `else`, begins with this keyword.
bool beginsStatement(TokenKind keyword);

/// Whether this keyword stands between expressions, as `and` and `for` do.
bool joinsExpressions(TokenKind keyword);

/// The keyword, among those that `allowed` names, that `word` was probably meant to be: one letter wrong,
/// missing, added or swapped with its neighbour, or the word of another language. Name when there is none or
/// more than one.
TokenKind nearestKeyword(std::string_view word, bool (*allowed)(TokenKind));

} // namespace tilescope::syntax
