// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tile dialect's text, runs passes over it and prints it: `tile-opt --tile-stage-two-prepare FILE`.
// For tests and for people who work on the compiler.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry dialects;
  dialects.insert<tilescope::tile::TileDialect>();
  mlir::registerTransformsPasses();
  tilescope::tile::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "The tile dialect's optimizer\n", dialects));
}
