// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/IR/TileLayout.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// A few instructions a register, and no need of other threads.
bool isCheap(Operation *op) {
  if (isa<ConstantOp, MakeRangeOp, SplatOp, ExpandDimsOp, BroadcastOp, PermuteOp, AddPtrOp, CmpOp, SelectOp, BitcastOp>(
          op))
    return true;
  if (isa<CastOp, AddOp, SubOp, MulOp, AndOp, OrOp, XorOp, ShlOp, ShrOp, MinOp, MaxOp, NotOp, NegOp>(op))
    return true;
  return false;
}

/// `value` computed in another layout, beside where it is computed now.
class Copy {
public:
  /// At most that many operations.
  static constexpr unsigned most = 64;

  bool isPossible(Value value, LayoutAttr layout) {
    if (layoutOf(value.getType()) == layout || !m_seen.insert({value, layout}).second)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !isCheap(op) || m_seen.size() > most)
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TileType>(operand.get().getType()))
        continue;
      const LayoutAttr needed = operandLayout(op, operand.getOperandNumber(), layout);
      if (!needed || !isPossible(operand.get(), needed))
        return false;
    }
    return true;
  }

  Value make(Value value, LayoutAttr layout) {
    if (layoutOf(value.getType()) == layout)
      return value;
    Value &made = m_made[{value, layout}];
    if (made)
      return made;
    Operation *op = value.getDefiningOp();
    IRMapping operands;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TileType>(operand.get().getType()))
        operands.map(operand.get(), make(operand.get(), operandLayout(op, operand.getOperandNumber(), layout)));
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op, operands);
    copy->getResult(0).setType(cast<TileType>(value.getType()).withLayout(layout));
    return m_made[{value, layout}] = copy->getResult(0);
  }

private:
  llvm::DenseSet<std::pair<Value, LayoutAttr>> m_seen;
  llvm::DenseMap<std::pair<Value, LayoutAttr>, Value> m_made;
};

} // namespace

void rematerialise(FuncOp kernel) {
  SmallVector<ConvertLayoutOp> conversions;
  kernel.walk([&](ConvertLayoutOp convert) { conversions.push_back(convert); });
  for (ConvertLayoutOp convert : conversions) {
    Copy copy;
    const LayoutAttr layout = convert.getType().getLayout();
    if (!copy.isPossible(convert.getOperand(), layout))
      continue;
    convert.replaceAllUsesWith(copy.make(convert.getOperand(), layout));
    convert.erase();
  }
}

} // namespace tilescope::tile
