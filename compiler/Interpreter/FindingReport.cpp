// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/FindingReport.h"

#include "compiler/Interpreter/FindingFix.h"
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Operations.h"
#include "compiler/Support/IgnoreComment.h"

#include <algorithm>
#include <cmath>

namespace tilescope::interp {

namespace {

struct KindWords {
  const char *id;
  Severity severity = Severity::Error;
};

/// By FindingKind.
constexpr KindWords Kinds[] = {
    {"out-of-bounds-load"},
    {"out-of-bounds-store"},
    {"out-of-bounds-atomic"},
    {"integer-division-by-zero"},
    {"zero-loop-step"},
    {"assumption-broken"},
    {"device-assert-failed"},
    {"gather-index-outside"},
    {"assembly-not-interpreted"},
    {"assembly-outside"},
    {"instruction-limit"},
    {"undefined-reduction"},
    {"undefined-scan"},
    {"undefined-product"},
    {"undefined-store"},
    {"undefined-atomic"},
    {"undefined-address"},
    {"undefined-mask"},
    {"undefined-branch"},
    {"undefined-assertion"},
    {"undefined-print", Severity::Warning},
    {"padding-wins", Severity::Warning},
    {"padding-summed", Severity::Warning},
    {"padding-sorted", Severity::Warning},
    {"index-wraps"},
    {"stored-twice"},
    {"write-race"},
    {"read-race"},
    {"non-finite", Severity::Warning},
};

std::string text(uint64_t value) { return std::to_string(value); }

/// As Python writes it, but with as few digits as tell it apart from its fp32 neighbours.
std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer),
                std::fabs(value) < 1e15 && value == std::floor(value) ? "%.0f" : "%.9g", value);
  return buffer;
}

/// The shape of the tile that a finding's element belongs to.
const std::vector<int64_t> &shapeOf(const Kernel &kernel, const Instruction &instruction,
                                    const FlowDetail &flow) {
  if (flow.flow == Flow::Assert)
    return kernel.message(instruction.detail).shape;
  if (flow.flow == Flow::Reduce)
    return kernel.shapes()[flow.shape];
  return kernel.accesses()[kernel.access(instruction.detail).site].shape;
}

/// "3, 17"; "0" for a scalar.
std::string indexText(const std::vector<int64_t> &shape, uint64_t element) {
  std::string result;
  for (size_t i = shape.size(); i-- > 0; element /= shape[i])
    result = text(element % shape[i]) + (result.empty() ? "" : ", ") + result;
  return result.empty() ? "0" : result;
}

/// "[0:64, 41]", as Python would index it; "0" for a scalar.
std::string rangeText(const std::vector<IndexRange> &where) {
  std::string result;
  for (const IndexRange &range : where) {
    result += result.empty() ? "[" : ", ";
    result += text(range.begin);
    if (range.end > range.begin + 1)
      result += ":" + text(range.end);
  }
  return result.empty() ? "0" : result + "]";
}

/// The first address of a run outside that lies in a tensor, or its first. Tensors begin at multiples of 512.
Address landing(const AddressSpace &memory, const Finding &finding) {
  constexpr Address Step = 512;
  for (Address at = finding.address; at < finding.address + finding.run; at = (at / Step + 1) * Step)
    if (memory.find(at))
      return at;
  return finding.address;
}

} // namespace

const Instruction &FindingReport::instructionOf(const Finding &finding) const {
  return m_launch.kernel.code()[finding.instruction];
}

SourceSpan FindingReport::spanOf(uint32_t instruction) const {
  return m_launch.kernel.places()[m_launch.kernel.placeOf(instruction)].span;
}

/// "(3, 0, 0)".
std::string FindingReport::programText(uint64_t program) const {
  const auto [x, y, z] = m_launch.coordinates(program);
  return "(" + text(uint64_t(x)) + ", " + text(uint64_t(y)) + ", " + text(uint64_t(z)) + ")";
}

std::string FindingReport::tensorName(AllocationId tensor, uint32_t instruction) const {
  const Kernel &kernel = m_launch.kernel;
  if (tensor != 0 && !m_memory.allocation(tensor).name.empty())
    return m_memory.allocation(tensor).name;
  const int parameter =
      kernel.accesses()[kernel.access(kernel.code()[instruction].detail).site].pointerArgument;
  return parameter < 0 ? std::string() : kernel.parameters()[parameter].name;
}

