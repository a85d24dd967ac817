// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves of elements between slots: the same order, or strided on both sides (broadcast, permute, join, split,
// cat, slices). The innermost dimension is a loop of its own.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

#include <algorithm>
#include <cstring>

namespace tilescope::interp {

namespace {

template <typename T> void copyLoop(Frame &frame, const Instruction &instruction) {
  const T *from = frame.at<T>(instruction.operands[0]);
  T *to = frame.at<T>(instruction.result);
  if (instruction.single & 1)
    std::fill_n(to, instruction.count, *from);
  else
    std::memmove(to, from, instruction.count * sizeof(T));
}

template <typename T>
void copyLine(T *to, int64_t toStride, const T *from, int64_t fromStride, int64_t count) {
  if (toStride == 1 && fromStride == 1)
    std::memcpy(to, from, count * sizeof(T));
  else if (toStride == 1 && fromStride == 0)
    std::fill_n(to, count, *from);
  else
    for (int64_t i = 0; i < count; ++i)
      to[i * toStride] = from[i * fromStride];
}

template <typename T> void copyDimension(T *to, const T *from, const CopyDetail &detail, size_t dimension) {
  const int64_t toStride = detail.toStrides[dimension], fromStride = detail.fromStrides[dimension];
  const int64_t extent = detail.shape[dimension];
  if (dimension + 1 == detail.shape.size())
    return copyLine(to, toStride, from, fromStride, extent);
  for (int64_t i = 0; i < extent; ++i)
    copyDimension(to + i * toStride, from + i * fromStride, detail, dimension + 1);
}

template <typename T> void copyStridedLoop(Frame &frame, const Instruction &instruction) {
  const CopyDetail &detail = frame.kernel.copy(instruction.detail);
  copyDimension(frame.at<T>(instruction.result) + detail.toOffset,
                frame.at<T>(instruction.operands[0]) + detail.fromOffset, detail, 0);
}

} // namespace

Handler copyElements(unsigned bytes) {
  switch (bytes) {
  case 1:
    return &copyLoop<uint8_t>;
  case 2:
    return &copyLoop<uint16_t>;
  case 4:
    return &copyLoop<uint32_t>;
  default:
    return &copyLoop<uint64_t>;
  }
}

Handler copyStrided(unsigned bytes) {
  switch (bytes) {
  case 1:
    return &copyStridedLoop<uint8_t>;
  case 2:
    return &copyStridedLoop<uint16_t>;
  case 4:
    return &copyStridedLoop<uint32_t>;
  default:
    return &copyStridedLoop<uint64_t>;
  }
}

} // namespace tilescope::interp
