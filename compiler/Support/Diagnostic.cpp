// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Support/Diagnostic.h"

#include <algorithm>

namespace tilescope {

Diagnostic &Diagnostics::error(std::string id, SourceSpan span, std::vector<std::string> arguments) {
  return add({std::move(id), Severity::Error, std::move(span), std::move(arguments), {}, {}});
}

Diagnostic &Diagnostics::warning(std::string id, SourceSpan span, std::vector<std::string> arguments) {
  return add({std::move(id), Severity::Warning, std::move(span), std::move(arguments), {}, {}});
}

Diagnostic &Diagnostics::add(Diagnostic diagnostic) {
  auto same = std::find_if(m_all.begin(), m_all.end(), [&](const Diagnostic &other) {
    return other.id == diagnostic.id && other.span.file == diagnostic.span.file &&
           other.span.range == diagnostic.span.range;
  });
  if (same != m_all.end())
    return *same;
  m_errors += diagnostic.severity == Severity::Error;
  return m_all.emplace_back(std::move(diagnostic));
}

} // namespace tilescope
