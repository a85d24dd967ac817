// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where it matters that an element is undefined. What is undefined as a whole (all of a line that is summed)
// only makes the result undefined: a row that lies outside and is masked off again does no harm.
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Operations.h"
#include "compiler/Interpreter/Shadow.h"

#include <algorithm>
#include <cstring>

namespace tilescope::interp {

namespace {

/// The shape of the tile that an instruction looks at as operand `index`.
std::vector<int64_t> shapeOf(const Kernel &kernel, const Instruction &instruction, const FlowDetail &flow,
                             unsigned index) {
  switch (flow.flow) {
  case Flow::Dot: {
    const DotDetail &dot = kernel.dot(instruction.detail);
    std::vector<int64_t> shape =
        index == 0 ? std::vector<int64_t>{dot.m, dot.k} : std::vector<int64_t>{dot.k, dot.n};
    if (dot.batch > 1)
      shape.insert(shape.begin(), dot.batch);
    return shape;
  }
  case Flow::Gather:
    return kernel.gather(instruction.detail).shape;
  case Flow::Load:
  case Flow::Store:
  case Flow::Atomic:
    return kernel.accesses()[kernel.access(instruction.detail).site].shape;
  case Flow::Assert:
    return kernel.message(instruction.detail).shape;
  case Flow::Print:
    return kernel.print(instruction.detail).shape;
  default:
    return kernel.shapes()[flow.shape];
  }
}

} // namespace

void Shadow::include(Finding &finding, const Step &step, unsigned index, uint64_t element) {
  const std::vector<int64_t> shape = shapeOf(step.frame.kernel, step.instruction, step.flow, index);
  if (finding.where.empty())
    finding.where.assign(shape.size(), {~uint64_t(0), 0});
  for (size_t d = shape.size(); d-- > 0; element /= static_cast<uint64_t>(shape[d])) {
    const uint64_t along = element % static_cast<uint64_t>(shape[d]);
    finding.where[d] = {std::min(finding.where[d].begin, along), std::max(finding.where[d].end, along + 1)};
  }
}

/// All elements of one origin, the first's, are one finding; then that origin has been reported.
void Shadow::report(const Step &step, FindingKind kind, unsigned index,
                    const std::function<bool(size_t)> &matters) {
  const Mark *marks = operand(step, index);
  if (!marks)
    return;
  const size_t count = std::max<uint32_t>(step.flow.operands[index], 1);
  Finding finding;
  Mark number = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!isUndefined(marks[i]) || !matters(i) || (number && (marks[i] & NumberMask) != number))
      continue;
    if (!number) {
      number = marks[i] & NumberMask;
      finding.element = i;
    }
    finding.changed |= (marks[i] & Changed) != 0;
    ++finding.elements;
    if (count > 1)
      include(finding, step, index, i);
  }
  if (!number)
    return;
  m_live[number] = false;
  const Origin &origin = m_origins[number];
  finding.origin = origin.instruction;
  finding.originKind = origin.kind;
  finding.address = origin.address;
  finding.tensor = origin.tensor;
  step.frame.found(kind, finding, step.frame.kernel.placeOf(origin.instruction));
}

void Shadow::follow(Frame &frame, const Instruction &instruction) {
  const Step step{frame, instruction, frame.kernel.flow(frame.pc - 1)};
  const bool hasResult = (instruction.used & ResultUsed) != 0;
  const bool keepsOthers = isPartial(step.flow) && !step.flow.isFirst;
  if (step.flow.flow == Flow::MapBegin)
    m_decided = 0;
  if (step.flow.flow == Flow::Assembly && step.flow.isFirst)
    setDirty(instruction.result, false); // it has no operands
  bool marked = step.flow.flow == Flow::Put && m_decided != 0;
  for (unsigned i = 0; i < 3; ++i)
    marked |= operand(step, i) != nullptr;
  if (!marked) {
    if (hasResult && !keepsOthers)
      setDirty(instruction.result, false);
    else if (hasResult && dirty(instruction.result))
      carry(step);
  } else {
    carry(step);
  }
  if (m_checking && step.flow.feedsAddress)
    checkWrap(step);
}

/// Of an instruction whose operands have marks, or that sets a part of a result that has.
void Shadow::carry(const Step &step) {
  switch (step.flow.flow) {
  case Flow::Elementwise:
  case Flow::Keep:
    elementwise(step, step.flow.flow == Flow::Keep);
    break;
  case Flow::Select:
    select(step);
    break;
  case Flow::Move:
    move(step);
    break;
  case Flow::Reduce:
    reduce(step);
    break;
  case Flow::Scan:
    scan(step);
    break;
  case Flow::Dot:
    dot(step);
    break;
  case Flow::Gather:
    gatherElements(step);
    break;
  case Flow::Histogram:
    histogram(step);
    break;
  case Flow::Unpack:
    unpackScaled(step);
    break;
  case Flow::Pick:
    pick(step);
    break;
  case Flow::Put:
    put(step);
    break;
  case Flow::MapBranch:
    for (unsigned i = 0; i < 3; ++i)
      if (const Mark *marks = operand(step, i); marks && isUndefined(*marks))
        m_decided = combined(m_decided, *marks | Changed);
    break;
  case Flow::Exchange:
    exchange(step);
    break;
  case Flow::ToPorts:
    toPorts(step);
    break;
  case Flow::Assembly:
    assembly(step);
    break;
  case Flow::FromPorts:
    fromPorts(step);
    break;
  default:
    sink(step);
  }
}

