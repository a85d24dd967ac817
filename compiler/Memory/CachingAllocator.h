// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which addresses tensors get: the rules of PyTorch's CUDA caching allocator
// (c10/cuda/CUDACachingAllocator.cpp, default settings, one stream), as arithmetic on addresses without any
// memory behind them.
//
// Sizes are rounded up to 512 bytes. Requests of up to 1 MiB are cut from segments of 2 MiB, those below 10
// MiB from segments of 20 MiB, larger ones get a segment of their own, rounded to 2 MiB. The smallest free
// block that fits is taken, the lowest of equals; its rest is split off if it is at least 512 bytes (small
// pool) or more than 1 MiB (large pool). Freed blocks join free neighbours of their segment. Segments that
// are wholly free are given back only when memory runs out.
//
// Where the driver puts a segment is its own affair; here it is the lowest gap, so segments follow one
// another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace tilescope {

class CachingAllocator {
public:
  /// Segments lie in [base, base + span) and together take at most `capacity` bytes.
  CachingAllocator(uint64_t base, uint64_t span, uint64_t capacity)
      : m_base(base), m_span(span), m_capacity(capacity) {}

  /// The address of a new block of at least `bytes` (> 0) bytes, or nothing if there is no room.
  std::optional<uint64_t> allocate(uint64_t bytes);
  /// `address` was given by allocate().
  void free(uint64_t address);
  /// Of the blocks given out, rounding included.
  uint64_t bytesInUse() const { return m_inUse; }
  /// Of all segments.
  uint64_t bytesReserved() const { return m_reserved; }

private:
  struct Block {
    uint64_t size = 0;
    uint64_t segment = 0; ///< address of its segment
    bool small = false;
    bool used = false;
  };
  using Blocks = std::map<uint64_t, Block>;
  using FreeBlocks = std::set<std::pair<uint64_t, uint64_t>>; ///< (size, address): best fit first

  FreeBlocks &pool(bool small) { return small ? m_freeSmall : m_freeLarge; }
  Blocks::iterator takeFree(uint64_t size, bool small);
  Blocks::iterator addSegment(uint64_t size, bool small);
  std::optional<uint64_t> gapFor(uint64_t size) const;
  void splitOff(Blocks::iterator block, uint64_t size);
  bool joins(Blocks::iterator block, const Block &other) const;
  void releaseFreeSegments();

  const uint64_t m_base, m_span, m_capacity;
  Blocks m_blocks; ///< by address; they cover the segments
  FreeBlocks m_freeSmall, m_freeLarge;
  std::map<uint64_t, uint64_t> m_segments; ///< address -> size
  uint64_t m_inUse = 0, m_reserved = 0;
};

} // namespace tilescope
