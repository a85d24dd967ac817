// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/BufferTurns.h"

using namespace mlir;

namespace tilescope::analysis {
namespace {

std::optional<int64_t> constantOf(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return number ? std::optional(number.getValue().getSExtValue()) : std::nullopt;
}

/// The loop that carries `index` and makes (index + 1) % count of it with each trip; null for any other number.
tile::ForOp loopTurning(Value index, int64_t count) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<tile::ForOp>(argument.getOwner()->getParentOp()) : tile::ForOp();
  if (!loop || argument.getArgNumber() == 0)
    return {};
  // select(index + 1 == count, 0, index + 1)
  auto select = loop.terminator().getOperand(argument.getArgNumber() - 1).getDefiningOp<tile::SelectOp>();
  if (!select || constantOf(select.getOnTrue()) != 0)
    return {};
  auto next = select.getOnFalse().getDefiningOp<tile::AddOp>();
  auto isLast = select.getCondition().getDefiningOp<tile::CmpOp>();
  const bool addsOne = next && next.getLhs() == index && constantOf(next.getRhs()) == 1;
  const bool endsAtCount = isLast && isLast.getPredicate() == tile::Predicate::Eq && isLast.getLhs() == next &&
                           constantOf(isLast.getRhs()) == count;
  return addsOne && endsAtCount ? loop : tile::ForOp();
}

void describeSlot(tile::SharedSlotOp op, BufferPart &part) {
  const int64_t count = cast<tile::BufferType>(op.getBuffer().getType()).getCount();
  Value first = op.getIndex();
  part.turnedBy = loopTurning(first, count);
  if (part.turnedBy)
    first = part.turnedBy.getInitial()[cast<BlockArgument>(first).getArgNumber() - 1];
  if (const std::optional<int64_t> number = constantOf(first))
    part.slot = Slot{*number, count};
}

} // namespace

BufferPart partOf(Value buffer) {
  BufferPart part;
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto allocation = dyn_cast<tile::SharedAllocOp>(op)) {
      part.allocation = allocation;
      return part;
    }
    if (auto slot = dyn_cast<tile::SharedSlotOp>(op))
      describeSlot(slot, part);
    else if (!isa<tile::SharedPermuteOp>(op))
      break;
    buffer = op->getOperand(0);
  }
  return {};
}

LoopBuffers buffersOf(tile::ForOp loop) {
  LoopBuffers result;
  llvm::DenseSet<Operation *> others;
  loop.getBody()->walk([&](Operation *op) {
    if (isa<tile::SharedSlotOp, tile::SharedPermuteOp>(op))
      return; // what they give is used
    for (Value operand : op->getOperands())
      if (isa<tile::BufferType>(operand.getType()))
        if (const BufferPart part = partOf(operand); part.allocation)
          (part.turnedBy == loop ? result.turned : others).insert(part.allocation);
  });
  for (Operation *allocation : others)
    if (result.turned.erase(allocation))
      result.mixed.insert(allocation);
  return result;
}

} // namespace tilescope::analysis
