// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sectors that a launch touches, each once: what it would move if nothing were asked for twice. Exact; a
// bitmap of the pages that are touched, 1/256 of their size.
#pragma once

#include "compiler/Model/RegularTile.h"

#include <unordered_map>

namespace tilescope::model {

/// Not for several threads at a time; each can have its own and they are merged.
class DistinctSectors {
public:
  /// `bytes` bytes at every address that is on.
  void add(const RegularTile &tile, unsigned bytes);
  void add(std::span<const uint64_t> addresses, std::span<const uint8_t> mask, unsigned bytes);
  /// The bytes from `begin` up to `end`.
  void addBytes(uint64_t begin, uint64_t end);
  void merge(const DistinctSectors &other);

  int64_t count() const;
  /// Those that have a byte between `begin` and `end`: of one tensor.
  int64_t count(uint64_t begin, uint64_t end) const;

private:
  static constexpr uint64_t PageSectors = 2048; ///< 64 KiB of memory
  using Page = std::array<uint64_t, PageSectors / 64>;

  void addSectors(uint64_t first, uint64_t last);

  std::unordered_map<uint64_t, Page> m_pages; ///< by sector / PageSectors
};

} // namespace tilescope::model
