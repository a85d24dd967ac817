// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What statements do to names, found without compiling them.
#pragma once

#include "compiler/Syntax/Ast.h"

#include <vector>

namespace tilescope::frontend {

/// The names that the statements, and those inside them, assign; each once, in order.
std::vector<std::string_view> assignedNames(std::initializer_list<syntax::Body> bodies);
/// Is there a `return` in them?
bool containsReturn(syntax::Body body);

} // namespace tilescope::frontend
