// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of accesses: what is contiguous in memory goes to neighbouring registers, then lanes. Loads take the widest
// vector among accesses of their shape and order, so that no conversion comes between them.
#include "compiler/Analysis/AccessPlans.h"
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Relayout.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

constexpr int64_t widestAccess = 16; ///< bytes, of one instruction of a thread

/// Dimensions, the most contiguous first; of equal ones the last.
SmallVector<unsigned> orderOf(const analysis::AxisInfo &pointers) {
  SmallVector<unsigned> order(llvm::reverse(llvm::seq<unsigned>(0, pointers.rank())));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return pointers.axes[a].contiguity > pointers.axes[b].contiguity;
  });
  return order;
}

struct Access {
  Operation *op;
  TileType type; ///< of the pointers
  SmallVector<unsigned> order;
  int64_t perThread;
};

Access describe(Operation *op, FuncOp kernel, const analysis::AxisInfoAnalysis &facts) {
  Value pointers = analysis::pointersOf(op);
  const TileType type = cast<TileType>(pointers.getType());
  Access access{op, type, orderOf(facts.of(pointers)), 1};
  const int64_t bytes = byteSizeOf(cast<PointerType>(type.getElementType()).getPointee());
  const int64_t each = type.elementCount() / (32 * int64_t(warpsOf(kernel)));
  const int64_t size = type.getShape()[access.order[0]];
  // An atomic instruction is of one element: neighbours go to neighbouring lanes.
  if (!isa<LoadOp, StoreOp, AsyncCopyOp>(op))
    return access;
  // A mask is no reason for fewer neighbours in a thread: it makes the instructions narrower.
  const int64_t together = facts.vectorElements(pointers, {}, access.order[0]);
  access.perThread = std::max<int64_t>(1, std::min({together, widestAccess / bytes, each, size}));
  return access;
}

bool isAlike(const Access &a, const Access &b) {
  return a.type.getShape() == b.type.getShape() && a.order == b.order;
}

} // namespace

void coalesce(FuncOp kernel) {
  const analysis::AxisInfoAnalysis facts(kernel);
  SmallVector<Access> accesses;
  kernel.walk([&](Operation *op) {
    if (isAccess(op) && isa<TileType>(analysis::pointersOf(op).getType()))
      accesses.push_back(describe(op, kernel, facts));
  });
  LayoutWishes wishes;
  for (const Access &access : accesses) {
    int64_t perThread = access.perThread;
    if (isa<LoadOp>(access.op))
      for (const Access &other : accesses)
        if (isAlike(access, other))
          perThread = std::max(perThread, other.perThread);
    const LayoutAttr layout = blockedLayout(kernel, access.type, access.order, perThread);
    wishes.operations[access.op] = layout;
    for (Value result : access.op->getResults())
      wishes.values[result] = layout;
  }
  relayout(kernel, wishes);
}

} // namespace tilescope::tile
