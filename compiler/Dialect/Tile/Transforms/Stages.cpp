// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/Transforms/Stages.h"

namespace tilescope::tile {

llvm::ArrayRef<Stage> stages() {
  static constexpr Stage list[] = {
      {"lower-blocks", "Accesses to described blocks become accesses through pointers", lowerBlocks},
      {"contract", "A product and a sum of floats become one rounding", contract},
      {"assign-layouts", "Every tile gets a plain layout", assignLayouts},
  };
  return list;
}

} // namespace tilescope::tile
