// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a tile by their index along one dimension, as tile.gather has it: whether threads find them in their own
// warp. Code generation and the sizes of scratch space ask here.
#pragma once

#include "compiler/Layout/Axis.h"

namespace tilescope::layout {

/// From (register, lane, warp) of the result to the source's element with index 0 of the same line. The two tiles have one
/// size in every dimension but `axis`.
LinearLayout gatherLines(const LinearLayout &source, const LinearLayout &result, unsigned axis);

struct WarpGather {
  /// From (register, lane, warp) of the result to (register, lane) of the source, for index 0 …
  LinearLayout first;
  /// … and what the bits of an index add, in registers and lanes.
  std::vector<AxisRun> runs;
  /// Bits of the source's register that only a thread or its index says: each of their values is a candidate.
  uint64_t candidates = 0;
  bool isWithinThread = false; ///< no lane needs another's elements
};

/// Nothing where elements are in other warps, or where shuffles of all candidates would cost more than a way through
/// shared memory.
std::optional<WarpGather> warpGather(const LinearLayout &source, const LinearLayout &result, unsigned axis);

} // namespace tilescope::layout
