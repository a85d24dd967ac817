// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of shared memory, from what goes through it: the best of those that `sharedLayout` can make, and
// one without bank conflicts that is made for one store and one load.
#pragma once

#include "compiler/Layout/Conflicts.h"
#include "compiler/Layout/Constructors.h"

namespace tilescope::layout {

/// A tile in registers that is stored to the buffer or loaded from it.
struct SharedUse {
  LinearLayout registers;
  Direction direction = Direction::Load;
};

struct SwizzleChoice {
  std::vector<unsigned> order;
  Swizzle swizzle;
  unsigned wavefronts = 0; ///< of a warp, all uses together
  unsigned ideal = 0;      ///< what their instructions would take without conflicts
};

/// The one with the fewest wavefronts (Conflicts.h), for a tile of `shape` with elements of `bits`. Without
/// an `order`, any dimension may be the fastest. Of equals the first wins: rows before columns, little
/// swizzling before much.
SwizzleChoice chooseSwizzle(Shape shape, unsigned bits, std::span<const SharedUse> uses,
                            std::span<const unsigned> order = {});

/// A layout of shared memory for a tile that is stored from one layout of registers and loaded into another.
/// The vectors are bits that both have in registers, and those of one of them where that saves wavefronts;
/// the lanes of a wavefront are in different banks on both sides (Zhou et al. 2025, arXiv 2505.23819,
/// "Optimal Swizzling").
LinearLayout exchangeLayout(const LinearLayout &stored, const LinearLayout &loaded, unsigned bits);

} // namespace tilescope::layout
