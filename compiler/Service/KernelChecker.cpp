// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/KernelChecker.h"

#include "compiler/Service/Compile.h"

#include <algorithm>

namespace tilescope::service {
namespace {

constexpr uint64_t KeptAnalyses = 32;

/// Calls `action` on every span of some findings, always in the same order.
template <typename Action> void visit(KernelChecker::Findings &findings, Action action) {
  for (Diagnostic &diagnostic : findings.diagnostics) {
    SourceSpan span = diagnostic.span;
    action(diagnostic.span);
    for (DiagnosticNote &note : diagnostic.notes)
      action(note.span);
    if (diagnostic.fix) {
      SourceSpan fix{span.file, diagnostic.fix->range};
      action(fix);
      diagnostic.fix->range = fix.range;
    }
  }
  for (TypedName &type : findings.types)
    action(type.span);
}

} // namespace

/// Makes places relative to their functions. False if one lies outside, so that the findings cannot be kept.
bool KernelChecker::detach(Kept &kept, const SourceClosure &closure) {
  bool isInside = true;
  visit(kept.findings, [&](SourceSpan &span) {
    std::optional<SourceClosure::Place> place = closure.relative(span);
    isInside &= place.has_value();
    kept.functions.push_back(place ? place->function : 0);
    span = {nullptr, place ? place->range : SourceRange{}};
  });
  return isInside;
}

void KernelChecker::attach(Kept &kept, const SourceClosure &closure) {
  size_t next = 0;
  visit(kept.findings, [&](SourceSpan &span) {
    const size_t function = kept.functions[next++];
    span = closure.absolute({function, span.range});
  });
}

KernelChecker::Findings KernelChecker::check(const SourceClosure &closure,
                                             const frontend::Specialisation &specialisation) {
  const std::string key = closure.key().empty() ? std::string() : closure.key() + specialisation.key();
  if (auto known = m_kept.find(key); !key.empty() && known != m_kept.end()) {
    known->second.lastUse = m_analysis;
    Kept copy = known->second;
    attach(copy, closure);
    return std::move(copy.findings);
  }
  Diagnostics diagnostics;
  std::vector<frontend::TypedExpression> types;
  compileKernel(closure, specialisation, diagnostics, &types);
  Kept kept{{diagnostics.all(), {}}, {}, m_analysis};
  for (frontend::TypedExpression &type : types)
    kept.findings.types.push_back({std::move(type.span), std::move(type.name), std::move(type.type)});
  Findings findings = kept.findings;
  if (!key.empty() && detach(kept, closure))
    m_kept[key] = std::move(kept);
  return findings;
}

void KernelChecker::endAnalysis() {
  ++m_analysis;
  std::erase_if(m_kept, [&](const auto &entry) { return entry.second.lastUse + KeptAnalyses < m_analysis; });
}

} // namespace tilescope::service
