// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Loops.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilescope::tile {

void simplify(FuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  dropUnusedCarried(kernel);
  RewritePatternSet patterns(context);
  for (RegisteredOperationName operation : context->getRegisteredOperationsByDialect("tile"))
    operation.getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(kernel, std::move(patterns)); // a bound on its steps may stop it: nothing is wrong then
  IRRewriter rewriter(context);
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
}

} // namespace tilescope::tile
