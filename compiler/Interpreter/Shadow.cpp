// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks, and how elementwise instructions and moves carry them. ShadowSinks.cpp has what reports.
#include "compiler/Interpreter/Shadow.h"

#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Operations.h"

#include <algorithm>
#include <cstring>

namespace tilescope::interp {

void Shadow::start(const Kernel &kernel, bool checking) {
  m_checking = checking;
  m_undefinedOrigins = m_lesserOrigins = 0;
  m_decided = 0;
  m_live.fill(false);
  if (m_active)
    std::fill(m_dirty.begin(), m_dirty.end(), uint8_t(0));
  m_active = false;
  if (checking)
    activate(kernel);
}

void Shadow::activate(const Kernel &kernel) {
  m_active = true;
  if (m_marks)
    return;
  m_marks.reset(new Mark[kernel.frameBytes()]);
  m_dirty.assign(kernel.frameBytes() / 8 + 1, 0);
}

/// Origins that no number is left for share the last one.
Shadow::Mark Shadow::numberOf(uint32_t instruction, OriginKind kind) {
  const bool undefined = kind < OriginKind::Padding;
  const Mark first = undefined ? FirstUndefined : 1;
  Mark &count = undefined ? m_undefinedOrigins : m_lesserOrigins;
  for (Mark number = first; number < first + count; ++number)
    if (m_origins[number].instruction == instruction && m_origins[number].kind == kind)
      return number;
  const Mark number = static_cast<Mark>(first + std::min<int>(count, FirstUndefined - 2));
  if (count < FirstUndefined - 1)
    ++count;
  m_origins[number] = {instruction, kind};
  m_live[number] = true;
  return number;
}

void Shadow::mark(Frame &frame, OriginKind kind, size_t first, size_t count, Address address,
                  AllocationId tensor) {
  const uint32_t instruction = frame.pc - 1;
  const Slot slot = frame.kernel.code()[instruction].result;
  if (!m_active)
    activate(frame.kernel);
  const Mark number = numberOf(instruction, kind);
  if (!m_live[number])
    return;
  Origin &origin = m_origins[number];
  if (origin.address == 0) {
    origin.address = address;
    origin.tensor = tensor;
  }
  Mark *to = m_marks.get() + slot;
  if (!dirty(slot))
    std::fill_n(to, frame.kernel.flow(instruction).result, Mark(0));
  setDirty(slot, true);
  for (size_t i = first; i < first + count; ++i)
    to[i] = combined(to[i], number);
}

const Shadow::Mark *Shadow::operand(const Step &step, unsigned index) const {
  const bool used = step.instruction.used >> index & 1;
  return used && dirty(step.instruction.operands[index]) ? m_marks.get() + step.instruction.operands[index]
                                                         : nullptr;
}

Shadow::Mark *Shadow::freshResult(const Step &step) {
  const Slot slot = step.instruction.result;
  setDirty(slot, true);
  std::fill_n(m_marks.get() + slot, step.flow.result, Mark(0));
  return m_marks.get() + slot;
}

void Shadow::setResult(const Step &step, const std::vector<Mark> &marks) {
  const Slot slot = step.instruction.result;
  setDirty(slot, true);
  std::copy(marks.begin(), marks.end(), m_marks.get() + slot);
}

//===- For who shows a program ---------------------------------------------------------------------===//

std::optional<OriginKind> Shadow::kindOf(Slot slot, size_t element) const {
  const Mark mark = m_active && dirty(slot) ? m_marks[slot + element] : Mark(0);
  if (mark == 0)
    return std::nullopt;
  const OriginKind kind = m_origins[mark & NumberMask].kind;
  if (kind == OriginKind::Masked || kind == OriginKind::Unwritten || kind == OriginKind::OutsideShape)
    return kind;
  const bool isPadding = kind == OriginKind::Padding || kind == OriginKind::SortedPadding ||
                         kind == OriginKind::PreferredPadding;
  return isPadding && !(mark & Changed) ? std::optional(OriginKind::Padding) : std::nullopt;
}

void Shadow::revive() {
  std::fill_n(m_live.begin() + 1, m_lesserOrigins, true);
  std::fill_n(m_live.begin() + FirstUndefined, m_undefinedOrigins, true);
}

void Shadow::copyFrom(const Shadow &other, const Kernel &kernel) {
  m_checking = other.m_checking;
  m_live = other.m_live;
  m_origins = other.m_origins;
  m_undefinedOrigins = other.m_undefinedOrigins;
  m_lesserOrigins = other.m_lesserOrigins;
  m_decided = other.m_decided;
  m_active = false;
  if (!other.m_active)
    return;
  activate(kernel);
  m_dirty = other.m_dirty;
  std::memcpy(m_marks.get(), other.m_marks.get(), kernel.frameBytes());
}

//===- Elements at the same place ------------------------------------------------------------------===//

bool Shadow::gather(const Step &step, bool keep) {
  const size_t count = step.flow.result;
  bool any = false;
  for (unsigned k = 0; k < 3; ++k) {
    const Mark *from = operand(step, k);
    if (!from || (step.flow.operands[k] != 1 && step.flow.operands[k] != count))
      continue;
    if (!any)
      m_scratch.assign(count, 0);
    any = true;
    Mark *to = m_scratch.data();
    if (step.flow.operands[k] == 1) {
      for (size_t i = 0; i < count; ++i)
        to[i] = combined(to[i], *from);
    } else {
      for (size_t i = 0; i < count; ++i)
        to[i] = combined(to[i], from[i]);
    }
  }
  if (any && !keep)
    for (Mark &mark : m_scratch)
      mark = mark ? mark | Changed : 0;
  return any;
}

void Shadow::elementwise(const Step &step, bool keep) {
  if (!(step.instruction.used & ResultUsed))
    return;
  if (!gather(step, keep))
    return setDirty(step.instruction.result, false);
  dropAbsorbed(step);
  if (m_checking)
    dropNeutral(step);
  // What compares with padding is no padding; what is hashed, or taken modulo a size, wraps on purpose.
  const Op op = step.flow.op;
  const bool compares = op >= Op::Eq && op <= Op::Ge, hashes = op >= Op::Rem && op <= Op::Shr;
  if (m_checking && step.flow.hasOp && (compares || hashes))
    for (Mark &mark : m_scratch)
      mark = is(mark, compares ? OriginKind::Padding : OriginKind::Wrapped) ? 0 : mark;
  setResult(step, m_scratch);
}

/// `false & x`, `true | x` and the integer `0 * x` do not depend on x.
void Shadow::dropAbsorbed(const Step &step) {
  if (!step.flow.hasOp || isFloat(step.flow.type))
    return;
  const Op op = step.flow.op;
  if (op != Op::And && op != Op::Or && op != Op::Mul)
    return;
  const size_t bytes = slotBytes(step.flow.type);
  const int ones = step.flow.type == ElementType::Bool ? 1 : 0xff;
  uint8_t absorbing[8];
  std::memset(absorbing, op == Op::Or ? ones : 0, sizeof(absorbing));
  for (unsigned k = 0; k < 2; ++k) {
    const Mark *marks = operand(step, k);
    const std::byte *values = step.frame.at<std::byte>(step.instruction.operands[k]);
    const size_t step_ = stride(step, k);
    for (size_t i = 0; i < m_scratch.size(); ++i)
      if (m_scratch[i] && !(marks && marks[i * step_]) &&
          std::memcmp(values + i * step_ * bytes, absorbing, bytes) == 0)
        m_scratch[i] = 0;
  }
}

void Shadow::select(const Step &step) {
  const size_t count = step.flow.result;
  const uint8_t *condition = step.frame.at<uint8_t>(step.instruction.operands[0]);
  const Mark *marks[3] = {operand(step, 0), operand(step, 1), operand(step, 2)};
  const size_t strides[3] = {stride(step, 0), stride(step, 1), stride(step, 2)};
  m_scratch.assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    const unsigned chosen = condition[i * strides[0]] ? 1 : 2;
    const Mark decides = marks[0] ? marks[0][i * strides[0]] : 0;
    const Mark value = marks[chosen] ? marks[chosen][i * strides[chosen]] : 0;
    m_scratch[i] = (decides & NumberMask) >= FirstUndefined ? decides | Changed : value;
  }
  setResult(step, m_scratch);
}

//===- Moves ---------------------------------------------------------------------------------------===//

namespace {

template <typename T> void moveMarks(T *to, const T *from, const CopyDetail &copy, size_t dimension) {
  const int64_t toStride = copy.toStrides[dimension], fromStride = copy.fromStrides[dimension];
  for (int64_t i = 0; i < copy.shape[dimension]; ++i) {
    T *target = to + i * toStride;
    const T *source = from ? from + i * fromStride : nullptr;
    if (dimension + 1 == copy.shape.size())
      *target = source ? *source : T(0);
    else
      moveMarks(target, source, copy, dimension + 1);
  }
}

} // namespace

/// The first move into a value sets the rest of it clean.
void Shadow::move(const Step &step) {
  const CopyDetail &copy = step.frame.kernel.copy(step.instruction.detail);
  const Mark *from = operand(step, 0);
  Mark *to = m_marks.get() + step.instruction.result;
  if (step.flow.isFirst || !dirty(step.instruction.result))
    to = freshResult(step);
  moveMarks(to + copy.toOffset, from ? from + copy.fromOffset : nullptr, copy, 0);
}

} // namespace tilescope::interp
