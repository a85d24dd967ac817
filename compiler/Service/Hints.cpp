// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Convert.h"
#include "compiler/Service/Documents.h"
#include "compiler/Service/Features.h"
#include "compiler/Service/Names.h"

#include <set>

namespace tilescope::service {
namespace {

bool isTile(std::string_view type) { return type.ends_with(']') && !type.starts_with("constexpr"); }

/// The type that an assignment gives its name, if that is a tile.
const TypedName *assignedTile(const Assignment &assignment, const Analysis &analysis) {
  for (SourceRange range : {assignment.target, assignment.value})
    if (const TypedName *type = analysis.typeOf(range))
      return isTile(type->type) ? type : nullptr;
  return nullptr;
}

} // namespace

std::vector<protocol::InlayHint> hints(const SourceFile &text, SourceRange range, const Analysis &analysis) {
  const OffsetMap map(analysis.file->text(), text.text());
  std::vector<protocol::InlayHint> found;
  std::set<uint32_t> lines;
  for (const Assignment &assignment : assignments(*analysis.module)) {
    const TypedName *type = assignedTile(assignment, analysis);
    std::optional<uint32_t> place = map(assignment.statement.begin);
    if (!type || !place || *place < range.begin || *place > range.end)
      continue;
    const uint32_t line = text.line(*place);
    if (lines.insert(line).second)
      found.push_back({positionOf(text, text.lineRange(line).end), type->type});
  }
  return found;
}

} // namespace tilescope::service
