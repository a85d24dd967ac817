// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction of one warp that loads or stores, by what each lane does.
#pragma once

#include <array>
#include <cstdint>

namespace tilescope::model {

struct WarpAccess {
  std::array<uint64_t, 32> addresses{}; ///< of each lane, in bytes; multiples of the width
  uint32_t active = 0;                  ///< bit l: lane l is not predicated off
  unsigned widthBytes = 4;              ///< of each lane: 1, 2, 4, 8 or 16

  bool isActive(unsigned lane) const { return active >> lane & 1; }
  void set(unsigned lane, uint64_t address) {
    addresses[lane] = address;
    active |= 1u << lane;
  }
};

} // namespace tilescope::model
