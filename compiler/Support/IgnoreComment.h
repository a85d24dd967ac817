// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a script says that a finding is meant: a line that ends in "# tilescope: ignore[id, …]".
#pragma once

#include "compiler/Support/SourceFile.h"

#include <string_view>

namespace tilescope {

/// Does a line on which the span begins or ends name the id in such a comment?
bool isIgnored(const SourceSpan &span, std::string_view id);

} // namespace tilescope
