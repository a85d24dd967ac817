// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A syntax tree as text, one node a line:
//
//   Module
//     body FunctionDef 1:0-2:8 name=f
//       args arg Arg 1:6-1:7 name=x
//
// Each line has the field that the node fills, its kind (both as in Python's `ast`), its range as
// line:column-line:column and its plain fields. Lines count from 1 and columns from 0 in UTF-8 bytes, as
// `ast` counts them. tests/Syntax/dump_ast.py writes the same text from Python's own tree.
#pragma once

#include "compiler/Syntax/Ast.h"

#include <string>

namespace tilescope::syntax {

struct DumpOptions {
  /// Ranges, and digits of numbers, inside f-strings; Python before 3.12 did not have them right.
  bool fstringRanges = true;
};

std::string dump(const Module &module, DumpOptions options = {});

} // namespace tilescope::syntax
