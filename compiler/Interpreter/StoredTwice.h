// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store of which two elements go to the same address with different values: which of them stays is left to
// chance. In checking mode.
#pragma once

#include "compiler/Interpreter/Access.h"

namespace tilescope::interp {

class StoredTwice {
public:
  /// Elements first … first + count were stored one behind the other.
  void add(size_t first, size_t count, const AccessRun &access, const Extent &extent);
  /// Reports the first two elements that meet. `values`: the slot of the stored tile, of `size` bytes each.
  void report(Frame &frame, const AccessRun &access, const std::byte *values, unsigned size);

private:
  struct Run {
    Address begin;
    size_t first, count;
    AllocationId tensor;
  };
  std::vector<Run> m_runs;
  Address m_end = 0;
  bool m_isAscending = true; ///< each run begins behind those before
};

} // namespace tilescope::interp