void FindingReport::add(Diagnostic diagnostic, FindingKind kind, const Finding &finding) {
  const Place &where = m_launch.kernel.places()[m_place];
  diagnostic.span = where.span;
  if (!endsLaunch(kind) && isIgnored(diagnostic.span, diagnostic.id))
    return;
  if (finding.programs > 1)
    diagnostic.notes.push_back(
        {"affected-programs",
         {text(finding.programs), programText(finding.program), programText(finding.last)},
         where.span});
  for (const SourceSpan &call : where.calls)
    diagnostic.notes.push_back({"reached-from", {}, call});
  m_diagnostics.add(std::move(diagnostic));
}

//===- Out of bounds -------------------------------------------------------------------------------===//

/// A tensor that is not the one meant, or that there is none.
void FindingReport::sayWhatLiesThere(Diagnostic &diagnostic, const Finding &finding) {
  const SourceSpan span = m_launch.kernel.places()[m_place].span;
  const Address at = landing(m_memory, finding);
  const Allocation *there = m_memory.find(at);
  if (there && there->id != finding.tensor)
    diagnostic.notes.push_back({"lands-in-tensor", {there->name, text(at - there->address)}, span});
  else if (!there)
    diagnostic.notes.push_back({"lands-in-no-tensor", {}, span});
}

void FindingReport::outOfBounds(Diagnostic &diagnostic, FindingKind, const Finding &finding) {
  const Kernel &kernel = m_launch.kernel;
  const SourceSpan span = kernel.places()[m_place].span;
  diagnostic.arguments.push_back(
      indexText(shapeOf(kernel, instructionOf(finding), kernel.flow(finding.instruction)), finding.element));
  if (finding.tensor == 0) {
    diagnostic.id = finding.address < AddressSpace::PageBytes ? "null-pointer" : "wild-pointer";
    diagnostic.arguments.push_back(text(finding.address));
    return;
  }
  const Allocation &tensor = m_memory.allocation(finding.tensor);
  const std::string name = tensorName(finding.tensor, finding.instruction);
  const bool before = finding.address < tensor.address;
  const uint64_t distance =
      before ? tensor.address - finding.address : finding.address + finding.bytes - tensor.end();
  diagnostic.arguments.push_back(name);
  diagnostic.arguments.push_back(text(distance));
  diagnostic.notes.push_back({before ? "before-start" : "past-end", {name, text(distance)}, span});
  if (finding.dimension >= 0)
    diagnostic.notes.push_back(
        {"block-dimension",
         {std::to_string(finding.dimension), std::to_string(finding.index), std::to_string(finding.size)},
         span});
  else if (finding.isBlock)
    diagnostic.notes.push_back({"block-shape", {name}, span});
  sayWhatLiesThere(diagnostic, finding);
}

//===- Elements that are followed ------------------------------------------------------------------===//

void FindingReport::undefined(Diagnostic &diagnostic, FindingKind kind, const Finding &finding) {
  diagnostic.arguments.push_back(text(finding.elements));
  diagnostic.arguments.push_back(rangeText(finding.where));
  const SourceSpan load = spanOf(finding.origin);
  if (finding.originKind == OriginKind::Masked) {
    diagnostic.notes.push_back({"masked-here", {}, load});
    const FlowDetail &flow = m_launch.kernel.flow(finding.instruction);
    const ElementType element = m_launch.kernel.access(m_launch.kernel.code()[finding.origin].detail).element;
    if (load.file == m_launch.kernel.places()[m_place].span.file)
      diagnostic.fix = otherFix(kind, flow, element, finding.changed, load);
    return;
  }
  if (finding.originKind == OriginKind::Shared || finding.originKind == OriginKind::OutsideShape) {
    const bool isShared = finding.originKind == OriginKind::Shared;
    diagnostic.notes.push_back({isShared ? "shared-undefined-here" : "outside-shape-here", {}, load});
    return;
  }
  const AccessDetail &access = m_launch.kernel.access(m_launch.kernel.code()[finding.origin].detail);
  const Allocation &tensor = m_memory.allocation(finding.tensor);
  diagnostic.notes.push_back({"unwritten-here",
                              {tensorName(finding.tensor, finding.origin),
                               text((finding.address - tensor.address) / byteSize(access.element))},
                              load});
}

