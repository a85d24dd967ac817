// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that a load masked off and filled by `other`, in checking mode: where they take part as if they
// had been loaded. A maximum or minimum that one of them wins; a sum that they enter after they were changed
// to something else than 0, as in a variance; a sort that puts them in the place of others.
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Operations.h"
#include "compiler/Interpreter/Shadow.h"
#include "compiler/Interpreter/SlotValue.h"

namespace tilescope::interp {

namespace {

double valueAt(const Frame &frame, Slot slot, ElementType type, size_t i) {
  return slotValue(frame.memory.get() + slot + i * slotBytes(type), type);
}

bool isGreatest(Op op) { return op == Op::Max || op == Op::MaxNan; }
bool isExtreme(Op op) { return isGreatest(op) || op == Op::Min || op == Op::MinNan; }

} // namespace

bool Shadow::isPadding(Mark mark) const {
  return is(mark, OriginKind::Padding) || is(mark, OriginKind::SortedPadding) ||
         is(mark, OriginKind::PreferredPadding);
}

double Shadow::valueOf(const Step &step, unsigned index, size_t element) {
  const size_t at = element * stride(step, index);
  return valueAt(step.frame, step.instruction.operands[index], step.flow.operandTypes[index], at);
}

/// Is it no padding, and another one for each element? Then padding that changes nothing of it is forgotten:
/// a sum that goes on over the last, partial block is what it was.
bool Shadow::standsAlone(const Step &step, unsigned index, size_t element) const {
  const bool isFull = stride(step, index) != 0 && !(step.flow.spread >> index & 1);
  const Mark *marks = operand(step, index);
  return isFull && !(marks && marks[element]);
}

/// Does an element stay what it was without the padding that it meets?
bool Shadow::isUntouched(const Step &step, size_t i) const {
  const Op op = step.flow.op;
  if (op == Op::Fma)
    return standsAlone(step, 2, i) && valueOf(step, 0, i) * valueOf(step, 1, i) == 0;
  for (unsigned index : {0u, 1u}) {
    if (!standsAlone(step, index, i))
      continue;
    const double own = valueOf(step, index, i), padding = valueOf(step, 1 - index, i);
    if (op == Op::Add || op == Op::Sub)
      return padding == 0;
    return isGreatest(op) ? padding <= own : padding >= own;
  }
  return false;
}

void Shadow::dropNeutral(const Step &step) {
  const Op op = step.flow.op;
  if (!step.flow.hasOp || (op != Op::Add && op != Op::Sub && op != Op::Fma && !isExtreme(op)))
    return;
  for (size_t i = 0; i < m_scratch.size(); ++i)
    if (isPadding(m_scratch[i]) && isUntouched(step, i))
      m_scratch[i] = 0;
}

//===- Reductions ----------------------------------------------------------------------------------===//

/// The best of a line's elements that are padding, or of those that are not.
struct Shadow::Best {
  size_t element = 0, count = 0;
  double value = 0;

