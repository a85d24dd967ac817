// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of a string literal.
#pragma once

#include "compiler/Syntax/ErrorLog.h"

#include <string>
#include <string_view>

namespace tilescope::syntax {

struct LiteralStyle {
  bool isRaw = false;
  bool isBytes = false;
  bool doublesBraces = false; ///< text of an f-string outside format specifications: `{{` is `{`
};

/// A literal taken apart: its style and the place of its text between the quotes.
struct Literal {
  LiteralStyle style;
  bool isFormat = false;
  SourceRange body;
};

/// `text` is the whole file, `range` the token with prefix and quotes. The closing quotes may be missing.
Literal splitLiteral(std::string_view text, SourceRange range);

/// Whether the value is other than the text as written.
bool needsDecoding(std::string_view body, LiteralStyle style);

/// Appends the value of text[range], line ends as "\n" and escapes resolved, to `out`. `\N{name}` stays as
/// it is written: the names of Unicode's characters are not known here. A lone surrogate gets its
/// three-byte form. Bad escapes are reported.
void decodeLiteral(std::string_view text, SourceRange range, LiteralStyle style, std::string &out,
                   ErrorLog &errors);

} // namespace tilescope::syntax
