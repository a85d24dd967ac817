// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contraction, decided here so that the interpreter and the GPU round alike. The choice where both sides of a sum are
// products is that of LLVM's NVPTX target, which Triton's kernels go through: the one with fewer uses, the left one if equal.
#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// The product that `value` is, if it can be part of `sum`.
MulOp productIn(Value value, Operation *sum) {
  auto product = value.getDefiningOp<MulOp>();
  return product && product->getBlock() == sum->getBlock() ? product : MulOp();
}

int64_t usesOf(MulOp product) { return std::distance(product->use_begin(), product->use_end()); }

/// Formats that a GPU has a fused instruction for.
bool isContracted(Type element) { return element.isF16() || element.isBF16() || element.isF32() || element.isF64(); }

void fuse(Operation *sum, MulOp product, Value addend, bool negateProduct, bool negateAddend) {
  OpBuilder builder(sum);
  const Location location = sum->getLoc();
  Value x = product.getLhs();
  if (negateProduct)
    x = NegOp::create(builder, location, x);
  if (negateAddend)
    addend = NegOp::create(builder, location, addend);
  Value fused = FmaOp::create(builder, location, x, product.getRhs(), addend);
  sum->getResult(0).replaceAllUsesWith(fused);
  sum->erase();
  const std::optional<ValueOrigin> origin = readLocation(product.getLoc());
  if (product->use_empty() && !(origin && !origin->variable.empty()))
    product.erase();
}

template <typename Sum> void contractOne(Sum sum) {
  constexpr bool minus = std::is_same_v<Sum, SubOp>;
  if (!isContracted(elementTypeOf(sum.getType())))
    return;
  MulOp left = productIn(sum.getLhs(), sum), right = productIn(sum.getRhs(), sum);
  if (left && right && usesOf(left) > usesOf(right))
    left = {};
  if (left)
    fuse(sum, left, sum.getRhs(), false, minus);
  else if (right)
    fuse(sum, right, sum.getLhs(), minus, false);
}

} // namespace

void contract(FuncOp kernel) {
  llvm::SmallVector<Operation *> sums;
  kernel.walk([&](Operation *op) {
    if (isa<AddOp, SubOp>(op))
      sums.push_back(op);
  });
  for (Operation *sum : sums) {
    if (auto add = dyn_cast<AddOp>(sum))
      contractOne(add);
    else
      contractOne(cast<SubOp>(sum));
  }
}

} // namespace tilescope::tile
