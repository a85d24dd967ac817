// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/HistogramPlan.h"

namespace tilescope::analysis {

using layout::Dim;

/// A lane goes through its share of the bins for each element; 32 is as long as 32 lanes take that add to one bin.
constexpr int64_t mostBinsPerLane = 32;

HistogramPlan planOf(tile::HistogramOp op) {
  const layout::LinearLayout &map = op.getOperand().getType().getLayout().getMap();
  HistogramPlan plan;
  plan.isByVotes = op.getType().elementCount() <= 32 * mostBinsPerLane;
  for (unsigned bit = 0; bit < map.inputBits(Dim::Warp); ++bit)
    plan.isAcrossWarps |= map.basis(Dim::Warp, bit) != 0;
  return plan;
}

} // namespace tilescope::analysis
