// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/Transforms/LoadsAhead.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// What a value that a loop or branch carries is assigned from; false if it is none.
bool sourcesOf(Operation *op, unsigned number, bool isArgument, SmallVectorImpl<Value> &open) {
  if (auto loop = dyn_cast<ForOp>(op)) {
    if (isArgument && number-- == 0)
      return false;
    open.append({loop.getInitial()[number], loop.terminator().getOperand(number)});
  } else if (auto branch = dyn_cast<IfOp>(op)) {
    open.append({branch.thenBlock()->getTerminator()->getOperand(number),
                 branch.elseBlock()->getTerminator()->getOperand(number)});
  } else {
    return false;
  }
  return true;
}

bool keepsTensor(Operation *op) {
  return isa<AddPtrOp, SplatOp, BroadcastOp, ExpandDimsOp, ReshapeOp, PermuteOp, ConvertLayoutOp, BitcastOp,
             JoinOp, CatOp, SplitOp, SelectOp>(op);
}

/// The parameters that a pointer may come from, and where the way is lost the value there.
void addRoots(Value pointer, llvm::DenseSet<Value> &roots) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> open = {pointer};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!isPointer(elementTypeOf(value.getType())) || !seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (!sourcesOf(argument.getOwner()->getParentOp(), argument.getArgNumber(), true, open))
        roots.insert(value);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (keepsTensor(op))
      llvm::append_range(open, op->getOperands());
    else if (!sourcesOf(op, cast<OpResult>(value).getResultNumber(), false, open))
      roots.insert(value);
  }
}

bool isParameter(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && isa<FuncOp>(argument.getOwner()->getParentOp());
}

bool acquires(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order == MemoryOrder::AcquireRelease;
}

/// An atomic whose result is not used lets nothing be waited for.
bool waits(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](BarrierOp) { return true; })
      .Case([](LoadOp load) { return load.getIsVolatile(); })
      .Case<AtomicLoadOp, AtomicRmwOp, AtomicCasOp>(
          [](auto atomic) { return acquires(atomic.getOrder()) && !atomic->use_empty(); })
      .Default([](Operation *) { return false; });
}

} // namespace

LoadsAhead::LoadsAhead(ForOp loop) {
  loop.getBody()->walk([&](Operation *op) {
    m_waits |= waits(op);
    if (isa<StoreOp, AtomicRmwOp, AtomicCasOp, AtomicStoreOp>(op))
      for (Value operand : op->getOperands())
        if (isPointer(elementTypeOf(operand.getType()))) {
          addRoots(operand, m_written);
          break; // what is stored may be a pointer, too
        }
  });
}

bool LoadsAhead::isAllowed(LoadOp load) const {
  if (m_waits)
    return false;
  llvm::DenseSet<Value> read;
  addRoots(load.getPointer(), read);
  const auto isUnknown = [](Value root) { return !isParameter(root); };
  if (m_written.empty())
    return true;
  return llvm::none_of(m_written, isUnknown) && llvm::none_of(read, isUnknown) &&
         llvm::none_of(read, [&](Value root) { return m_written.contains(root); });
}

} // namespace tilescope::tile
