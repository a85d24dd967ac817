// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loads, stores and atomics have in common: which elements are active, which tensor each is meant to
// touch, whether it lies inside, and what is counted. An access outside its tensor never touches memory.
#pragma once

#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Transfer.h"

#include <algorithm>

namespace tilescope::interp {

/// A dimension in which an element of a block lies outside of the shape that the block was given.
struct LeftDimension {
  int dimension;
  int64_t index, size;
};
/// The first such dimension; nothing for an element inside.
std::optional<LeftDimension> leftDimension(Frame &frame, const BlockDetail &block, uint64_t element);

/// One execution of an access. `address(i)` may be asked for any element.
class AccessRun {
public:
  AccessRun(Frame &frame, const Instruction &instruction, unsigned maskOperand, FindingKind outside);

  const AccessDetail &detail() const { return m_detail; }
  unsigned bytes() const { return m_bytes; }

  /// Calls `inside(first, count, extent)` for runs of active elements that lie in their tensor, one after
  /// another in memory; `hole(first, count, masked)` for those that are masked off or outside. In row-major
  /// order. Where the addresses of a row are no run, `scattered(first, count)` may carry it out, and says so.
  template <typename Inside, typename Hole, typename Scattered>
  void forEach(Inside inside, Hole hole, Scattered scattered);
  template <typename Inside, typename Hole> void forEach(Inside inside, Hole hole) {
    forEach(inside, hole, [](size_t, size_t) { return false; });
  }

  /// From the least to the greatest byte that `count` elements touch, if all are on and lie in one tensor
  /// that is known beforehand; else empty, also where footprints are wanted.
  Extent spread(size_t first, size_t count) const;
  void countInside(size_t first, size_t count);

  const uint64_t *addresses() const { return m_addresses; }
  uint64_t address(size_t i) const { return m_singleAddress ? *m_addresses : m_addresses[i]; }

private:
  void observe() const;
  bool masked(size_t i) const { return m_mask && !m_mask[i]; }
  /// The first place from `first` on where the mask has that value.
  size_t nextWith(int value, size_t first, size_t end) const {
    const void *found = std::memchr(m_mask + first, value, end - first);
    return found ? static_cast<size_t>(static_cast<const uint8_t *>(found) - m_mask) : end;
  }
  bool isRun(size_t first, size_t count) const;
  Extent extentAt(size_t i);
  void reportOutside(size_t first, size_t count, const Extent &extent);

  /// Active elements `first` … that are one run in memory.
  template <typename Inside, typename Hole> void run(size_t first, size_t count, Inside &inside, Hole &hole);
  template <typename Inside, typename Hole, typename Scattered>
  void row(size_t first, size_t count, Inside &inside, Hole &hole, Scattered &scattered);

  Frame &m_frame;
  const Instruction &m_instruction;
  const AccessDetail &m_detail;
  const unsigned m_bytes;
  const uint64_t *m_addresses;
  const uint8_t *m_mask = nullptr; ///< null: all on
  const AllocationId *m_tensors = nullptr;
  Extent m_extent; ///< where all elements share it
  const FindingKind m_outside;
  bool m_singleAddress, m_off = false;
  AccessCounts &m_counts;
};

template <typename Inside, typename Hole, typename Scattered>
void AccessRun::forEach(Inside inside, Hole hole, Scattered scattered) {
  const size_t count = m_instruction.count;
  if (m_off) {
    m_counts.masked += count;
    hole(size_t(0), count, true);
    return;
  }
  for (size_t first = 0; first < count; first += m_detail.row)
    row(first, m_detail.row, inside, hole, scattered);
}

template <typename Inside, typename Hole, typename Scattered>
void AccessRun::row(size_t first, size_t count, Inside &inside, Hole &hole, Scattered &scattered) {
  const bool contiguous = isRun(first, count);
  if (!contiguous && scattered(first, count))
    return;
  for (size_t i = first, end = first + count; i < end;) {
    size_t next = i + 1;
    if (masked(i)) {
      next = nextWith(1, next, end);
      m_counts.masked += next - i;
      hole(i, next - i, true);
    } else {
      if (contiguous)
        next = m_mask ? nextWith(0, next, end) : end;
      run(i, next - i, inside, hole);
    }
    i = next;
  }
}

template <typename Inside, typename Hole>
void AccessRun::run(size_t first, size_t count, Inside &inside, Hole &hole) {
  const Extent extent = extentAt(first);
  const uint64_t at = address(first);
  if (extent.holds(at, count * m_bytes)) {
    countInside(first, count);
    inside(first, count, extent);
  } else if (count == 1) {
    reportOutside(first, 1, extent);
    hole(first, size_t(1), false);
  } else {
    // The part that lies inside, and what sticks out before and behind.
    const uint64_t end = at + count * m_bytes, limit = extent.address + extent.bytes;
    const size_t before =
        at < extent.address ? std::min<uint64_t>(count, (extent.address - at + m_bytes - 1) / m_bytes) : 0;
    const size_t behind =
        end > limit ? std::min<uint64_t>(count - before, (end - limit + m_bytes - 1) / m_bytes) : 0;
    const size_t middle = count - before - behind;
    if (before > 0) {
      reportOutside(first, before, extent);
      hole(first, before, false);
    }
    if (middle > 0) {
      countInside(first + before, middle);
      inside(first + before, middle, extent);
    }
    if (behind > 0) {
      reportOutside(first + before + middle, behind, extent);
      hole(first + before + middle, behind, false);
    }
  }
}

} // namespace tilescope::interp