void Shadow::sink(const Step &step) {
  const Instruction &instruction = step.instruction;
  const auto always = [](size_t) { return true; };
  switch (step.flow.flow) {
  case Flow::Load:
  case Flow::Store:
  case Flow::Atomic:
    return access(step);
  case Flow::Branch:
    for (unsigned i = 0; i < 3; ++i)
      report(step, FindingKind::UndefinedBranch, i, always);
    return;
  case Flow::Assert: {
    const uint8_t *mask = instruction.used & 2 ? step.frame.at<uint8_t>(instruction.operands[1]) : nullptr;
    return report(step, FindingKind::UndefinedAssertion, 0,
                  [&](size_t i) { return !mask || mask[i * stride(step, 1)]; });
  }
  case Flow::Print:
    return report(step, FindingKind::UndefinedPrint, 0, always);
  default:
    if (instruction.used & ResultUsed)
      setDirty(instruction.result, false);
  }
}

//===- Reductions ----------------------------------------------------------------------------------===//

/// A line that is undefined in part is reported, one that is as a whole makes an undefined result.
void Shadow::reduce(const Step &step) {
  const AxisDetail &axis = step.frame.kernel.axis(step.instruction.detail);
  const Mark *marks = operand(step, 0);
  const size_t length = axis.length, inner = axis.inner, lines = size_t(axis.outer) * inner;
  std::vector<Mark> results(lines, 0);
  std::vector<bool> mixed(lines);
  for (size_t line = 0; line < lines; ++line) {
    const Mark *at = marks + line / inner * length * inner + line % inner;
    size_t undefined = 0;
    for (size_t i = 0; i < length; ++i)
      undefined += isUndefined(at[i * inner]);
    mixed[line] = undefined > 0 && undefined < length;
    if (undefined == length)
      results[line] = *at | Changed;
  }
  report(step, FindingKind::UndefinedReduction, 0,
         [&](size_t i) { return mixed[i / (length * inner) * inner + i % inner]; });
  if (m_checking)
    checkPadding(step, results);
  if (step.instruction.used & ResultUsed)
    setResult(step, results);
}

/// An undefined element matters to the defined ones behind it; up to the end it only makes the rest
/// undefined.
void Shadow::scan(const Step &step) {
  const AxisDetail &axis = step.frame.kernel.axis(step.instruction.detail);
  const Mark *marks = operand(step, 0);
  const size_t length = axis.length, inner = axis.inner, lines = size_t(axis.outer) * inner;
  std::vector<Mark> results(lines * length, 0);
  std::vector<bool> matters(results.size());
  for (size_t line = 0; line < lines; ++line) {
    const size_t first = line / inner * length * inner + line % inner;
    const auto at = [&](size_t i) { return first + (axis.reverse ? length - 1 - i : i) * inner; };
    size_t end = length; // behind the last defined element
    while (end > 0 && isUndefined(marks[at(end - 1)]))
      --end;
    for (size_t i = 0; i < end; ++i)
      matters[at(i)] = isUndefined(marks[at(i)]);
    for (size_t i = end; i < length; ++i)
      results[at(i)] = marks[at(i)] | Changed;
  }
  report(step, FindingKind::UndefinedScan, 0, [&](size_t i) { return matters[i]; });
  if (step.instruction.used & ResultUsed)
    setResult(step, results);
}

/// A row of the left operand, or a column of the right one, that is undefined as a whole makes a row or
/// column of the result undefined; one that is in part is reported.
void Shadow::dot(const Step &step) {
  const DotDetail &dot = step.frame.kernel.dot(step.instruction.detail);
  const size_t m = dot.m, n = dot.n, k = dot.k, batch = dot.batch;
  std::vector<Mark> rows(batch * m, 0), columns(batch * n, 0);
  const auto look = [&](unsigned index, std::vector<Mark> &lines, auto lineOf) {
    const Mark *marks = operand(step, index);
    if (!marks)
      return;
    const size_t count = lines.size() * k;
    std::vector<size_t> undefined(lines.size());
    for (size_t i = 0; i < count; ++i)
      undefined[lineOf(i)] += isUndefined(marks[i]);
    for (size_t i = 0; i < count; ++i)
      if (undefined[lineOf(i)] == k)
        lines[lineOf(i)] = marks[i] | Changed;
    report(step, FindingKind::UndefinedProduct, index, [&](size_t i) { return undefined[lineOf(i)] < k; });
  };
  look(0, rows, [&](size_t i) { return i / k; });
  look(1, columns, [&](size_t i) { return i / (k * n) * n + i % n; });
  const Mark *sum = operand(step, 2);
  std::vector<Mark> results(batch * m * n);
  for (size_t i = 0; i < results.size(); ++i) {
    const Mark product = combined(rows[i / n], columns[i / (m * n) * n + i % n]);
    results[i] = combined(product, sum ? sum[i * stride(step, 2)] | Changed : 0);
  }
  setResult(step, results);
}

