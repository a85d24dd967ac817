// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who holds the elements along one dimension of a tile. What combines them in their order (scans) goes from run to run:
// registers of a thread, lanes of a warp, warps.
#pragma once

#include "compiler/Layout/LinearLayout.h"

namespace tilescope::layout {

/// Neighbouring bits of the index along the dimension that are held alike.
struct AxisRun {
  Dim dim = Dim::Register;    ///< Register, Lane or Warp
  unsigned first = 0;         ///< the lowest bit of the index
  std::vector<unsigned> bits; ///< of `dim`: which of its bits each bit of the index is, the lowest first
  unsigned size() const { return 1u << bits.size(); }
  /// The coordinate of `dim` that holds the run's index `index`.
  uint64_t holderOf(uint64_t index) const;
  uint64_t mask() const { return holderOf(size() - 1); } ///< the bits of `dim`
};

/// From the lowest bit of the index to the highest. Nothing for a layout in which a bit along the dimension is the sum of
/// several, or is held twice: the compiler makes none.
std::optional<std::vector<AxisRun>> axisRuns(const LinearLayout &layout, unsigned axis);

} // namespace tilescope::layout
