// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the editor asks about a place of a text: hover, completion, hints. Each is a function of the text and
// of an analysis, which may be of an older version: places are carried over by OffsetMap.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "compiler/Service/Analysis.h"

namespace tilescope::service {

/// The type and shape of a name in a kernel; type and value of one of the module; signature and help of a
/// function of the library. Nothing where there is nothing to say.
std::optional<protocol::Hover> hover(const SourceFile &text, uint32_t offset, const Analysis &analysis);

/// Members of what stands before the dot, else the names that can be used at the place. `text` need not
/// parse. `analysis` may be null.
protocol::CompletionList complete(SourceFilePtr text, uint32_t offset, const Analysis *analysis);

/// At most one a line, at its end: the type of the tile that is assigned there. `range` is in `text`.
std::vector<protocol::InlayHint> hints(const SourceFile &text, SourceRange range, const Analysis &analysis);

} // namespace tilescope::service