//===- Accesses ------------------------------------------------------------------------------------===//

void Shadow::access(const Step &step) {
  const Instruction &instruction = step.instruction;
  const unsigned maskIndex = step.flow.flow == Flow::Load ? 1 : 2;
  const bool compares = step.flow.flow == Flow::Atomic &&
                        step.frame.kernel.access(instruction.detail).atomic == AtomicKind::CompareExchange;
  const bool hasMask = !compares && (instruction.used >> maskIndex & 1);
  const uint8_t *mask = hasMask ? step.frame.at<uint8_t>(instruction.operands[maskIndex]) : nullptr;
  const size_t maskStride = hasMask ? stride(step, maskIndex) : 0;
  const auto isOn = [&](size_t i) { return !mask || mask[i * maskStride]; };
  if (hasMask)
    report(step, FindingKind::UndefinedMask, maskIndex, [](size_t) { return true; });
  report(step, FindingKind::UndefinedAddress, 0, isOn);
  reportWrapped(step, isOn);
  if (step.flow.flow == Flow::Load)
    return load(step);
  // One value for all elements matters if any of them is on.
  const FindingKind kind =
      step.flow.flow == Flow::Store ? FindingKind::UndefinedStore : FindingKind::UndefinedAtomic;
  const bool anyOn = [&] {
    for (size_t i = 0; i < instruction.count; ++i)
      if (isOn(i))
        return true;
    return false;
  }();
  for (unsigned index = 1; index < (compares ? 3u : 2u); ++index)
    report(step, kind, index, [&](size_t i) { return stride(step, index) ? isOn(i) : anyOn; });
  if (step.flow.flow == Flow::Store)
    checkSorted(step, isOn);
  if (instruction.used & ResultUsed)
    setDirty(instruction.result, false);
}

/// Elements that are masked off are as defined as `other`; the load itself marks what it finds.
void Shadow::load(const Step &step) {
  const Instruction &instruction = step.instruction;
  const Mark *other = operand(step, 2);
  setDirty(instruction.result, false);
  if (!other)
    return;
  const uint8_t *mask = step.frame.at<uint8_t>(instruction.operands[1]);
  m_scratch.assign(step.flow.result, 0);
  for (size_t i = 0; i < m_scratch.size(); ++i)
    if (!mask[i * stride(step, 1)])
      m_scratch[i] = other[i * stride(step, 2)];
  setResult(step, m_scratch);
}

//===- Indices that wrap ---------------------------------------------------------------------------===//

/// Of an instruction whose result becomes an offset: marks what does not fit in its 32 bits.
void Shadow::checkWrap(const Step &step) {
  const Instruction &instruction = step.instruction;
  const size_t count = step.flow.result, da = stride(step, 0), db = stride(step, 1);
  const int32_t *a = step.frame.at<int32_t>(instruction.operands[0]);
  const int32_t *b = step.frame.at<int32_t>(instruction.operands[1]);
  const auto exact = [&](size_t i) {
    const int64_t left = a[i * da], right = b[i * db];
    return step.flow.op == Op::Add ? left + right : step.flow.op == Op::Sub ? left - right : left * right;
  };
  uint64_t wraps = 0;
  for (size_t i = 0; i < count; ++i)
    wraps |= static_cast<uint64_t>(exact(i) + (int64_t(1) << 31)) >> 32;
  if (wraps == 0)
    return;
  const uint32_t index = step.frame.pc - 1;
  const Mark number = numberOf(index, OriginKind::Wrapped);
  if (!dirty(instruction.result))
    freshResult(step);
  Mark *to = m_marks.get() + instruction.result;
  for (size_t i = 0; i < count; ++i) {
    const int64_t value = exact(i);
    if (value == static_cast<int32_t>(value))
      continue;
    if (to[i] == 0)
      to[i] = number;
    Origin &origin = m_origins[number];
    if (origin.values[0] == 0)
      origin.values = {double(a[i * da]), double(b[i * db])};
  }
}

/// Reported where it wrapped, at the first access that it takes part in.
template <typename Matters> void Shadow::reportWrapped(const Step &step, Matters matters) {
  const Mark *marks = operand(step, 0);
  if (!m_checking || !marks)
    return;
  for (size_t i = 0; i < std::max<uint32_t>(step.flow.operands[0], 1); ++i) {
    if (!is(marks[i], OriginKind::Wrapped) || !matters(i))
      continue;
    const Mark number = marks[i] & NumberMask;
    const Origin &origin = m_origins[number];
    Finding finding;
    finding.element = i;
    finding.origin = step.frame.pc - 1;
    finding.originKind = OriginKind::Wrapped;
    finding.values[0] = origin.values[0];
    finding.values[1] = origin.values[1];
    m_live[number] = false;
    step.frame.foundAt(FindingKind::IndexWraps, origin.instruction, finding);
    return;
  }
}

} // namespace tilescope::interp
