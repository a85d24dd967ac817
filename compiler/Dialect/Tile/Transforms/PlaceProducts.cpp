// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads compute which elements of a product: by `mma.sync` on every target that has it for the types, else by
// multiply-add. (`wgmma` and `tcgen05` would be chosen here as well.)
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Relayout.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"
#include "compiler/Layout/Constructors.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// Bits that an operand's element takes in a tensor core's registers; 0 where the target has none for these types.
unsigned tensorCoreBits(DotOp dot, unsigned capability) {
  const Type element = elementTypeOf(dot.getA().getType());
  if (element.isF16())
    return capability >= 75 ? 16 : 0;
  if (element.isBF16())
    return capability >= 80 ? 16 : 0;
  if (element.isF32())
    switch (dot.getInputPrecision()) {
    case InputPrecision::Ieee:
      return 0;
    case InputPrecision::Tf32:
    case InputPrecision::Tf32x3:
      return capability >= 80 ? 32 : 0;
    case InputPrecision::Bf16x3:
    case InputPrecision::Bf16x6:
      return capability >= 80 ? 16 : 0; // parts of bf16
    }
  if (isFloat(element) && bitWidthOf(element) == 8)
    return capability >= 89 ? 8 : 0;
  return isInteger(element) && bitWidthOf(element) == 8 && capability >= 80 ? 8 : 0;
}

/// mma.sync m16n8, 256 bits along K.
bool fitsTensorCore(ArrayRef<int64_t> accumulator, int64_t k, unsigned bits) {
  return accumulator[accumulator.size() - 2] >= 16 && accumulator.back() >= 8 && k >= 256 / bits;
}

/// Whether `value` is computed from a product within a trip of its loop.
bool comesFromProduct(Value value, llvm::DenseSet<Operation *> &found) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> open = {value};
  const std::size_t before = found.size();
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<DotOp>(op))
      found.insert(op);
    else if (isMemoryEffectFree(op) && op->getNumRegions() == 0)
      llvm::append_range(open, op->getOperands());
  }
  return found.size() > before;
}

/// Products of which one is the operand of another. All their warps go along M, so that rows stay with their warps.
llvm::DenseSet<Operation *> chainedProducts(FuncOp kernel) {
  llvm::DenseSet<Operation *> chained;
  kernel.walk([&](DotOp dot) {
    if (comesFromProduct(dot.getA(), chained) || comesFromProduct(dot.getB(), chained))
      chained.insert(dot);
  });
  return chained;
}

/// The warps make the part of the product that they compute at once as square as they can.
layout::TensorCore spreadWarps(ArrayRef<int64_t> shape, unsigned warps, bool chained) {
  if (chained)
    return {warps, 1};
  const int64_t m = shape[shape.size() - 2], n = shape.back();
  layout::TensorCore result;
  while (result.warpsM * result.warpsN < warps) {
    const bool roomM = int64_t(result.warpsM) * 16 < m, roomN = int64_t(result.warpsN) * 8 < n;
    const bool moreM = m / (16 * result.warpsM) >= n / (8 * result.warpsN) / 2;
    if (roomM && (moreM || !roomN))
      result.warpsM *= 2;
    else
      result.warpsN *= 2;
  }
  return result;
}

/// A square of the product to each thread.
layout::Blocked threadProduct(FuncOp kernel, TileType type) {
  ArrayRef<int64_t> shape = type.getShape();
  const std::size_t rank = shape.size(), m = rank - 2, n = rank - 1;
  const int64_t perThread = type.elementCount() / (32 * int64_t(warpsOf(kernel)));
  const int64_t side = perThread >= 16 ? 4 : perThread >= 4 ? 2 : 1;
  layout::Blocked result{std::vector<int64_t>(rank, 1), std::vector<int64_t>(rank, 1), std::vector<int64_t>(rank, 1),
                         {unsigned(n), unsigned(m)}};
  if (rank == 3)
    result.order.push_back(0);
  result.sizePerThread[m] = std::min(side, shape[m]);
  result.sizePerThread[n] = std::min(side, shape[n]);
  result.threadsPerWarp[n] = std::clamp<int64_t>(shape[n] / result.sizePerThread[n], 1, 8);
  result.threadsPerWarp[m] = 32 / result.threadsPerWarp[n];
  result.warps[m] = warpsOf(kernel);
  return result;
}

struct Placement {
  layout::LinearLayout accumulator, a, b;
};

Placement place(DotOp dot, FuncOp kernel, bool chained) {
  const TileType type = dot.getType(), a = dot.getA().getType(), b = dot.getB().getType();
  const unsigned bits = tensorCoreBits(dot, capabilityOf(kernel));
  if (bits == 0 || !fitsTensorCore(type.getShape(), a.getShape().back(), bits)) {
    const layout::Blocked product = threadProduct(kernel, type);
    return {layout::blocked(type.getShape(), product), layout::fmaOperand(a.getShape(), product, 0),
            layout::fmaOperand(b.getShape(), product, 1)};
  }
  const layout::TensorCore warps = spreadWarps(type.getShape(), warpsOf(kernel), chained);
  return {layout::mmaAccumulator(type.getShape(), warps), layout::mmaOperand(a.getShape(), warps, 0, bits),
          layout::mmaOperand(b.getShape(), warps, 1, bits)};
}

} // namespace

void placeProducts(FuncOp kernel) {
  const llvm::DenseSet<Operation *> chained = chainedProducts(kernel);
  LayoutWishes wishes;
  kernel.walk([&](DotOp dot) {
    MLIRContext *context = dot.getContext();
    Placement placement = place(dot, kernel, chained.contains(dot));
    wishes.values[dot.getResult()] = LayoutAttr::get(context, std::move(placement.accumulator));
    wishes.operands[&dot.getAMutable()] = LayoutAttr::get(context, std::move(placement.a));
    wishes.operands[&dot.getBMutable()] = LayoutAttr::get(context, std::move(placement.b));
  });
  relayout(kernel, wishes);
}

} // namespace tilescope::tile
