// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python 3.12 source to a syntax tree.
#pragma once

#include "compiler/Support/Diagnostic.h"
#include "compiler/Syntax/Ast.h"

#include <memory>

namespace tilescope::syntax {

/// Parses a whole file. Never fails: what could not be read is reported in `diagnostics` and stands in
/// the tree as ErrorExpr or ErrorStmt. Accepts any bytes; nesting deeper than Python allows is an error,
/// not an overflow of the stack.
std::shared_ptr<const Module> parse(SourceFilePtr file, Diagnostics &diagnostics);

} // namespace tilescope::syntax
