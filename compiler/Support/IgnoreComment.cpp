// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Support/IgnoreComment.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr std::string_view Opening = "# tilescope: ignore[";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(" \r") + 1);
}

/// Is the id in a list with commas?
bool names(std::string_view ids, std::string_view id) {
  for (;;) {
    const size_t comma = ids.find(',');
    if (trimmed(ids.substr(0, comma)) == id)
      return true;
    if (comma == std::string_view::npos)
      return false;
    ids.remove_prefix(comma + 1);
  }
}

bool isIgnored(std::string_view line, std::string_view id) {
  line = trimmed(line);
  const size_t comment = line.rfind(Opening);
  if (comment == std::string_view::npos || !line.ends_with(']'))
    return false;
  line.remove_prefix(comment + Opening.size());
  line.remove_suffix(1);
  return names(line, id);
}

} // namespace

bool isIgnored(const SourceSpan &span, std::string_view id) {
  if (!span.file)
    return false;
  for (uint32_t offset : {span.range.begin, span.range.end})
    if (isIgnored(span.file->text(span.file->lineRange(span.file->line(offset))), id))
      return true;
  return false;
}

} // namespace tilescope
