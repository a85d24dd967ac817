// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/Token.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tilescope::syntax {
namespace {

constexpr std::string_view Spellings[] = {
    "",      "",     "",       "",         "",        "",      "",      "",       "",         "",
    "(",     ")",    "[",      "]",        "{",       "}",     ":",     ":=",     ",",        ";",
    ".",     "...",  "->",     "!",        "=",       "+",     "-",     "*",      "@",        "/",
    "%",     "**",   "<<",     ">>",       "|",       "^",     "&",     "//",     "+=",       "-=",
    "*=",    "@=",   "/=",     "%=",       "**=",     "<<=",   ">>=",   "|=",     "^=",       "&=",
    "//=",   "~",    "==",     "!=",       "<",       "<=",    ">",     ">=",     "False",    "None",
    "True",  "and",  "as",     "assert",   "async",   "await", "break", "class",  "continue", "def",
    "del",   "elif", "else",   "except",   "finally", "for",   "from",  "global", "if",       "import",
    "in",    "is",   "lambda", "nonlocal", "not",     "or",    "pass",  "raise",  "return",   "try",
    "while", "with", "yield",
};
constexpr size_t FirstKeyword = static_cast<size_t>(TokenKind::KwFalse);
static_assert(std::size(Spellings) == static_cast<size_t>(TokenKind::KwYield) + 1);

/// Keywords differ in this number, so that one comparison decides.
constexpr size_t slot(std::string_view word) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(word[i]); };
  return (byte(0) + byte(1) * 3 + byte(word.size() - 1) * 9 + word.size() * 15) & 127;
}

constexpr std::array<uint8_t, 128> keywordSlots() {
  std::array<uint8_t, 128> slots{};
  for (size_t i = FirstKeyword; i < std::size(Spellings); ++i)
    slots[slot(Spellings[i])] = static_cast<uint8_t>(i);
  return slots;
}
constexpr auto Slots = keywordSlots();
static_assert(std::count(Slots.begin(), Slots.end(), 0) == 128 - (std::size(Spellings) - FirstKeyword));

struct ForeignWord {
  std::string_view written;
  TokenKind meant;
};
/// Words of other languages that stand where a keyword of Python does.
constexpr ForeignWord ForeignWords[] = {
    {"elseif", TokenKind::KwElif}, {"foreach", TokenKind::KwFor}, {"function", TokenKind::KwDef},
    {"func", TokenKind::KwDef},    {"fn", TokenKind::KwDef},      {"catch", TokenKind::KwExcept},
    {"throw", TokenKind::KwRaise},
};

/// Whether one edit (a letter changed, added, dropped, or two neighbours swapped) turns `a` into `b`.
bool oneEditApart(std::string_view a, std::string_view b) {
  if (a.size() > b.size())
    std::swap(a, b);
  if (b.size() - a.size() > 1)
    return false;
  size_t same = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  std::string_view restA = a.substr(same), restB = b.substr(same);
  if (a.size() < b.size())
    return restA == restB.substr(1);
  if (restA.size() >= 2 && restA[0] == restB[1] && restA[1] == restB[0])
    return restA.substr(2) == restB.substr(2);
  return !restA.empty() && restA.substr(1) == restB.substr(1);
}

} // namespace

bool startsExpression(TokenKind kind) {
  switch (kind) {
  case TokenKind::Name:
  case TokenKind::Number:
  case TokenKind::String:
  case TokenKind::FStringStart:
  case TokenKind::LParen:
  case TokenKind::LBracket:
  case TokenKind::LBrace:
  case TokenKind::Ellipsis:
  case TokenKind::Plus:
  case TokenKind::Minus:
  case TokenKind::Tilde:
  case TokenKind::KwFalse:
  case TokenKind::KwNone:
  case TokenKind::KwTrue:
  case TokenKind::KwNot:
  case TokenKind::KwLambda:
  case TokenKind::KwAwait:
    return true;
  default:
    return false;
  }
}

TokenKind keywordOrName(std::string_view word) {
  if (word.size() < 2 || word.size() > 8)
    return TokenKind::Name;
  uint8_t found = Slots[slot(word)];
  return found && Spellings[found] == word ? static_cast<TokenKind>(found) : TokenKind::Name;
}

std::string_view spelling(TokenKind kind) { return Spellings[static_cast<size_t>(kind)]; }

bool beginsBlock(TokenKind keyword) {
  switch (keyword) {
  case TokenKind::KwAsync:
  case TokenKind::KwClass:
  case TokenKind::KwDef:
  case TokenKind::KwElif:
  case TokenKind::KwElse:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
  case TokenKind::KwFor:
  case TokenKind::KwIf:
  case TokenKind::KwTry:
  case TokenKind::KwWhile:
  case TokenKind::KwWith:
    return true;
  default:
    return false;
  }
}

bool beginsStatement(TokenKind keyword) {
  switch (keyword) {
  case TokenKind::KwAnd:
  case TokenKind::KwAs:
  case TokenKind::KwAwait:
  case TokenKind::KwFalse:
  case TokenKind::KwIn:
  case TokenKind::KwIs:
  case TokenKind::KwLambda:
  case TokenKind::KwNone:
  case TokenKind::KwNot:
  case TokenKind::KwOr:
  case TokenKind::KwTrue:
    return false;
  default:
    return isKeyword(keyword);
  }
}

bool joinsExpressions(TokenKind keyword) {
  switch (keyword) {
  case TokenKind::KwAnd:
  case TokenKind::KwAs:
  case TokenKind::KwElse:
  case TokenKind::KwFor:
  case TokenKind::KwFrom:
  case TokenKind::KwIf:
  case TokenKind::KwImport:
  case TokenKind::KwIn:
  case TokenKind::KwIs:
  case TokenKind::KwNot:
  case TokenKind::KwOr:
    return true;
  default:
    return false;
  }
}

TokenKind nearestKeyword(std::string_view word, bool (*allowed)(TokenKind)) {
  TokenKind nearest = TokenKind::Name;
  if (word.size() < 2)
    return nearest;
  for (const ForeignWord &foreign : ForeignWords)
    if (foreign.written == word && allowed(foreign.meant))
      return foreign.meant;
  for (size_t i = FirstKeyword; i < std::size(Spellings); ++i) {
    if (!allowed(static_cast<TokenKind>(i)) || !oneEditApart(word, Spellings[i]))
      continue;
    if (nearest != TokenKind::Name)
      return TokenKind::Name;
    nearest = static_cast<TokenKind>(i);
  }
  return nearest;
}

} // namespace tilescope::syntax