void FindingReport::paddingWins(Diagnostic &diagnostic, const Finding &finding) {
  const Kernel &kernel = m_launch.kernel;
  const FlowDetail &flow = kernel.flow(finding.instruction);
  diagnostic.arguments.push_back(indexText(kernel.shapes()[flow.shape], finding.element));
  diagnostic.arguments.push_back(text(finding.values[0]));
  diagnostic.arguments.push_back(text(finding.values[1]));
  const SourceSpan load = spanOf(finding.origin);
  diagnostic.notes.push_back({"padded-here", {}, load});
  const ElementType element = kernel.access(kernel.code()[finding.origin].detail).element;
  if (load.file == kernel.places()[m_place].span.file)
    diagnostic.fix = otherFix(FindingKind::UndefinedReduction, flow, element, finding.changed, load);
}

void FindingReport::paddingSummed(Diagnostic &diagnostic, const Finding &finding) {
  diagnostic.arguments.push_back(text(finding.elements));
  diagnostic.arguments.push_back(rangeText(finding.where));
  diagnostic.arguments.push_back(text(finding.values[0]));
  diagnostic.notes.push_back({"padded-here", {}, spanOf(finding.origin)});
}

/// The padding belongs behind all that was loaded: behind what it took the place of.
void FindingReport::paddingSorted(Diagnostic &diagnostic, const Finding &finding) {
  const Kernel &kernel = m_launch.kernel;
  diagnostic.arguments.push_back(
      indexText(shapeOf(kernel, instructionOf(finding), kernel.flow(finding.instruction)), finding.element));
  diagnostic.arguments.push_back(text(finding.values[0]));
  diagnostic.arguments.push_back(text(finding.values[1]));
  const SourceSpan load = spanOf(finding.origin);
  diagnostic.notes.push_back({"padded-here", {}, load});
  FlowDetail flow;
  flow.hasOp = true;
  flow.op = finding.values[0] < finding.values[1] ? Op::Min : Op::Max;
  const ElementType element = kernel.access(kernel.code()[finding.origin].detail).element;
  if (load.file == kernel.places()[m_place].span.file)
    diagnostic.fix = otherFix(FindingKind::UndefinedReduction, flow, element, finding.changed, load);
}

void FindingReport::storedTwice(Diagnostic &diagnostic, const Finding &finding) {
  const Kernel &kernel = m_launch.kernel;
  const std::vector<int64_t> &shape =
      shapeOf(kernel, instructionOf(finding), kernel.flow(finding.instruction));
  const Allocation &tensor = m_memory.allocation(finding.tensor);
  diagnostic.arguments.push_back(tensorName(finding.tensor, finding.instruction));
  diagnostic.arguments.push_back(text((finding.address - tensor.address) / finding.bytes));
  diagnostic.arguments.push_back(indexText(shape, finding.element));
  diagnostic.arguments.push_back(indexText(shape, finding.other));
}

void FindingReport::indexWraps(Diagnostic &diagnostic, const Finding &finding) {
  diagnostic.arguments.push_back(text(finding.values[0]));
  diagnostic.arguments.push_back(text(finding.values[1]));
  diagnostic.notes.push_back({"index-used-here", {}, spanOf(finding.origin)});
}

void FindingReport::race(Diagnostic &diagnostic, const Finding &finding) {
  const Allocation &tensor = m_memory.allocation(finding.tensor);
  diagnostic.arguments.push_back(programText(finding.other));
  diagnostic.arguments.push_back(tensorName(finding.tensor, finding.instruction));
  diagnostic.arguments.push_back(text((finding.address - tensor.address) / finding.bytes));
  diagnostic.notes.push_back({"race-other-here", {}, m_launch.kernel.accesses()[finding.origin].span});
  if (finding.sameValue) {
    diagnostic.severity = Severity::Warning;
    diagnostic.notes.push_back({"race-same-value", {}, m_launch.kernel.places()[m_place].span});
  }
}

