// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Stages.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Passes.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"
#include "compiler/Model/GpuTable.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace tilescope::service {
namespace {

/// Runs one part of the way, and tells of a failure: the verifier's own words never reach a person, but as a detail.
template <typename Part>
bool runPart(mlir::ModuleOp module, llvm::StringRef name, Diagnostics &diagnostics, Part part) {
  std::string details;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    details += details.empty() ? diagnostic.str() : "; " + diagnostic.str();
    return mlir::success();
  });
  if (part() && mlir::succeeded(mlir::verify(module)))
    return true;
  diagnostics.error("internal-error", {}, {name.str(), details});
  return false;
}

bool prepare(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false); // once, when all have run
  tile::buildStageTwoPrepare(manager);
  return mlir::succeeded(manager.run(module));
}

} // namespace

bool lowerToStageTwo(mlir::ModuleOp module, const model::Gpu &gpu, Diagnostics &diagnostics, const StageVisitor &visit) {
  const int capability = gpu.sm.major * 10 + gpu.sm.minor;
  for (tile::FuncOp kernel : module.getOps<tile::FuncOp>())
    kernel.setTarget("cuda:" + std::to_string(capability));
  if (!runPart(module, "prepare", diagnostics, [&] { return prepare(module); }))
    return false;
  if (visit)
    visit("prepare", "Calls inlined, constants folded, what is not used dropped", module);
  for (const tile::Stage &stage : tile::stages()) {
    const bool isRight = runPart(module, stage.name, diagnostics, [&] {
      for (tile::FuncOp kernel : module.getOps<tile::FuncOp>())
        stage.run(kernel);
      return true;
    });
    if (!isRight)
      return false;
    if (visit)
      visit(stage.name, stage.summary, module);
  }
  return true;
}

std::vector<StageText> printStages(const FunctionObject &kernel, const frontend::Specialisation &specialisation,
                                   const model::Gpu &gpu, Diagnostics &diagnostics) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = frontend::compile(context, kernel, specialisation, diagnostics);
  if (!module)
    return {};
  std::vector<StageText> result;
  auto print = [&](llvm::StringRef name, llvm::StringRef summary, mlir::ModuleOp stage) {
    StageText &text = result.emplace_back(name.str(), summary.str());
    llvm::raw_string_ostream stream(text.ir);
    stage->print(stream);
  };
  print("frontend", "What the source says", *module);
  if (!lowerToStageTwo(*module, gpu, diagnostics, print))
    return {};
  return result;
}

} // namespace tilescope::service
