// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines, and stages as passes. Inlining is MLIR's, through the dialect's inliner interface.
#include "compiler/Dialect/Tile/Transforms/Passes.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tilescope::tile {
namespace {

struct StagePass final : mlir::PassWrapper<StagePass, mlir::OperationPass<FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StagePass)
  explicit StagePass(const Stage &stage) : stage(&stage), argument(("tile-" + stage.name).str()) {}
  llvm::StringRef getArgument() const override { return argument; }
  llvm::StringRef getDescription() const override { return stage->summary; }
  void runOnOperation() override { stage->run(getOperation()); }

  const Stage *stage;
  std::string argument;
};

} // namespace

std::unique_ptr<mlir::Pass> createStagePass(const Stage &stage) { return std::make_unique<StagePass>(stage); }

void buildStageTwoPrepare(mlir::OpPassManager &manager) {
  manager.addPass(mlir::createInlinerPass());
  manager.addPass(mlir::createCanonicalizerPass());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(mlir::createSymbolDCEPass());
}

void buildStageTwo(mlir::OpPassManager &manager) {
  buildStageTwoPrepare(manager);
  for (const Stage &stage : stages())
    manager.addNestedPass<FuncOp>(createStagePass(stage));
}

void registerPasses() {
  for (const Stage &stage : stages())
    mlir::registerPass([&stage] { return createStagePass(stage); });
  static const mlir::PassPipelineRegistration<> prepare(
      "tile-stage-two-prepare", "Inline calls, fold, and drop what is not used: the end of stage one",
      buildStageTwoPrepare);
  static const mlir::PassPipelineRegistration<> all("tile-stage-two", "From stage one to what the GPU runs",
                                                    buildStageTwo);
}

} // namespace tilescope::tile
