// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python 3.12 source to a syntax tree.
#pragma once

#include "compiler/Support/Diagnostic.h"
#include "compiler/Syntax/Ast.h"

#include <memory>

namespace tilescope::syntax {

/// Parses a whole file. Never fails: what could not be read is reported in `diagnostics` (in the order of the
/// source, at most 100; warnings are for escapes that Python will refuse one day) and stands in the tree as
/// ErrorExpr or ErrorStmt. Accepts any bytes; nesting deeper than Python allows is an error, not an overflow
/// of the stack, and no tree is so high that walking it by recursion could overflow one of some megabytes.
std::shared_ptr<const Module> parse(SourceFilePtr file, Diagnostics &diagnostics);

} // namespace tilescope::syntax
