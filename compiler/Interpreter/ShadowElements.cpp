// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks through operations that move single elements: gather, histogram, functions of elements, operands of
// scaled products, inline PTX.
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Shadow.h"

#include <algorithm>

namespace tilescope::interp {

/// An element is the one that its index chose; an undefined index chooses nothing.
void Shadow::gatherElements(const Step &step) {
  const GatherDetail &detail = step.frame.kernel.gather(step.instruction.detail);
  const Mark *source = operand(step, 0), *chosen = operand(step, 1);
  const int64_t *indices = step.frame.at<int64_t>(step.instruction.operands[1]);
  const size_t group = size_t(detail.indices) * detail.inner;
  m_scratch.assign(step.flow.result, 0);
  for (size_t i = 0; i < m_scratch.size(); ++i) {
    if (chosen && isUndefined(chosen[i]))
      m_scratch[i] = chosen[i] | Changed;
    else if (source && indices[i] >= 0 && indices[i] < int64_t(detail.length))
      m_scratch[i] =
          source[(i / group * detail.length + size_t(indices[i])) * detail.inner + i % detail.inner];
  }
  setResult(step, m_scratch);
}

/// Like a reduction: what is counted must be defined, or all of it not.
void Shadow::histogram(const Step &step) {
  const Mark *values = operand(step, 0);
  const bool hasMask = (step.instruction.used & 2) != 0;
  const uint8_t *mask = hasMask ? step.frame.at<uint8_t>(step.instruction.operands[1]) : nullptr;
  report(step, FindingKind::UndefinedMask, 1, [](size_t) { return true; });
  Mark all = 0;
  size_t counted = 0, undefined = 0;
  for (size_t i = 0; i < step.instruction.count; ++i) {
    if (mask && !mask[i])
      continue;
    ++counted;
    if (!values || !isUndefined(values[i]))
      continue;
    ++undefined;
    all = values[i] | Changed;
  }
  const bool mixed = undefined < counted;
  if (mixed)
    report(step, FindingKind::UndefinedReduction, 0, [&](size_t i) { return !mask || mask[i]; });
  m_scratch.assign(step.flow.result, mixed ? Mark(0) : all);
  setResult(step, m_scratch);
}

/// An element, and the scale of its group.
void Shadow::unpackScaled(const Step &step) {
  const ScaledDetail &detail = step.frame.kernel.scaled(step.instruction.detail);
  const Mark *elements = operand(step, 0), *scales = operand(step, 1);
  const size_t rows = detail.rows >> detail.packedRows, columns = detail.columns >> detail.packedColumns;
  const size_t others = detail.scalesRows ? detail.rows : detail.columns;
  const size_t groups = detail.group ? (detail.scalesRows ? detail.columns : detail.rows) / detail.group : 0;
  m_scratch.assign(step.flow.result, 0);
  for (size_t i = 0; i < m_scratch.size(); ++i) {
    const size_t column = i % detail.columns, row = i / detail.columns % detail.rows;
    const size_t batch = i / detail.columns / detail.rows;
    const size_t other = detail.scalesRows ? row : column, k = detail.scalesRows ? column : row;
    const size_t at =
        (batch * rows + (row >> detail.packedRows)) * columns + (column >> detail.packedColumns);
    const Mark element = elements ? elements[at] : 0;
    const Mark scale = scales ? scales[(batch * others + other) * groups + k / detail.group] : 0;
    m_scratch[i] = combined(element, scale ? scale | Changed : 0);
  }
  setResult(step, m_scratch);
}

//===- Functions of elements -----------------------------------------------------------------------===//

void Shadow::pick(const Step &step) {
  const auto index = static_cast<uint32_t>(*step.frame.at<int32_t>(step.instruction.operands[1]));
  const Mark *from = operand(step, 0);
  *freshResult(step) = from ? from[index + step.instruction.detail] : Mark(0);
}

/// Where an undefined element decided the function's way, all that it gives is undefined.
void Shadow::put(const Step &step) {
  const auto index = static_cast<uint32_t>(*step.frame.at<int32_t>(step.instruction.operands[1]));
  const Mark *from = operand(step, 0);
  Mark *to = dirty(step.instruction.result) ? m_marks.get() + step.instruction.result : freshResult(step);
  to[index + step.instruction.detail] = combined(from ? *from : Mark(0), m_decided);
}

//===- Inline PTX ----------------------------------------------------------------------------------===//

void Shadow::toPorts(const Step &step) {
  const PortDetail &detail = step.frame.kernel.port(step.instruction.detail);
  const Mark *from = operand(step, 0);
  Mark *to = m_marks.get() + step.instruction.result;
  if (step.flow.isFirst || !dirty(step.instruction.result))
    to = freshResult(step);
  for (size_t group = 0, element = 0; group < step.instruction.count; ++group, to += detail.ports)
    for (uint32_t i = 0; i < detail.pack; ++i, ++element) {
      Mark &port = to[detail.first + i / detail.perPort];
      port = combined(i % detail.perPort == 0 ? Mark(0) : port, from ? from[element] : Mark(0));
    }
}

/// Each port is as undefined as those that it comes from.
void Shadow::assembly(const Step &step) {
  const PtxProgram &program = step.frame.kernel.assembly(step.instruction.detail);
  const auto reaches = [&](const std::vector<bool> &ports) {
    return [&](size_t i) { return ports[i % program.ports]; };
  };
  report(step, FindingKind::UndefinedAddress, 0, reaches(program.flow.addresses));
  report(step, FindingKind::UndefinedStore, 0, reaches(program.flow.stored));
  Mark *marks = m_marks.get() + step.instruction.result;
  std::vector<Mark> results(program.ports);
  for (uint32_t group = 0; group < step.instruction.count; ++group, marks += program.ports) {
    for (uint32_t port = 0; port < program.ports; ++port) {
      results[port] = 0;
      for (uint32_t from = 0; from < program.ports; ++from)
        if (marks[from] && program.flow.ports[port][from])
          results[port] = combined(results[port], marks[from] | Changed);
    }
    std::copy(results.begin(), results.end(), marks);
  }
}

void Shadow::fromPorts(const Step &step) {
  const PortDetail &detail = step.frame.kernel.port(step.instruction.detail);
  const Mark *from = operand(step, 0);
  m_scratch.clear();
  for (size_t group = 0; group < step.instruction.count; ++group, from += detail.ports)
    for (uint32_t i = 0; i < detail.pack; ++i)
      m_scratch.push_back(from[detail.first + i / detail.perPort]);
  setResult(step, m_scratch);
}

} // namespace tilescope::interp
