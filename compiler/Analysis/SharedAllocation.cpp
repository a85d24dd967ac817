// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/SharedAllocation.h"

#include "compiler/Dialect/Tile/IR/TileLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::analysis {
namespace {

constexpr int64_t bufferAlignment = 128, scratchAlignment = 16; ///< bytes

/// Places of operations in the order of the text: a loop's or branch's own place is before its body, its end behind.
class Places {
public:
  explicit Places(tile::FuncOp kernel) { number(kernel.getOperation()); }
  int64_t begin(Operation *op) const { return m_places.lookup(op).first; }
  int64_t end(Operation *op) const { return m_places.lookup(op).second; }

private:
  void number(Operation *op) {
    const int64_t begin = m_next++;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        number(&inner);
    m_places[op] = {begin, m_next - 1};
  }
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> m_places;
  int64_t m_next = 0;
};

/// Every user of a buffer, its slots and views, and what loops and branches carry of it (of all buffers that they carry).
SmallVector<Operation *> usersOf(Value buffer) {
  SmallVector<Operation *> users;
  SmallVector<Value> open = {buffer};
  llvm::DenseSet<Value> seen;
  auto follow = [&](ValueRange values) {
    llvm::copy_if(values, std::back_inserter(open), [](Value value) { return isa<tile::BufferType>(value.getType()); });
  };
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      users.push_back(user);
      Operation *carrier = isa<tile::YieldOp, tile::ConditionOp>(user) ? user->getParentOp() : user;
      follow(carrier->getResults());
      for (Region &region : carrier->getRegions())
        follow(region.getArguments());
    }
  }
  return users;
}

class Allocator {
public:
  explicit Allocator(tile::FuncOp kernel) : m_kernel(kernel), m_places(kernel) {}

  SharedAllocation run() {
    m_kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto buffer = dyn_cast<tile::SharedAllocOp>(op))
        addBuffer(buffer);
      else if (const int64_t bytes = scratchBytes(op))
        m_result.regions.push_back({op, bytes, m_places.begin(op), m_places.end(op)});
    });
    place();
    return std::move(m_result);
  }

private:
  void addBuffer(tile::SharedAllocOp op) {
    const auto type = cast<tile::BufferType>(op.getType());
    SharedRegion region{op, type.bytes(), m_places.begin(op), m_places.begin(op)};
    bool isCopiedTo = false;
    for (Operation *user : usersOf(op)) {
      includeUse(region, user);
      isCopiedTo |= isa<tile::AsyncCopyOp>(user);
    }
    if (isCopiedTo)
      keepUntilWait(region);
    m_result.regions.push_back(region);
  }

  /// In a loop that the buffer is older than, a use in one trip is before any other in the next: the loop counts as a whole.
  void includeUse(SharedRegion &region, Operation *user) {
    Operation *op = region.op, *use = nullptr;
    // The operations of one block that the two are in. A loop or branch that gives away a buffer of its own counts as a whole.
    while (!(use = op->getBlock()->findAncestorOpInBlock(*user)))
      op = op->getParentOp();
    region.begin = std::min({region.begin, m_places.begin(op), m_places.begin(use)});
    region.end = std::max({region.end, m_places.end(op), m_places.end(use)});
  }

  /// Copies that nobody reads are still on their way until a wait for all of them that is certain to come: one further down
  /// in the same block, or in a block around it; then everything between is over only with the whole loop or branch.
  void keepUntilWait(SharedRegion &region) {
    for (Operation *op = region.op; op != m_kernel; op = op->getParentOp()) {
      region.begin = std::min(region.begin, m_places.begin(op));
      region.end = std::max(region.end, m_places.end(op));
      for (auto wait : op->getBlock()->getOps<tile::AsyncWaitOp>())
        if (wait.getPending() == 0 && m_places.begin(wait) > region.end) {
          region.end = m_places.begin(wait);
          return;
        }
    }
    region.end = m_places.end(m_kernel);
  }

  /// The largest first, each at the lowest place where nothing lies that is alive with it.
  void place() {
    SmallVector<SharedRegion *> order;
    for (SharedRegion &region : m_result.regions)
      order.push_back(&region);
    llvm::stable_sort(order, [](SharedRegion *a, SharedRegion *b) { return a->bytes > b->bytes; });
    for (auto [index, region] : llvm::enumerate(order)) {
      region->offset = lowestPlace(*region, ArrayRef(order).take_front(index));
      m_result.bytes = std::max(m_result.bytes, region->offset + region->bytes);
    }
  }
  static int64_t lowestPlace(const SharedRegion &region, ArrayRef<SharedRegion *> placed) {
    SmallVector<SharedRegion *> alive;
    for (SharedRegion *other : placed)
      if (other->isAliveWith(region))
        alive.push_back(other);
    llvm::sort(alive, [](SharedRegion *a, SharedRegion *b) { return a->offset < b->offset; });
    const int64_t alignment = region.isBuffer() ? bufferAlignment : scratchAlignment;
    int64_t offset = 0;
    for (SharedRegion *other : alive) {
      if (offset + region.bytes <= other->offset)
        break;
      offset = std::max(offset, int64_t(llvm::alignTo(uint64_t(other->offset + other->bytes), uint64_t(alignment))));
    }
    return offset;
  }

  tile::FuncOp m_kernel;
  Places m_places;
  SharedAllocation m_result;
};

} // namespace

SharedAllocation allocateShared(tile::FuncOp kernel) { return Allocator(kernel).run(); }

} // namespace tilescope::analysis
