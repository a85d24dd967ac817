// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of values in a frame: two values may share bytes when their lives do not overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilescope::interp {

/// From the first to the last instruction, both inclusive, at which a value must keep its bytes.
struct Life {
  uint64_t bytes = 0;
  uint32_t first = 0, last = 0;
};

struct SlotPlan {
  std::vector<uint64_t> offsets; ///< of each life, in its order
  uint64_t end = 0;              ///< of the last byte in use
};

/// Linear scan over the lives; a free gap that fits best is taken first. Offsets start at `begin` and are
/// multiples of `alignment`.
SlotPlan assignSlots(const std::vector<Life> &lives, uint64_t begin, uint64_t alignment);

} // namespace tilescope::interp
