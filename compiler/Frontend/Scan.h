// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What statements do to names, found without compiling them.
#pragma once

#include "compiler/Syntax/Ast.h"

#include <functional>
#include <optional>
#include <vector>

namespace tilescope::frontend {

/// Says which side of an `if` with this test is taken, where that is known at compile time.
using DecideTest = std::function<std::optional<bool>(const syntax::Expr &test)>;

/// The names that the statements, and those inside them, assign; each once, in order. Sides of an `if` that
/// are known not to be taken do not count.
std::vector<std::string_view> assignedNames(std::initializer_list<syntax::Body> bodies,
                                            const DecideTest &decide = {});
/// Is there a `return` in them?
bool containsReturn(syntax::Body body);

} // namespace tilescope::frontend
