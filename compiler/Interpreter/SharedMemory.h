// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of a program, in stage two of tile IR. Its bytes lie in a slot of the frame, and behind them
// a byte for each that says whether anything was written there since its buffer was allocated. Elements are
// kept as global memory has them, where the buffer's layout says. So buffers that overlap, or are read before
// a copy has ended, give wrong or undefined elements here as they would on a GPU.
#pragma once

#include "compiler/Interpreter/Kernel.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace tilescope::interp {

/// Asynchronous copies of a program that no wait has ended: their bytes were read from global memory, and are
/// written when they are waited for, the latest moment that a GPU allows.
class AsyncCopies {
public:
  struct Copy {
    uint32_t detail = 0;          ///< SharedDetail
    int64_t begin = 0;            ///< of the buffer
    Slot memory = 0;              ///< all of shared memory
    std::vector<std::byte> bytes; ///< of the elements, row-major
    std::vector<uint8_t> marks;   ///< Shadow's, of each element; empty: none
  };

  void clear() {
    m_open.clear();
    m_groups.clear();
  }
  void begin(Copy copy) { m_open.push_back(std::move(copy)); }
  /// Closes a group, which may be empty.
  void commit() { m_groups.push_back(std::exchange(m_open, {})); }
  /// Calls `end` for the copies of all groups but the latest `pending`.
  template <typename End> void wait(size_t pending, End end) {
    for (; m_groups.size() > pending; m_groups.pop_front())
      for (const Copy &copy : m_groups.front())
        end(copy);
  }

private:
  std::vector<Copy> m_open;
  std::deque<std::vector<Copy>> m_groups;
};

} // namespace tilescope::interp
