// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in shared memory: allocated, stored to, loaded from, copied into asynchronously. Read
// SharedMemory.h first. A buffer that reaches past the end of shared memory (an index of a slot that is too
// large) drops what is stored and gives undefined elements.
#include "compiler/Interpreter/SharedMemory.h"

#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/SharedHandlers.h"
#include "compiler/Interpreter/Transfer.h"

#include <algorithm>

namespace tilescope::interp {

namespace {

/// Of a byte of shared memory: what stands behind all of them.
enum ByteState : uint8_t {
  Defined = 1, ///< something was written there since its buffer was allocated
  Fresh = 2,   ///< written since the last barrier, …
  Read = 4,    ///< … read since it: whoever does the other now meets a hazard
};

class Buffer {
public:
  Buffer(Frame &frame, uint32_t detail, int64_t begin, Slot memory, bool seesHazards = false)
      : m_frame(frame), m_detail(frame.kernel.shared(detail)), m_memory(memory),
        m_bytes(byteSize(m_detail.element)), m_begin(begin), m_seesHazards(seesHazards) {}

  bool fits(size_t bytes) const { return m_begin >= 0 && m_begin + bytes <= m_detail.memoryBytes; }
  void clear(size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
      states()[m_begin + i] &= uint8_t(~Defined);
    if (uint8_t *marks = m_frame.shadow.marksOf(m_memory))
      std::memset(marks + m_begin, 0, bytes);
  }
  /// `elements` as memory has them, row-major; `marks` of each, or null. What meets a hazard is undefined.
  void put(const std::byte *elements, const uint8_t *marks);
  /// Has a thread used the bytes since the last barrier, so that nobody may write there?
  bool isInUse() const;
  /// All threads have come here: what was done before is over. Then the first `bytes` are read.
  void synchronise(size_t bytes = 0);
  /// To `elements`; calls `undefined(i)` for each that is not there, for every thread to see.
  template <typename Undefined> void get(std::byte *elements, Undefined undefined);
  /// Marks of the elements, to those of the slot `result`.
  void getMarks(Slot result) const;

  size_t elements() const { return m_detail.offsets.size(); }
  size_t bytes() const { return elements() * m_bytes; }
  ElementType element() const { return m_detail.element; }

private:
  std::byte *data() const { return m_frame.at<std::byte>(m_memory); }
  uint8_t *states() const { return m_frame.at<uint8_t>(m_memory) + m_detail.memoryBytes; }
  /// Is one of these states that of any byte of an element? Is it missing from any?
  bool has(size_t element, uint8_t some) const {
    const uint8_t *first = states() + at(element);
    return std::any_of(first, first + m_bytes, [&](uint8_t state) { return (state & some) != 0; });
  }
  bool lacks(size_t element, uint8_t some) const {
    const uint8_t *first = states() + at(element);
    return std::any_of(first, first + m_bytes, [&](uint8_t state) { return (state & some) == 0; });
  }
  size_t at(size_t element) const { return size_t(m_begin) + size_t(m_detail.offsets[element]) * m_bytes; }

