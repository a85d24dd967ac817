// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops under every tensor operation. A loop over strided operands is cut into runs along the innermost
// dimension, runs into chunks that fit the first-level cache; a chunk is loaded into plain arrays of the
// arithmetic type, worked on there, and stored. So one loop an operation serves all element types and
// layouts, and the compiler can vectorise it.
#pragma once

#include "compiler/Host/TensorElement.h"

#include <array>
#include <cstddef>
#include <vector>

namespace tilescope::host {

using Dims = std::vector<int64_t>;

constexpr int64_t ChunkElements = 1024;

/// Loads `count` elements, `stride` elements apart, into an array of C (float, double or int64_t).
template <typename C>
using ChunkLoader = void (*)(const std::byte *from, int64_t stride, int64_t count, C *to);
template <typename C>
using ChunkStorer = void (*)(const C *from, int64_t count, std::byte *to, int64_t stride);

template <typename C> ChunkLoader<C> chunkLoader(ElementType type);
template <typename C> ChunkStorer<C> chunkStorer(ElementType type);

/// One operand of a loop: where element 0 lies, and its strides (in elements; 0 where it is broadcast).
struct LoopOperand {
  std::byte *data = nullptr; ///< only ever written through for results
  ElementType type = ElementType::Float32;
  Dims strides;
};

/// A loop over `shape` for several operands: dimensions that lie one after the other in all of them are one.
class StridedLoop {
public:
  StridedLoop(const Dims &shape, const std::vector<LoopOperand> &operands);

  /// Calls run(pointers, length) for each innermost run; `pointers` has one entry an operand,
  /// `innerStride(k)` elements apart within the run. Ends early, giving false, when run() gives false.
  template <typename Run> bool forEachRun(Run run) {
    if (m_empty)
      return true;
    Dims index(m_outer.size(), 0);
    for (;;) {
      if (!run(m_pointers, m_length))
        return false;
      if (!advance(index))
        return true;
    }
  }
  /// The next forEachRun() begins at `data` for this operand. Without it, it goes over the same elements
  /// again.
  void restart(size_t operand, std::byte *data) { m_pointers[operand] = data; }
  int64_t innerStride(size_t operand) const { return m_inner[operand]; }

private:
  bool advance(Dims &index);

  Dims m_outer;
  std::vector<Dims> m_outerBytes; ///< stride in bytes: [operand][outer dimension]
  Dims m_inner;                   ///< innermost stride of each operand, in elements
  std::vector<std::byte *> m_pointers;
  int64_t m_length = 1;
  bool m_empty = false;
};

} // namespace tilescope::host
