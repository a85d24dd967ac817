// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source text to tokens, a whole file at a time. Whatever is wrong is reported, and the tokens that come
// out are well formed all the same: brackets pair, indents and dedents balance, every f-string ends, every
// logical line ends with Newline. An unclosed bracket does not swallow the rest of the file: see
// `recoverUnclosed`.
#pragma once

#include "compiler/Syntax/ErrorLog.h"
#include "compiler/Syntax/Token.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::syntax {

/// As in CPython's tokenizer.
constexpr size_t MaxBrackets = 200;
constexpr size_t MaxIndents = 100;
constexpr int MaxNestedFields = 3; ///< of one f-string, in the format specifications of one another

class Lexer {
public:
  /// `text` must be followed by a NUL, as a std::string's is.
  Lexer(std::string_view text, ErrorLog &errors);

  std::vector<Token> run();

private:
  /// Going back costs a second look at the rest of the file, so it is not done for ever.
  static constexpr int MaxRecoveries = 20;

  struct Bracket {
    char open;
    uint32_t at;
    bool isField = false; ///< the `{` of a replacement field
    bool inSpec = false;  ///< after the `:` of that field
  };
  struct FString {
    Token start;
    char quote;
    bool isTriple;
    bool isRaw;
    size_t bracketsOutside;
  };
  /// A line before which unclosed brackets may have been meant to end, and all there was then.
  struct Candidate {
    uint32_t at;
    size_t tokens;
    size_t errors;
    std::vector<Bracket> brackets;
    std::vector<FString> fstrings;
  };
  struct Indentation {
    uint32_t column;    ///< a tab goes to the next multiple of eight
    uint32_t altColumn; ///< a tab is one column: both must agree, or tabs and spaces are mixed
    friend bool operator==(Indentation, Indentation) = default;
  };

  char peek(uint32_t ahead = 0) const { return m_at + ahead < m_size ? m_text[m_at + ahead] : 0; }
  bool atEnd() const { return m_at >= m_size; }
  bool atNewline() const { return peek() == '\n' || peek() == '\r'; }
  void push(TokenKind kind, uint32_t begin, uint32_t end) { m_tokens.push_back({kind, begin, end}); }
  uint32_t lastEnd() const { return m_tokens.empty() ? 0 : m_tokens.back().end; }
  void skipLine();
  void skipNewline();

  // Lexer.cpp
  void lexToken();
  void lexName();
  void lexOperator();
  void lexUnknownCharacter();
  void lexLookalike(char meant, uint32_t length);
  void lexContinuation();

  // LexerLayout.cpp
  void lexNewline();
  void beginLine();
  Indentation measureIndentation();
  void indentTo(Indentation found, SourceRange range);
  void dedentTo(Indentation found, SourceRange range);
  void reportTabs(SourceRange range);
  void finish();

  // LexerBrackets.cpp
  void openBracket(TokenKind kind, uint32_t length = 1, bool isField = false);
  void closeBracket(TokenKind kind, uint32_t length = 1);
  void closeInner(size_t depth);
  void closeAll();
  void beginLineInBrackets();
  bool beginsStatement() const;
  void recoverUnclosed();
  void reportUnclosed();

  // LexerNumber.cpp
  void lexNumber();
  void scanDecimal();
  bool scanDigits(int base);
  void checkLeadingZeros(SourceRange range);
  void checkNumberEnd(uint32_t begin, bool isValid);

  // LexerString.cpp
  static bool isStringPrefix(std::string_view word);
  void lexString(uint32_t begin);
  bool scanString(char quote, bool isTriple);
  void skipEscape();
  void reportUnterminated(SourceRange opening, bool isTriple);
  bool inLiteralText() const;
  bool endsFString() const;
  void lexFStringMiddle();
  bool closesAfterNewline() const;
  void openField();
  void skipFStringEscape(bool isRaw);
  void endFString();
  bool closesFieldByMistake(char quote, bool isTriple) const;
  void abandonFields();
  void abandonFString();
  void closeFString();

  const char *m_text;
  uint32_t m_size;
  ErrorLog &m_errors;
  uint32_t m_at = 0;
  std::vector<Token> m_tokens;
  std::vector<Indentation> m_indents{{0, 0}};
  std::vector<Bracket> m_brackets;
  std::vector<FString> m_fstrings;
  std::optional<Candidate> m_candidate;
  int m_recoveries = 0;
};

} // namespace tilescope::syntax