  Frame &m_frame;
  const SharedDetail &m_detail;
  const Slot m_memory;
  const unsigned m_bytes;
  const int64_t m_begin;
  const bool m_seesHazards;
};

bool Buffer::isInUse() const {
  for (size_t i = 0; i < elements(); ++i)
    if (m_seesHazards && has(i, Fresh | Read))
      return true;
  return false;
}

void Buffer::synchronise(size_t bytes) {
  for (size_t i = 0; i < m_detail.memoryBytes; ++i)
    states()[i] &= Defined;
  for (size_t i = 0; i < bytes; ++i)
    states()[m_begin + i] |= Read;
}

void Buffer::put(const std::byte *elements, const uint8_t *marks) {
  if (!fits(bytes()))
    return;
  uint8_t *to = m_frame.shadow.marksOf(m_memory);
  if (marks && !to)
    to = m_frame.shadow.cleanMarks(m_memory, m_detail.memoryBytes);
  for (size_t i = 0; i < this->elements(); ++i) {
    std::memcpy(data() + at(i), elements + i * m_bytes, m_bytes);
    const bool isHazard = m_seesHazards && has(i, Fresh | Read);
    std::memset(states() + at(i), isHazard ? Fresh : Defined | Fresh, m_bytes);
    if (to)
      std::memset(to + at(i), marks ? marks[i] : 0, m_bytes);
  }
}

template <typename Undefined> void Buffer::get(std::byte *elements, Undefined undefined) {
  const bool inside = fits(bytes());
  for (size_t i = 0; i < this->elements(); ++i) {
    const bool isThere = inside && !lacks(i, Defined) && !(m_seesHazards && has(i, Fresh));
    if (isThere)
      std::memcpy(elements + i * m_bytes, data() + at(i), m_bytes);
    else
      std::memset(elements + i * m_bytes, 0, m_bytes);
    if (!isThere)
      undefined(i);
    for (size_t byte = 0; inside && byte < m_bytes; ++byte)
      states()[at(i) + byte] |= Read;
  }
}

void Buffer::getMarks(Slot result) const {
  const uint8_t *from = m_frame.shadow.marksOf(m_memory);
  if (!from || !fits(bytes()))
    return;
  uint8_t *to = m_frame.shadow.cleanMarks(result, elements());
  for (size_t i = 0; i < elements(); ++i)
    to[i] = from[at(i)];
}

/// The elements of the slot `value`, as memory has them.
std::vector<std::byte> bytesOf(Frame &frame, Slot value, const Buffer &buffer) {
  std::vector<std::byte> bytes(buffer.bytes());
  Transfer(buffer.element()).toMemory(frame.at<std::byte>(value), bytes.data(), buffer.elements());
  return bytes;
}

//===- Handlers ------------------------------------------------------------------------------------===//

void allocateLoop(Frame &frame, const Instruction &instruction) {
  Buffer buffer(frame, instruction.detail, *frame.at<int32_t>(instruction.operands[0]),
                instruction.operands[1]);
  buffer.clear(instruction.count);
}

/// Scratch space is written, waited for by all, and read.
void scratchLoop(Frame &frame, const Instruction &instruction) {
  Buffer scratch(frame, instruction.detail, *frame.at<int32_t>(instruction.operands[0]),
                 instruction.operands[1]);
  scratch.clear(instruction.count);
  scratch.synchronise(instruction.count);
}

void barrierLoop(Frame &frame, const Instruction &instruction) {
  Buffer(frame, instruction.detail, 0, instruction.operands[0]).synchronise();
}

template <bool SeesHazards> void storeLoop(Frame &frame, const Instruction &instruction) {
  const Slot value = instruction.operands[0];
  Buffer buffer(frame, instruction.detail, *frame.at<int32_t>(instruction.operands[1]),
                instruction.operands[2], SeesHazards);
  buffer.put(bytesOf(frame, value, buffer).data(), frame.shadow.marksOf(value));
}

template <bool SeesHazards> void loadLoop(Frame &frame, const Instruction &instruction) {
  Buffer buffer(frame, instruction.detail, *frame.at<int32_t>(instruction.operands[0]),
                instruction.operands[1], SeesHazards);
  std::vector<std::byte> bytes(buffer.bytes());
  std::vector<size_t> undefined;
  buffer.get(bytes.data(), [&](size_t i) { undefined.push_back(i); });
  Transfer(buffer.element()).toSlot(bytes.data(), frame.at<std::byte>(instruction.result), buffer.elements());
  buffer.getMarks(instruction.result);
  for (size_t i : undefined)
    frame.shadow.mark(frame, OriginKind::Shared, i, 1);
}

/// What is there meanwhile is undefined.
template <bool SeesHazards> void copyLoop(Frame &frame, const Instruction &instruction) {
  const Slot value = instruction.operands[0], memory = instruction.operands[2];
  const int32_t begin = *frame.at<int32_t>(instruction.operands[1]);
  Buffer buffer(frame, instruction.detail, begin, memory, SeesHazards);
  if (!buffer.fits(buffer.bytes()))
    return;
  buffer.clear(buffer.bytes());
  if (buffer.isInUse())
    return;
  AsyncCopies::Copy copy{instruction.detail, begin, memory, bytesOf(frame, value, buffer), {}};
  if (const uint8_t *marks = frame.shadow.marksOf(value))
    copy.marks.assign(marks, marks + buffer.elements());
  frame.copies.begin(std::move(copy));
}

void commitLoop(Frame &frame, const Instruction &) { frame.copies.commit(); }

void waitLoop(Frame &frame, const Instruction &instruction) {
  frame.copies.wait(instruction.detail, [&](const AsyncCopies::Copy &copy) {
    Buffer(frame, copy.detail, copy.begin, copy.memory)
        .put(copy.bytes.data(), copy.marks.empty() ? nullptr : copy.marks.data());
  });
}

} // namespace

Handler sharedAllocate() { return &allocateLoop; }
Handler sharedBarrier() { return &barrierLoop; }
SharedHandlers sharedHandlers(bool seesHazards) {
  if (!seesHazards)
    return {sharedStore(), sharedLoad(), asyncCopy(), sharedAllocate()};
  return {&storeLoop<true>, &loadLoop<true>, &copyLoop<true>, &scratchLoop};
}
Handler sharedStore() { return &storeLoop<false>; }
Handler sharedLoad() { return &loadLoop<false>; }
Handler asyncCopy() { return &copyLoop<false>; }
Handler asyncCommit() { return &commitLoop; }
Handler asyncWait() { return &waitLoop; }

} // namespace tilescope::interp