void FindingReport::waitedFor(Diagnostic &diagnostic, const Finding &finding) {
  if (finding.tensor == 0)
    return;
  const Allocation &tensor = m_memory.allocation(finding.tensor);
  diagnostic.notes.push_back(
      {"waits-for-element",
       {tensorName(finding.tensor, finding.origin), text((finding.address - tensor.address) / finding.bytes),
        text(finding.values[0])},
       spanOf(finding.origin)});
}

/// As Python writes them.
static std::string nonFiniteText(double value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";
}

void FindingReport::nonFinite(Diagnostic &diagnostic, const Finding &finding) {
  const AccessDetail &store = m_launch.kernel.access(m_launch.kernel.code()[finding.origin].detail);
  const Allocation &tensor = m_memory.allocation(finding.tensor);
  diagnostic.arguments.push_back(nonFiniteText(finding.values[0]));
  diagnostic.arguments.push_back(indexText(m_launch.kernel.accesses()[store.site].shape, finding.element));
  diagnostic.notes.push_back(
      {"stored-here",
       {tensorName(finding.tensor, finding.origin), text((finding.address - tensor.address) / finding.bytes)},
       spanOf(finding.origin)});
}

void FindingReport::report(FindingKind kind, uint32_t place, const Finding &finding) {
  m_place = place;
  const KindWords &words = Kinds[static_cast<int>(kind)];
  Diagnostic diagnostic{words.id, words.severity, {}, {}, {}, {}};
  diagnostic.arguments = {m_launch.kernel.name(), programText(finding.program), text(finding.programs)};
  switch (kind) {
  case FindingKind::OutOfBoundsLoad:
  case FindingKind::OutOfBoundsStore:
  case FindingKind::OutOfBoundsAtomic:
    outOfBounds(diagnostic, kind, finding);
    break;
  case FindingKind::AssertionFailed: {
    const MessageDetail &message = m_launch.kernel.message(instructionOf(finding).detail);
    diagnostic.arguments.push_back(message.text);
    diagnostic.arguments.push_back(indexText(message.shape, finding.element));
    break;
  }
  case FindingKind::GatherOutside:
    diagnostic.arguments.push_back(
        indexText(m_launch.kernel.gather(instructionOf(finding).detail).shape, finding.element));
    diagnostic.arguments.push_back(std::to_string(static_cast<int64_t>(finding.address)));
    diagnostic.arguments.push_back(text(uint64_t(finding.bytes)));
    break;
  case FindingKind::AssemblyRefused:
    diagnostic.arguments = {m_launch.kernel.name(),
                            m_launch.kernel.message(instructionOf(finding).detail).text};
    break;
  case FindingKind::AssemblyOutside:
    diagnostic.arguments.push_back(
        m_launch.kernel.assembly(instructionOf(finding).detail).texts[finding.element]);
    diagnostic.arguments.push_back(text(finding.address));
    break;
  case FindingKind::OperationLimit:
    diagnostic.arguments.push_back(text(m_launch.options.operationLimit));
    waitedFor(diagnostic, finding);
    break;
  case FindingKind::PaddingSummed:
    paddingSummed(diagnostic, finding);
    break;
  case FindingKind::PaddingSorted:
    paddingSorted(diagnostic, finding);
    break;
  case FindingKind::StoredTwice:
    storedTwice(diagnostic, finding);
    break;
  case FindingKind::PaddingWins:
    paddingWins(diagnostic, finding);
    break;
  case FindingKind::IndexWraps:
    indexWraps(diagnostic, finding);
    break;
  case FindingKind::WriteRace:
  case FindingKind::ReadRace:
    race(diagnostic, finding);
    break;
  case FindingKind::NonFinite:
    nonFinite(diagnostic, finding);
    break;
  case FindingKind::DivisionByZero:
  case FindingKind::ZeroStep:
  case FindingKind::AssumptionBroken:
    break;
  default:
    undefined(diagnostic, kind, finding);
  }
  add(std::move(diagnostic), kind, finding);
}

} // namespace tilescope::interp
