// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Findings.h"

#include "compiler/Interpreter/Machine.h"

#include <algorithm>

namespace tilescope::interp {

namespace {

std::string text(uint64_t value) { return std::to_string(value); }

/// The shape of the tile that a finding's element belongs to.
const std::vector<int64_t> &shapeOf(const Kernel &kernel, FindingKind kind, const Instruction &instruction) {
  if (kind == FindingKind::AssertionFailed)
    return kernel.message(instruction.detail).shape;
  return kernel.accesses()[kernel.access(instruction.detail).site].shape;
}

/// "3, 17"; "0" for a scalar.
std::string indexText(const std::vector<int64_t> &shape, uint64_t element) {
  std::string result;
  for (size_t i = shape.size(); i-- > 0; element /= shape[i])
    result = text(element % shape[i]) + (result.empty() ? "" : ", ") + result;
  return result.empty() ? "0" : result;
}

/// "(3, 0, 0)".
std::string programText(const Launch &launch, uint64_t program) {
  const auto [x, y, z] = launch.coordinates(program);
  return "(" + text(x) + ", " + text(y) + ", " + text(z) + ")";
}

/// Which parameter an access goes through, for a tensor without a name.
std::string parameterName(const Kernel &kernel, const Instruction &instruction) {
  const int parameter = kernel.accesses()[kernel.access(instruction.detail).site].pointerArgument;
  return parameter < 0 ? std::string() : kernel.parameters()[parameter].name;
}

/// Writes one diagnostic.
class Reporter {
public:
  Reporter(const Launch &launch, const AddressSpace &memory, Diagnostics &diagnostics)
      : m_launch(launch), m_memory(memory), m_diagnostics(diagnostics) {}

  void report(FindingKind kind, uint32_t place, const Finding &finding);

private:
  std::vector<std::string> arguments(const Finding &finding) const {
    return {m_launch.kernel.name(), programText(m_launch, finding.program), text(finding.programs)};
  }
  void outOfBounds(Diagnostic diagnostic, FindingKind kind, const Finding &finding);
  void sayWhatLiesThere(Diagnostic &diagnostic, const Finding &finding);
  void add(Diagnostic diagnostic, uint32_t place);
  const Instruction &instructionOf(const Finding &finding) const {
    return m_launch.kernel.code()[finding.instruction];
  }

  const Launch &m_launch;
  const AddressSpace &m_memory;
  Diagnostics &m_diagnostics;
  uint32_t m_place = 0;
};

constexpr const char *idOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBoundsLoad:
    return "out-of-bounds-load";
  case FindingKind::OutOfBoundsStore:
    return "out-of-bounds-store";
  case FindingKind::OutOfBoundsAtomic:
    return "out-of-bounds-atomic";
  case FindingKind::DivisionByZero:
    return "integer-division-by-zero";
  case FindingKind::ZeroStep:
    return "zero-loop-step";
  case FindingKind::AssumptionBroken:
    return "assumption-broken";
  case FindingKind::AssertionFailed:
    return "device-assert-failed";
  case FindingKind::OperationLimit:
    return "instruction-limit";
  }
  return "";
}

void Reporter::add(Diagnostic diagnostic, uint32_t place) {
  const Place &where = m_launch.kernel.places()[place];
  diagnostic.span = where.span;
  for (const SourceSpan &call : where.calls)
    diagnostic.notes.push_back({"reached-from", {}, call});
  m_diagnostics.add(std::move(diagnostic));
}

/// The first address of a run outside that lies in a tensor, or its first. Tensors begin at multiples of 512.
Address landing(const AddressSpace &memory, const Finding &finding) {
  constexpr Address Step = 512;
  for (Address at = finding.address; at < finding.address + finding.run; at = (at / Step + 1) * Step)
    if (memory.find(at))
      return at;
  return finding.address;
}

/// A tensor that is not the one meant, or that there is none.
void Reporter::sayWhatLiesThere(Diagnostic &diagnostic, const Finding &finding) {
  const SourceSpan span = m_launch.kernel.places()[m_place].span;
  const Address at = landing(m_memory, finding);
  const Allocation *there = m_memory.find(at);
  if (there && there->id != finding.tensor)
    diagnostic.notes.push_back({"lands-in-tensor", {there->name, text(at - there->address)}, span});
  else if (!there)
    diagnostic.notes.push_back({"lands-in-no-tensor", {}, span});
}

