// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers moved by offsets: the offset, extended to 64 bits, times the size of the pointee, modulo 2^64.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

namespace {

int64_t extended(Bit offset) { return offset.value; }
template <typename T> int64_t extended(T offset) { return static_cast<int64_t>(offset); }

template <typename T> void addPointerLoop(Frame &frame, const Instruction &instruction) {
  uint64_t *result = frame.at<uint64_t>(instruction.result);
  const uint64_t *pointer = frame.at<uint64_t>(instruction.operands[0]);
  const T *offset = frame.at<T>(instruction.operands[1]);
  const uint32_t count = instruction.count;
  const unsigned shift = instruction.detail; // sizes are powers of two
  if (instruction.single & 1) {
    const uint64_t base = *pointer;
    TILESCOPE_INDEPENDENT
    for (uint32_t i = 0; i < count; ++i)
      result[i] = base + (static_cast<uint64_t>(extended(offset[i])) << shift);
  } else if (instruction.single & 2) {
    const uint64_t distance = static_cast<uint64_t>(extended(*offset)) << shift;
    TILESCOPE_INDEPENDENT
    for (uint32_t i = 0; i < count; ++i)
      result[i] = pointer[i] + distance;
  } else {
    TILESCOPE_INDEPENDENT
    for (uint32_t i = 0; i < count; ++i)
      result[i] = pointer[i] + (static_cast<uint64_t>(extended(offset[i])) << shift);
  }
}

template <typename T> struct Make {
  static Handler handler() { return &addPointerLoop<T>; }
};

} // namespace

Handler addPointer(ElementType offset) { return forInteger<Make>(offset); }

} // namespace tilescope::interp
