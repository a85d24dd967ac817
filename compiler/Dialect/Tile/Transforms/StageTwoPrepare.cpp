// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline that leaves stage one. Inlining is MLIR's, through the dialect's inliner interface.
#include "compiler/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tilescope::tile {

void buildStageTwoPrepare(mlir::OpPassManager &manager) {
  manager.addPass(mlir::createInlinerPass());
  manager.addPass(mlir::createCanonicalizerPass());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(mlir::createSymbolDCEPass());
}

void registerPipelines() {
  static mlir::PassPipelineRegistration<> prepare(
      "tile-stage-two-prepare", "Inline calls, fold, and drop what is not used: the end of stage one",
      buildStageTwoPrepare);
}

} // namespace tilescope::tile
