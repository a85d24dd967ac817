// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Findings.h"

#include "compiler/Interpreter/FindingReport.h"
#include "compiler/Interpreter/Machine.h"

#include <algorithm>

namespace tilescope::interp {

void Findings::count(Key key, uint64_t program, Finding finding) {
  Finding &known = m_findings[key];
  finding.program = finding.last = program;
  finding.programs = 1;
  known = joined(known, std::move(finding));
}

/// What the first program in program order found, with the programs of both.
Finding Findings::joined(const Finding &a, Finding b) {
  if (a.programs == 0)
    return b;
  const uint64_t programs = a.programs + b.programs, last = std::max(a.last, b.last);
  const bool sameValue = a.sameValue && b.sameValue;
  Finding result = b.program < a.program ? std::move(b) : a;
  result.programs = programs;
  result.last = last;
  result.sameValue = sameValue;
  return result;
}

void Findings::merge(const Findings &other) {
  for (const auto &[key, finding] : other.m_findings) {
    Finding &mine = m_findings[key];
    mine = joined(mine, finding);
  }
}

void Findings::report(const Launch &launch, const AddressSpace &memory, Diagnostics &diagnostics) const {
  std::vector<std::pair<Key, const Finding *>> order;
  for (const auto &[key, finding] : m_findings)
    order.push_back({key, &finding});
  const std::vector<Place> &places = launch.kernel.places();
  std::stable_sort(order.begin(), order.end(), [&](const auto &a, const auto &b) {
    return places[a.first.place].span.range.begin < places[b.first.place].span.range.begin;
  });
  FindingReport reporter(launch, memory, diagnostics);
  for (const auto &[key, finding] : order)
    reporter.report(key.kind, key.place, *finding);
}

} // namespace tilescope::interp
