// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the kernel with what has been read and written since the last barrier. Where an operation meets a hazard a
// barrier is set in front of it, and nothing is open any more. A loop's body is gone through until what is open at its
// beginning, from before and from the trip before, stays the same; only then are its barriers set.
//
// Each thread waits for its own asynchronous copies alone: what a wait has let in counts as written at the wait, so that a
// barrier follows before anyone reads. An operation with scratch space writes it, waits inside, and reads it.
#include "compiler/Analysis/Barriers.h"

#include "compiler/Analysis/BufferTurns.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tilescope::analysis {
namespace {

struct Use {
  int64_t begin = 0, end = 0; ///< bytes of the whole region
  bool isWrite = false;
  Operation *region = nullptr; ///< the allocation; null where it is not known
  std::optional<Slot> slot;    ///< of several buffers
  friend bool operator==(const Use &, const Use &) = default;

  bool meets(const Use &other) const {
    if (!isWrite && !other.isWrite)
      return false;
    if (region && region == other.region && slot && other.slot && *slot != *other.slot)
      return false;
    return begin < other.end && other.begin < end;
  }
};

using Uses = SmallVector<Use>;

bool addTo(Uses &uses, const Use &use) {
  if (llvm::is_contained(uses, use))
    return false;
  uses.push_back(use);
  return true;
}

bool addTo(Uses &uses, const Uses &others) {
  bool isMore = false;
  for (const Use &use : others)
    isMore |= addTo(uses, use);
  return isMore;
}

struct State {
  Uses open; ///< since the last barrier
  /// Copies on their way: those of no group yet, then the groups, the latest first.
  SmallVector<Uses> copies = {{}};

  /// What may have come either way; true if that is more than before. Waits count groups from the latest, so do both ways.
  bool join(const State &other) {
    bool isMore = addTo(open, other.open);
    copies.resize(std::max(copies.size(), other.copies.size()));
    for (auto [group, others] : llvm::zip(copies, other.copies))
      isMore |= addTo(group, others);
    return isMore;
  }
  template <typename Change> void forEach(Change change) {
    llvm::for_each(open, change);
    for (Uses &group : copies)
      llvm::for_each(group, change);
  }
};

class Barriers {
public:
  Barriers(tile::FuncOp kernel, const SharedAllocation &allocation) : m_kernel(kernel) {
    for (const SharedRegion &region : allocation.regions)
      m_regions[region.op] = {region.offset, region.offset + region.bytes};
    kernel.walk([&](tile::AsyncWaitOp wait) { m_mostPending = std::max(m_mostPending, wait.getPending()); });
  }

  std::vector<Operation *> run() {
    State state;
    visit(m_kernel.getBody().front(), state);
    std::vector<Operation *> result;
    m_kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (m_needed.contains(op))
        result.push_back(op);
    });
    return result;
  }

private:
  void visit(Block &block, State &state) {
    for (Operation &op : block)
      visit(&op, state);
  }
  void visit(Operation *op, State &state);
  void visitFor(tile::ForOp loop, State &state);
  void visitWhile(tile::WhileOp loop, State &state);
  void visitIf(tile::IfOp branch, State &state);
  void commit(State &state);
  void wait(unsigned pending, State &state);
  /// Tries `trip` until it adds nothing, and then once in earnest.
  template <typename Trip> void untilSettled(Trip trip) {
    const bool wasTrial = std::exchange(m_isTrial, true);
    while (trip()) {
    }
    m_isTrial = wasTrial;
    trip();
  }

  void meet(Operation *op, const Use &use, State &state) {
    const bool isHazard = llvm::any_of(state.open, [&](const Use &before) { return before.meets(use); });
    if (!isHazard)
      return;
    if (!m_isTrial)
      m_needed.insert(op);
    state.open.clear();
  }
  void use(Operation *op, Value buffer, bool isWrite, State &state) {
    const Use use = useOf(buffer, isWrite);
    meet(op, use, state);
    addTo(state.open, use);
  }
  Use useOf(Value buffer, bool isWrite) const {
    const BufferPart part = partOf(buffer);
    if (!part.allocation)
      return {0, std::numeric_limits<int64_t>::max(), isWrite, nullptr, {}};
    const auto [begin, end] = m_regions.lookup(part.allocation);
    return {begin, end, isWrite, part.allocation, m_mixed.contains(part.allocation) ? std::nullopt : part.slot};
  }

  tile::FuncOp m_kernel;
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> m_regions; ///< bytes, begin and end
  llvm::DenseSet<Operation *> m_needed;
  llvm::DenseSet<Operation *> m_mixed; ///< allocations whose slots are not told apart here
  uint32_t m_mostPending = 0;          ///< of all waits
  bool m_isTrial = false; ///< what is open at the beginning of a loop is not known yet
};

