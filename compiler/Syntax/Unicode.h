// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lexer must know of Unicode: UTF-8, which characters make identifiers, and which are easily
// mistaken for a character of Python.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::syntax {

struct CodePoint {
  uint32_t value;  ///< Invalid for bytes that are not UTF-8
  uint32_t length; ///< in bytes; 1 when invalid
  static constexpr uint32_t Invalid = 0xFFFFFFFF;
};

/// The character that starts at `text[at]`. Surrogates and overlong forms are invalid.
CodePoint decodeUtf8(std::string_view text, size_t at);

/// Appends a code point below 0x110000; surrogates get their three-byte form.
void appendUtf8(std::string &out, uint32_t codePoint);

/// The offset of the first byte that is not valid UTF-8, otherwise npos.
size_t findInvalidUtf8(std::string_view text);

bool isIdentifierStart(uint32_t codePoint);
bool isIdentifierContinue(uint32_t codePoint);

/// The name as Python compares it: styled forms of Latin and Greek letters ("ｗ", "𝐰", "µ") become the plain
/// letter. Of the rest of normalisation form KC (combining marks, ligatures, other scripts) nothing is done.
/// Empty when the name stays as it is.
std::string plainName(std::string_view name);

/// The ASCII character that a full-width or typographic one stands for ("（" -> '('), otherwise 0.
char asciiLookalike(uint32_t codePoint);

} // namespace tilescope::syntax
