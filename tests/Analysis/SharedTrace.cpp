// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy writes from where it begins, and is complete for its own thread at the wait that lets its group in:
// from there a barrier counts.
#include "tests/Analysis/SharedTrace.h"

#include "tests/Analysis/SlowEvaluator.h"

#include <deque>

using namespace mlir;

namespace tilescope::analysis::test {
namespace {

struct Access {
  Operation *op = nullptr, *region = nullptr; ///< the allocation, or the operation that has scratch space
  int64_t begin = 0, end = 0;                 ///< bytes
  bool isWrite = false;
  bool isOnItsWay = false; ///< a copy before its wait
  size_t done = 0;         ///< when
};

std::string text(const Access &access) {
  std::string result;
  llvm::raw_string_ostream(result) << *access.op << " (bytes " << access.begin << " to " << access.end << ")";
  return result;
}

int64_t offsetOf(Operation *op) { return op->getAttrOfType<IntegerAttr>("shared_offset").getInt(); }

class Trace {
public:
  explicit Trace(SlowEvaluator &evaluator) : m_evaluator(evaluator) {}

  void step(Operation *op) {
    ++m_now;
    if (auto store = dyn_cast<tile::SharedStoreOp>(op))
      use(op, store.getBuffer(), true);
    else if (auto load = dyn_cast<tile::SharedLoadOp>(op))
      use(op, load.getBuffer(), false);
    else if (auto copy = dyn_cast<tile::AsyncCopyOp>(op))
      m_uncommitted.push_back(use(op, copy.getBuffer(), true, true));
    else if (isa<tile::AsyncCommitOp>(op))
      m_groups.push_back(std::exchange(m_uncommitted, {}));
    else if (auto wait = dyn_cast<tile::AsyncWaitOp>(op))
      arrive(wait.getPending());
    else if (isa<tile::SharedBarrierOp>(op))
      m_barrier = m_now;
    else if (auto allocation = dyn_cast<tile::SharedAllocOp>(op); allocation && allocation.getInitial())
      use(op, allocation.getResult(), true);
    else if (isa<tile::ConvertLayoutOp>(op) && op->hasAttr("shared_offset"))
      exchange(op);
  }
  std::string hazard;

private:
  void exchange(Operation *op) {
    const int64_t begin = offsetOf(op), bytes = 256; // the whole tile once
    meet({op, op, begin, begin + bytes, true, false, m_now});
    m_barrier = ++m_now;
    meet({op, op, begin, begin + bytes, false, false, ++m_now});
  }
  size_t use(Operation *op, Value buffer, bool isWrite, bool isCopy = false) {
    std::optional<int64_t> slot;
    Operation *definition = buffer.getDefiningOp();
    for (; !isa<tile::SharedAllocOp>(definition); definition = definition->getOperand(0).getDefiningOp())
      if (auto chosen = dyn_cast<tile::SharedSlotOp>(definition))
        slot = m_evaluator.of(chosen.getIndex())->elements[0];
    const auto type = cast<tile::BufferType>(definition->getResult(0).getType());
    const int64_t bytes = slot ? type.slot().bytes() : type.bytes(),
                  begin = offsetOf(definition) + slot.value_or(0) * bytes;
    return meet({op, definition, begin, begin + bytes, isWrite, isCopy, m_now});
  }
  size_t meet(const Access &access) {
    for (const Access &before : m_accesses) {
      const bool overlaps = before.begin < access.end && access.begin < before.end;
      // What is read out of a buffer before its own copy has arrived is the kernel's mistake.
      const bool isOpen = before.isOnItsWay ? before.region != access.region : before.done > m_barrier;
      if (overlaps && (before.isWrite || access.isWrite) && isOpen && hazard.empty())
        hazard = text(before) + "\n" + text(access);
    }
    m_accesses.push_back(access);
    return m_accesses.size() - 1;
  }
  void arrive(size_t pending) {
    for (; m_groups.size() > pending; m_groups.pop_front())
      for (size_t copy : m_groups.front()) {
        m_accesses[copy].isOnItsWay = false;
        m_accesses[copy].done = m_now;
      }
  }

  SlowEvaluator &m_evaluator;
  std::vector<Access> m_accesses;
  std::vector<size_t> m_uncommitted;
  std::deque<std::vector<size_t>> m_groups;
  size_t m_now = 0, m_barrier = 0;
};

} // namespace

std::string firstHazard(tile::FuncOp kernel, ArrayRef<int64_t> arguments) {
  SlowEvaluator evaluator(0, [](Value, const Numbers &) {});
  Trace trace(evaluator);
  evaluator.onEachOperation([&](Operation *op) { trace.step(op); });
  evaluator.run(kernel, arguments);
  return trace.hazard;
}

} // namespace tilescope::analysis::test