void Barriers::visit(Operation *op, State &state) {
  if (auto loop = dyn_cast<tile::ForOp>(op))
    return visitFor(loop, state);
  if (auto loop = dyn_cast<tile::WhileOp>(op))
    return visitWhile(loop, state);
  if (auto branch = dyn_cast<tile::IfOp>(op))
    return visitIf(branch, state);
  if (auto allocation = dyn_cast<tile::SharedAllocOp>(op)) {
    if (allocation.getInitial())
      use(op, allocation.getResult(), true, state);
  } else if (auto store = dyn_cast<tile::SharedStoreOp>(op)) {
    use(op, store.getBuffer(), true, state);
  } else if (auto load = dyn_cast<tile::SharedLoadOp>(op)) {
    use(op, load.getBuffer(), false, state);
  } else if (auto copy = dyn_cast<tile::AsyncCopyOp>(op)) {
    const Use written = useOf(copy.getBuffer(), true);
    meet(op, written, state);
    addTo(state.copies[0], written);
  } else if (isa<tile::AsyncCommitOp>(op)) {
    commit(state);
  } else if (auto wait = dyn_cast<tile::AsyncWaitOp>(op)) {
    this->wait(wait.getPending(), state);
  } else if (isa<tile::SharedBarrierOp, tile::BarrierOp>(op)) {
    state.open.clear();
  } else if (auto scratch = m_regions.find(op); scratch != m_regions.end()) {
    const auto [begin, end] = scratch->second;
    meet(op, {begin, end, true, op, {}}, state);
    state.open.assign(1, {begin, end, false, op, {}});
  }
}

void Barriers::commit(State &state) {
  state.copies.insert(state.copies.begin(), Uses());
  // Every wait lets in what is older than that.
  if (state.copies.size() > m_mostPending + 2) {
    const Uses oldest = state.copies.pop_back_val();
    addTo(state.copies.back(), oldest);
  }
}

void Barriers::wait(unsigned pending, State &state) {
  while (state.copies.size() > pending + 1)
    addTo(state.open, state.copies.pop_back_val());
}

void Barriers::visitIf(tile::IfOp branch, State &state) {
  State other = state;
  visit(*branch.thenBlock(), state);
  if (branch.elseBlock())
    visit(*branch.elseBlock(), other);
  state.join(other);
}

void Barriers::visitFor(tile::ForOp loop, State &state) {
  const LoopBuffers buffers = buffersOf(loop);
  auto forgetSlots = [&](const llvm::DenseSet<Operation *> &allocations) {
    state.forEach([&](Use &use) {
      if (allocations.contains(use.region))
        use.slot.reset();
    });
  };
  forgetSlots(buffers.mixed);
  const llvm::DenseSet<Operation *> mixedOutside = m_mixed;
  m_mixed.insert_range(buffers.mixed);
  untilSettled([&] {
    State trip = state;
    visit(*loop.getBody(), trip);
    // Seen from the next trip, every buffer is one turn further back.
    trip.forEach([&](Use &use) {
      if (use.slot && buffers.turned.contains(use.region))
        use.slot = use.slot->turnedBack();
    });
    return state.join(trip);
  });
  m_mixed = mixedOutside;
  forgetSlots(buffers.turned); // how many trips there were is not known
}

void Barriers::visitWhile(tile::WhileOp loop, State &state) {
  State end;
  untilSettled([&] {
    State trip = state;
    visit(*loop.beforeBlock(), trip);
    end = trip;
    visit(*loop.afterBlock(), trip);
    return state.join(trip);
  });
  state = std::move(end);
}

} // namespace

std::vector<Operation *> barriersNeeded(tile::FuncOp kernel, const SharedAllocation &allocation) {
  return Barriers(kernel, allocation).run();
}

} // namespace tilescope::analysis
