// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/Transforms/Stages.h"

namespace tilescope::tile {

llvm::ArrayRef<Stage> stages() {
  static constexpr Stage list[] = {
      {"lower-blocks", "Accesses to described blocks become accesses through pointers", lowerBlocks},
      {"lower-scaled-products", "Scaled products become products of elements times their scales", lowerScaledProducts},
      {"contract", "A product and a sum of floats become one rounding", contract},
      {"assign-layouts", "Every tile gets a plain layout", assignLayouts},
      {"coalesce", "Accesses: neighbouring elements to a thread, neighbouring threads side by side", coalesce},
      {"place-products", "Products go to tensor cores, or to threads", placeProducts},
      {"propagate-layouts", "Everything else takes the layouts of accesses and products", propagateLayouts},
      {"rematerialise", "What is cheap is computed again instead of converted", rematerialise},
      {"simplify", "Fold, and drop what is not used", simplify},
      {"hoist-invariants", "What does not change from trip to trip goes in front of the loop", hoistInvariants},
      {"stage-operands", "Operands of products come through swizzled shared memory", stageOperands},
      {"pipeline-loops", "Asynchronous copies for trips to come, into several buffers", pipelineLoops},
      {"simplify", "Fold, and drop what is not used", simplify},
      {"allocate-shared", "Buffers and scratch space get their places in shared memory", allocateShared},
      {"insert-barriers", "Threads wait for each other where a hazard is, and nowhere else", insertBarriers},
  };
  return list;
}

} // namespace tilescope::tile
