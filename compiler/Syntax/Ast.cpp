// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/Ast.h"

namespace tilescope::syntax {

std::string_view spelling(BinaryOperator op) {
  constexpr std::string_view Spellings[] = {"+",  "-",  "*", "@", "/", "%", "**",
                                            "<<", ">>", "|", "^", "&", "//"};
  return Spellings[static_cast<size_t>(op)];
}

std::string_view spelling(UnaryOperator op) {
  constexpr std::string_view Spellings[] = {"~", "not", "+", "-"};
  return Spellings[static_cast<size_t>(op)];
}

std::string_view spelling(CompareOperator op) {
  constexpr std::string_view Spellings[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
  return Spellings[static_cast<size_t>(op)];
}

} // namespace tilescope::syntax
