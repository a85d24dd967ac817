// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coalescing: what one warp's access asks of global memory. Measured on an H200: a warp instruction is one
// request whatever its width, as many sectors as its lanes touch, and none at all with every lane off.
#pragma once

#include "compiler/Model/WarpAccess.h"

namespace tilescope::model {

constexpr uint64_t kSectorBytes = 32;

/// Counts of one access or the sum over several. Sectors are counted for each request: two requests for one
/// sector are two, as Nsight Compute's l1tex__t_sectors and l1tex__t_requests have it.
struct GlobalCounts {
  int64_t requests = 0;
  int64_t sectors = 0;
  int64_t bytesUsed = 0; ///< distinct bytes that lanes of a request take
  int64_t bytesRequested() const { return sectors * int64_t(kSectorBytes); }

  GlobalCounts &operator+=(const GlobalCounts &other) {
    requests += other.requests;
    sectors += other.sectors;
    bytesUsed += other.bytesUsed;
    return *this;
  }
  friend bool operator==(const GlobalCounts &, const GlobalCounts &) = default;
};

GlobalCounts globalAccess(const WarpAccess &access);

} // namespace tilescope::model
