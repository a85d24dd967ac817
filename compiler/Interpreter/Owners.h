// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number for each unit of a tensor: who touched it last. Blocks of 64 units with one number cost 8 bytes,
// others 8 bytes a unit more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace tilescope::interp {

class Owners {
public:
  explicit Owners(uint64_t units) : m_blocks((units + BlockUnits - 1) / BlockUnits, 0) {}

  /// Calls f(first, count, owner) for stretches of units with one owner, in order.
  template <typename F> void forEach(uint64_t first, uint64_t count, F f) const {
    for (uint64_t at = first, end = first + count; at < end;) {
      const uint64_t block = at / BlockUnits, stop = std::min(end, (block + 1) * BlockUnits);
      const uint64_t owner = m_blocks[block];
      if (!(owner & Mixed)) {
        f(at, stop - at, owner);
        at = stop;
        continue;
      }
      const auto &units = m_mixed[owner & ~Mixed];
      while (at < stop) {
        const uint64_t begin = at;
        while (++at < stop && units[at % BlockUnits] == units[begin % BlockUnits]) {
        }
        f(begin, at - begin, units[begin % BlockUnits]);
      }
    }
  }
  /// `owner` has 63 bits; 0 for nobody.
  void set(uint64_t first, uint64_t count, uint64_t owner) {
    for (uint64_t at = first, end = first + count; at < end;) {
      const uint64_t block = at / BlockUnits, stop = std::min(end, (block + 1) * BlockUnits);
      uint64_t &entry = m_blocks[block];
      if (!(entry & Mixed) && entry != owner) {
        if (stop - at == BlockUnits) {
          entry = owner;
        } else {
          m_mixed.emplace_back().fill(entry);
          entry = Mixed | (m_mixed.size() - 1);
        }
      }
      if (entry & Mixed)
        std::fill_n(m_mixed[entry & ~Mixed].begin() + static_cast<int64_t>(at % BlockUnits), stop - at,
                    owner);
      at = stop;
    }
  }
  uint64_t bytes() const { return m_blocks.size() * 8 + m_mixed.size() * BlockUnits * 8; }

private:
  static constexpr uint64_t BlockUnits = 64;
  static constexpr uint64_t Mixed = uint64_t(1) << 63;

  std::vector<uint64_t> m_blocks;
  std::deque<std::array<uint64_t, BlockUnits>> m_mixed;
};

} // namespace tilescope::interp
