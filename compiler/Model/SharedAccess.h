// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bank conflicts of one warp's access to shared memory: 32 banks of four bytes. The rule is what an H200
// counted:
// - A store goes in phases of 32, 16 or 8 lanes for 4, 8 or 16 bytes. A phase costs as many wavefronts as
//   there are distinct words in the bank that has most.
// - A load is the same, but lanes that read the same words are one, in whichever phase they are.
// For whole tiles with a layout, compiler/Layout/Conflicts.h has the same without visiting lanes.
#pragma once

#include "compiler/Model/WarpAccess.h"

namespace tilescope::model {

enum class SharedDirection { Load, Store };

struct SharedCounts {
  int64_t requests = 0;
  int64_t wavefronts = 0;
  int64_t ideal = 0; ///< wavefronts if every phase took one
  int64_t conflicts() const { return wavefronts - ideal; }

  SharedCounts &operator+=(const SharedCounts &other) {
    requests += other.requests;
    wavefronts += other.wavefronts;
    ideal += other.ideal;
    return *this;
  }
  friend bool operator==(const SharedCounts &, const SharedCounts &) = default;
};

/// Addresses are offsets in shared memory. No request with every lane off.
SharedCounts sharedAccess(const WarpAccess &access, SharedDirection direction);

} // namespace tilescope::model