  void add(size_t at, double here, bool greatest) {
    if (count++ == 0 || (greatest ? here > value : here < value)) {
      element = at;
      value = here;
    }
  }
};

void Shadow::reportPadding(const Step &step, FindingKind kind, Mark mark, Finding finding) {
  const Mark number = mark & NumberMask;
  finding.origin = m_origins[number].instruction;
  finding.originKind = OriginKind::Padding;
  finding.changed = (mark & Changed) != 0;
  m_live[number] = false;
  step.frame.found(kind, finding, step.frame.kernel.placeOf(finding.origin));
}

/// Does an element that stands for padding win a maximum or minimum over all that do not? One that a sort
/// moved is followed on: it may lose to others later.
void Shadow::checkExtreme(const Step &step, std::vector<Mark> &results) {
  const AxisDetail &axis = step.frame.kernel.axis(step.instruction.detail);
  const bool greatest = isGreatest(step.flow.op);
  const Mark *marks = operand(step, 0);
  const size_t length = axis.length, inner = axis.inner;
  for (size_t line = 0; line < results.size(); ++line) {
    const size_t first = line / inner * length * inner + line % inner;
    Best best[2]; // of elements that are none, and that are padding
    for (size_t i = first; i < first + length * inner; i += inner)
      best[isPadding(marks[i])].add(i, valueAt(step.frame, step.instruction.operands[0], step.flow.type, i),
                                    greatest);
    if (best[1].count == 0)
      continue;
    const Mark mark = marks[best[1].element];
    const bool isSorted = !is(mark, OriginKind::Padding);
    const bool wins = greatest ? best[1].value > best[0].value : best[1].value < best[0].value;
    if (best[0].count == 0) {
      if (isSorted && results[line] == 0)
        results[line] = mark;
    } else if (wins && isSorted) {
      const Mark number = numberOf(m_origins[mark & NumberMask].instruction, OriginKind::PreferredPadding);
      m_origins[number].values = {best[1].value, best[0].value};
      results[line] = number;
    } else if (wins) {
      Finding finding;
      finding.element = best[1].element;
      finding.elements = best[1].count;
      finding.values[0] = best[1].value;
      finding.values[1] = best[0].value;
      return reportPadding(step, FindingKind::PaddingWins, mark, finding);
    }
  }
}

/// Padding that has become something else than 0, in a sum with elements that were loaded.
void Shadow::checkSum(const Step &step) {
  const AxisDetail &axis = step.frame.kernel.axis(step.instruction.detail);
  const Mark *marks = operand(step, 0);
  const size_t length = axis.length, inner = axis.inner, lines = size_t(axis.outer) * inner;
  Finding finding;
  Mark found = 0;
  for (size_t line = 0; line < lines; ++line) {
    const size_t first = line / inner * length * inner + line % inner;
    bool isLoaded = false;
    for (size_t i = first; i < first + length * inner && !isLoaded; i += inner)
      isLoaded = marks[i] == 0;
    for (size_t i = first; i < first + length * inner && isLoaded; i += inner) {
      const bool counts = is(marks[i], OriginKind::Padding) && (marks[i] & Changed) &&
                          (!found || (found & NumberMask) == (marks[i] & NumberMask));
      const double value = counts ? valueAt(step.frame, step.instruction.operands[0], step.flow.type, i) : 0;
      if (value == 0)
        continue;
      if (!found) {
        found = marks[i];
        finding.element = i;
        finding.values[0] = value;
      }
      ++finding.elements;
      include(finding, step, 0, i);
    }
  }
  if (found)
    reportPadding(step, FindingKind::PaddingSummed, found, finding);
}

void Shadow::checkPadding(const Step &step, std::vector<Mark> &results) {
  if (!step.flow.hasOp || step.flow.type == ElementType::Bool)
    return;
  if (isExtreme(step.flow.op))
    checkExtreme(step, results);
  else if (step.flow.op == Op::Add)
    checkSum(step);
}

//===- Sorts ---------------------------------------------------------------------------------------===//

void Shadow::exchange(const Step &step) {
  if (!m_checking || !operand(step, 0))
    return;
  Mark *marks = m_marks.get() + step.instruction.operands[0];
  for (size_t i = 0; i < step.flow.operands[0]; ++i)
    if (is(marks[i], OriginKind::Padding))
      marks[i] = numberOf(m_origins[marks[i] & NumberMask].instruction, OriginKind::SortedPadding) |
                 (marks[i] & Changed);
}

/// Of a store: a row in which padding that a sort moved is stored and what was loaded is masked off, or is
/// gone because the padding was preferred.
void Shadow::checkSorted(const Step &step, const std::function<bool(size_t)> &isOn) {
  const Mark *marks = operand(step, 1);
  if (!m_checking || !marks || !stride(step, 1))
    return;
  const size_t row = step.frame.kernel.access(step.instruction.detail).row;
  for (size_t first = 0; first < step.instruction.count; first += row) {
    std::optional<size_t> stored, leftOut;
    for (size_t i = first; i < first + row; ++i) {
      const bool isPreferred = is(marks[i], OriginKind::PreferredPadding);
      if (isOn(i) && (isPreferred || is(marks[i], OriginKind::SortedPadding))) {
        if (!stored || isPreferred)
          stored = i;
      } else if (!isOn(i) && marks[i] == 0) {
        leftOut = i;
      }
    }
    if (!stored)
      continue;
    const Mark mark = marks[*stored];
    Finding finding;
    finding.element = *stored;
    finding.values[0] = valueOf(step, 1, *stored);
    if (is(mark, OriginKind::PreferredPadding))
      finding.values[1] = m_origins[mark & NumberMask].values[1];
    else if (leftOut && valueOf(step, 1, *leftOut) != finding.values[0])
      finding.values[1] = valueOf(step, 1, *leftOut);
    else
      continue;
    return reportPadding(step, FindingKind::PaddingSorted, mark, finding);
  }
}

} // namespace tilescope::interp
