// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/ErrorLog.h"

#include <algorithm>

namespace tilescope::syntax {

Report ErrorLog::add(Severity severity, std::string id, SourceRange range,
                     std::vector<std::string> arguments) {
  // The lexer alone can reach the limit; the parser's share comes on top and both are cut when handed over.
  if (isFull())
    return {};
  m_found.push_back({std::move(id), severity, {m_file, range}, std::move(arguments), {}, {}});
  return &m_found.back();
}

bool ErrorLog::hasErrorWithin(SourceRange range, size_t count) const {
  return std::any_of(
      m_found.begin(), m_found.begin() + std::min(count, m_found.size()), [&](const Diagnostic &diagnostic) {
        uint32_t begin = diagnostic.span.range.begin;
        return diagnostic.severity == Severity::Error && range.begin <= begin && begin <= range.end;
      });
}

void ErrorLog::moveTo(Diagnostics &diagnostics) {
  std::stable_sort(m_found.begin(), m_found.end(), [](const Diagnostic &a, const Diagnostic &b) {
    return a.span.range.begin < b.span.range.begin;
  });
  size_t count = std::min(m_found.size(), Limit);
  for (size_t i = 0; i < count; ++i)
    diagnostics.add(std::move(m_found[i]));
  if (m_found.size() > Limit)
    diagnostics.error("too-many-syntax-errors", m_found[Limit].span, {std::to_string(Limit)});
  m_found.clear();
}

} // namespace tilescope::syntax