void Reporter::outOfBounds(Diagnostic diagnostic, FindingKind kind, const Finding &finding) {
  const SourceSpan span = m_launch.kernel.places()[m_place].span;
  diagnostic.arguments.push_back(
      indexText(shapeOf(m_launch.kernel, kind, instructionOf(finding)), finding.element));
  if (finding.tensor == 0) {
    diagnostic.id = finding.address < AddressSpace::PageBytes ? "null-pointer" : "wild-pointer";
    diagnostic.arguments.push_back(text(finding.address));
  } else {
    const Allocation &tensor = m_memory.allocation(finding.tensor);
    const std::string name =
        tensor.name.empty() ? parameterName(m_launch.kernel, instructionOf(finding)) : tensor.name;
    diagnostic.arguments.push_back(name);
    const bool before = finding.address < tensor.address;
    const uint64_t distance =
        before ? tensor.address - finding.address : finding.address + finding.bytes - tensor.end();
    diagnostic.arguments.push_back(text(distance));
    diagnostic.notes.push_back({before ? "before-start" : "past-end", {name, text(distance)}, span});
    sayWhatLiesThere(diagnostic, finding);
  }
  add(std::move(diagnostic), m_place);
}

void Reporter::report(FindingKind kind, uint32_t place, const Finding &finding) {
  m_place = place;
  Diagnostic diagnostic{idOf(kind), Severity::Error, {}, arguments(finding), {}, {}};
  switch (kind) {
  case FindingKind::OutOfBoundsLoad:
  case FindingKind::OutOfBoundsStore:
  case FindingKind::OutOfBoundsAtomic:
    return outOfBounds(std::move(diagnostic), kind, finding);
  case FindingKind::AssertionFailed: {
    const MessageDetail &message = m_launch.kernel.message(instructionOf(finding).detail);
    diagnostic.arguments.push_back(message.text);
    diagnostic.arguments.push_back(indexText(message.shape, finding.element));
    break;
  }
  case FindingKind::OperationLimit:
    diagnostic.arguments.push_back(text(m_launch.options.operationLimit));
    break;
  case FindingKind::DivisionByZero:
  case FindingKind::ZeroStep:
  case FindingKind::AssumptionBroken:
    break;
  }
  add(std::move(diagnostic), place);
}

/// Does `a` come before `b` as the source reads?
bool comesFirst(const Place &a, const Place &b) { return a.span.range.begin < b.span.range.begin; }

} // namespace

Finding *Findings::find(Key key) {
  auto found = m_findings.find(key);
  return found == m_findings.end() ? nullptr : &found->second;
}

bool Findings::count(Key key, uint64_t program) {
  Finding &finding = m_findings[key];
  const uint64_t programs = finding.programs + 1;
  const bool first = programs == 1 || program < finding.program;
  if (first)
    finding = {.program = program};
  finding.programs = programs;
  return first;
}

void Findings::merge(const Findings &other) {
  for (const auto &[key, finding] : other.m_findings) {
    Finding &mine = m_findings[key];
    const uint64_t programs = mine.programs + finding.programs;
    if (mine.programs == 0 || finding.program < mine.program)
      mine = finding;
    mine.programs = programs;
  }
}

void Findings::report(const Launch &launch, const AddressSpace &memory, Diagnostics &diagnostics) const {
  std::vector<std::pair<Key, const Finding *>> order;
  for (const auto &[key, finding] : m_findings)
    order.push_back({key, &finding});
  const std::vector<Place> &places = launch.kernel.places();
  std::stable_sort(order.begin(), order.end(), [&](const auto &a, const auto &b) {
    return comesFirst(places[a.first.second], places[b.first.second]);
  });
  Reporter reporter(launch, memory, diagnostics);
  for (const auto &[key, finding] : order)
    reporter.report(key.first, key.second, *finding);
}

} // namespace tilescope::interp
