// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/AccessPlans.h"

#include "compiler/Layout/Conflicts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::analysis {

bool isGlobalAccess(Operation *op) {
  return isa<tile::LoadOp, tile::StoreOp, tile::AtomicRmwOp, tile::AtomicCasOp, tile::AtomicLoadOp, tile::AtomicStoreOp,
             tile::AsyncCopyOp>(op);
}

Value pointersOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<tile::LoadOp, tile::StoreOp, tile::AtomicRmwOp, tile::AtomicCasOp, tile::AtomicLoadOp, tile::AtomicStoreOp,
            tile::AsyncCopyOp>([](auto op) { return Value(op.getPointer()); });
}

Value maskOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<tile::LoadOp, tile::StoreOp, tile::AtomicRmwOp, tile::AtomicLoadOp, tile::AtomicStoreOp, tile::AsyncCopyOp>(
          [](auto op) { return Value(op.getMask()); })
      .Default(Value());
}

namespace {

model::AccessKind kindOf(Operation *access) {
  if (isa<tile::LoadOp, tile::AtomicLoadOp>(access))
    return model::AccessKind::Load;
  if (isa<tile::AsyncCopyOp>(access))
    return model::AccessKind::Copy;
  return isa<tile::StoreOp>(access) ? model::AccessKind::Store : model::AccessKind::Atomic;
}

/// All threads of a program at one element: all lanes but the first, and all warps, are copies.
layout::LinearLayout scalarLayout(Operation *access) {
  using layout::Dim;
  const unsigned warps = llvm::Log2_32(access->getParentOfType<tile::FuncOp>().getNumWarps().value_or(4));
  return {{{Dim::Register, 0}, {Dim::Lane, 5}, {Dim::Warp, warps}},
          {{layout::tileDim(0), 0}},
          std::vector<uint64_t>(5 + warps, 0)};
}

/// Neighbours in memory that are none in the buffer are copied apart.
void limitToBuffer(model::AccessPlan &plan, tile::BufferType buffer) {
  const layout::LinearLayout offsets = plan.layout.invertAndCompose(buffer.getLayout().getMap());
  const std::vector<unsigned> together = layout::sharedVectorBits(offsets, 8 * plan.elementBytes);
  plan.vectorBits.erase(std::ranges::mismatch(plan.vectorBits, together).in1, plan.vectorBits.end());
}

} // namespace

model::AccessPlan planOf(Operation *access, const AxisInfoAnalysis &facts) {
  Value pointers = pointersOf(access), mask = maskOf(access);
  const auto pointer = cast<tile::PointerType>(tile::elementTypeOf(pointers.getType()));
  const unsigned bytes = tile::byteSizeOf(pointer.getPointee());
  const model::AccessKind kind = kindOf(access);
  auto tile = dyn_cast<tile::TileType>(pointers.getType());
  if (!tile)
    return model::planAccess(scalarLayout(access), bytes, kind, 0, 1);
  const layout::LinearLayout &map = tile.getLayout().getMap();
  model::AccessPlan best = model::planAccess(map, bytes, kind, unsigned(tile.getRank()) - 1, 1);
  if (kind == model::AccessKind::Atomic)
    return best;
  for (unsigned axis = 0; axis < tile.getRank(); ++axis) {
    const int64_t together = facts.vectorElements(pointers, mask, axis);
    model::AccessPlan plan = model::planAccess(map, bytes, kind, axis, unsigned(std::min<int64_t>(together, 16)));
    if (plan.vectorElements() > best.vectorElements())
      best = std::move(plan);
  }
  if (auto copy = dyn_cast<tile::AsyncCopyOp>(access))
    limitToBuffer(best, copy.getBuffer().getType());
  return best;
}

} // namespace tilescope::analysis
