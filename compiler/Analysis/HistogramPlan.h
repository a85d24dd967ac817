// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a histogram is counted. Code generation and the sizes of scratch space ask here.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

namespace tilescope::analysis {

struct HistogramPlan {
  /// The lanes of a warp vote on each bit of an element, and each lane counts the votes for bins of its own; else each
  /// element adds to its bin in scratch space.
  bool isByVotes = true;
  /// Warps hold different elements, and their counts meet in scratch space.
  bool isAcrossWarps = false;
  bool needsScratch() const { return !isByVotes || isAcrossWarps; }
};

HistogramPlan planOf(tile::HistogramOp op);

} // namespace tilescope::analysis
