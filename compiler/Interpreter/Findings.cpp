// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Findings.h"

#include "compiler/Interpreter/FindingReport.h"
#include "compiler/Interpreter/NonFinite.h"

#include <algorithm>

namespace tilescope::interp {

bool endsLaunch(FindingKind kind) {
  return kind == FindingKind::AssertionFailed || kind == FindingKind::OperationLimit ||
         kind == FindingKind::ZeroStep;
}

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

/// The same programs store several tiles: those of the one with most are counted.
Finding Findings::storedToo(const Finding &a, const Finding &b) {
  Finding result = b.program < a.program ? b : a;
  result.programs = std::max(a.programs, b.programs);
  result.last = std::max(a.last, b.last);
  return result;
}

void Findings::merge(const Findings &other) {
  for (const auto &[key, finding] : other.m_findings) {
    Finding &mine = m_findings[key];
    mine = joined(mine, finding);
    if (endsLaunch(key.kind)) {
      mine.programs = 1;
      mine.last = mine.program;
    }
  }
}

void Findings::settleAtomics(AddressSpace &memory) const {
  for (const auto &[key, finding] : m_findings)
    if (key.kind == FindingKind::UndefinedAtomic && finding.originKind == OriginKind::Unwritten) {
      const Allocation &tensor = memory.allocation(finding.tensor);
      memory.define(tensor.address, tensor.bytes);
    }
}

void Findings::findOrigins(const Launch &launch, AddressSpace &memory) {
  std::map<Key, Finding> found;
  for (auto &[key, finding] : m_findings) {
    if (key.kind != FindingKind::NonFinite) {
      found.emplace(key, finding);
      continue;
    }
    const bool nan = finding.values[0] != finding.values[0];
    const auto origin = findNonFinite(launch, memory, memory.version(), finding.program, nan);
    if (!origin)
      continue;
    finding.origin = std::exchange(finding.instruction, origin->instruction);
    finding.values[0] = origin->value;
    // All that one instruction makes is one finding, wherever and by whatever programs it is stored.
    const Key there{key.kind, launch.kernel.placeOf(origin->instruction)};
    const auto [known, isNew] = found.try_emplace(there, finding);
    if (!isNew)
      known->second = storedToo(known->second, finding);
  }
  m_findings = std::move(found);
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
