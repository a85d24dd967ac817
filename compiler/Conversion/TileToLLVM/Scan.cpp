// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.scan, run by run along the axis (layout::axisRuns): registers one after the other, lanes by shuffles (distances 1,
// 2, 4 … of the index), warps through scratch space. A run takes the totals of blocks of elements, says for each block what
// is before it in the run, and leaves the total of all its blocks to the next run. Then what is before goes back down, from
// the last run to the elements. Combiners have no neutral element, so whether anything is before is known beside it.
#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Layout/Axis.h"

namespace tilescope::codegen {
namespace {

using layout::AxisRun;
using layout::Dim;
using Values = llvm::SmallVector<llvm::Value *, 2>; ///< an element of each operand

/// What comes before a block. Not there (null) where it is the first in every thread.
struct Before {
  Values values;
  llvm::Value *isThere = nullptr; ///< i1
};

class Scan {
public:
  Scan(Emitter &e, tile::ScanOp op)
      : e(e), b(e.b), m_op(op), m_map(Emitter::mapOf(op.operandType(0))), m_shift(m_map.outputShift(layout::tileDim(op.getAxis()))),
        m_registers(unsigned(m_map.inputSize(Dim::Register))) {}

  void emitAll() {
    const auto runs = layout::axisRuns(m_map, m_op.getAxis());
    if (!runs)
      return e.unsupported(m_op, "a layout whose bits are sums along the axis");
    for (unsigned reg = 0; reg < m_registers; ++reg)
      m_totals.push_back(elementAt(reg));
    m_sums = m_totals;
    for (const AxisRun &run : *runs) {
      const uint64_t inside = m_done;
      Befores before = goOver(run);
      if (run.dim != Dim::Register || run.first > 0) // else the sums have it already
        m_levels.push_back({inside, m_done, std::move(before)});
    }
    goDown();
    for (auto [index, result] : llvm::enumerate(m_op.getResults())) {
      Registers registers;
      for (const Values &values : m_sums)
        registers.push_back(values[index]);
      e.define(result, std::move(registers));
    }
  }

private:
  using Befores = std::vector<Before>; ///< by the number of a block's first register
  struct Level {
    uint64_t inside, whole; ///< bits of registers that count elements of the run's blocks, and of all of them together
    Befores before;
  };

  Values elementAt(unsigned reg) {
    Values element;
    for (mlir::Value operand : m_op.getOperands())
      element.push_back(e.of(operand)[reg]);
    return element;
  }
  Values combined(const Values &accumulated, const Values &element) {
    llvm::SmallVector<llvm::Value *, 4> arguments(accumulated.begin(), accumulated.end());
    llvm::append_range(arguments, element);
    return e.inlined(*m_op.combinerBlock(), arguments);
  }
  Values chosen(llvm::Value *condition, const Values &onTrue, const Values &onFalse) {
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(condition))
      return constant->isOne() ? onTrue : onFalse;
    Values result;
    for (auto [yes, no] : llvm::zip_equal(onTrue, onFalse))
      result.push_back(b.CreateSelect(condition, yes, no));
    return result;
  }
  /// `outer`, then what comes after it.
  Values joined(const Before &outer, const Values &inner) {
    return outer.isThere ? chosen(outer.isThere, combined(outer.values, inner), inner) : inner;
  }
  Before joined(const Before &outer, const Before &inner) {
    if (!outer.isThere || !inner.isThere)
      return outer.isThere ? outer : inner;
    const Values both = joined(outer, inner.values);
    return {chosen(inner.isThere, both, outer.values), b.CreateOr(outer.isThere, inner.isThere)};
  }
  /// The place in a run of what comes `number`th.
  unsigned inOrder(const AxisRun &run, unsigned number) { return m_op.getReverse() ? run.size() - 1 - number : number; }

  /// Calls visit(block) for the first register of each block of elements that have been combined.
  template <typename Visit> void eachBlock(Visit visit) {
    for (unsigned reg = 0; reg < m_registers; ++reg)
      if ((reg & m_done) == 0)
        visit(reg);
  }

  Befores goOver(const AxisRun &run) {
    switch (run.dim) {
    case Dim::Register:
      return overRegisters(run);
    case Dim::Lane:
      return overLanes(run);
    default:
      return overWarps(run);
    }
  }

  Befores overRegisters(const AxisRun &run) {
    Befores before(m_registers);
    m_done |= run.mask();
    eachBlock([&](unsigned first) {
      Values running;
      for (unsigned number = 0; number < run.size(); ++number) {
        const unsigned reg = first | unsigned(run.holderOf(inOrder(run, number)));
        if (number > 0)
          before[reg] = {running, b.getTrue()};
        running = number > 0 ? combined(running, m_totals[reg]) : m_totals[reg];
        if (run.first == 0)
          m_sums[reg] = running;
      }
      m_totals[first] = running;
    });
    return before;
  }

  /// Two halves of 1, 2, 4 … lanes meet: all have the total of both then, and the second half has the first before it.
  Befores overLanes(const AxisRun &run) {
    Befores before(m_registers);
    const bool isCommutative = m_op.singleCombiner() && m_op.singleCombiner()->hasTrait<mlir::OpTrait::IsCommutative>();
    eachBlock([&](unsigned block) {
      Values &total = m_totals[block];
      Before &own = before[block];
      for (unsigned bit : run.bits) {
        const unsigned distance = 1u << bit;
        Values other;
        for (llvm::Value *value : total)
          other.push_back(e.shuffleXor(value, distance));
        llvm::Value *isSecond = b.CreateICmpEQ(b.CreateAnd(e.lane(), distance), b.getInt32(m_op.getReverse() ? 0 : distance));
        if (own.isThere) {
          own.values = chosen(isSecond, chosen(own.isThere, combined(other, own.values), other), own.values);
          own.isThere = b.CreateOr(isSecond, own.isThere);
        } else {
          own = {other, isSecond};
        }
        total = isCommutative ? combined(total, other)
                              : combined(chosen(isSecond, other, total), chosen(isSecond, total, other));
      }
    });
    return before;
  }

  /// The number of a block among those of 2^first elements along the axis: its place without the lowest bits of the index.
  uint64_t blockOf(uint64_t place, unsigned first) const {
    return place >> (m_shift + first) << m_shift | (place & ((uint64_t(1) << m_shift) - 1));
  }
  llvm::Value *blockBits(Dim dim, llvm::Value *input, unsigned first) {
    std::vector<uint64_t> columns;
    for (unsigned bit = 0; bit < m_map.inputBits(dim); ++bit)
      columns.push_back(blockOf(m_map.basis(dim, bit), first));
    return e.applyBits(input, columns);
  }

  /// Each warp leaves the totals of its blocks, and every thread goes through those of all warps in order.
  Befores overWarps(const AxisRun &run) {
    Befores before(m_registers);
    const llvm::SmallVector<llvm::Value *> bases = basesFor(run);
    llvm::Value *thread = b.CreateXor(blockBits(Dim::Lane, e.lane(), run.first), blockBits(Dim::Warp, e.warp(), run.first));
    const auto blockAt = [&](unsigned block) {
      return b.CreateXor(thread, b.getInt32(uint32_t(blockOf(m_map.apply(block), run.first))));
    };
    const auto address = [&](size_t operand, llvm::Value *number) {
      return b.CreateGEP(memoryType(operand), bases[operand], {number});
    };
    eachBlock([&](unsigned block) {
      llvm::Value *own = blockAt(block);
      for (auto [operand, value] : llvm::enumerate(m_totals[block]))
        b.CreateStore(e.toMemory(value), address(operand, own));
    });
    e.barrier();
    std::vector<uint64_t> toIndex(m_map.inputBits(Dim::Warp), 0);
    for (auto [index, bit] : llvm::enumerate(run.bits))
      toIndex[bit] = uint64_t(1) << index;
    llvm::Value *ownIndex = e.applyBits(e.warp(), toIndex);
    eachBlock([&](unsigned block) {
      llvm::Value *first = b.CreateAnd(blockAt(block), b.getInt32(~(uint32_t(run.size() - 1) << m_shift)));
      Values running;
      for (unsigned number = 0; number < run.size(); ++number) {
        const unsigned index = inOrder(run, number);
        llvm::Value *isOwn = b.CreateICmpEQ(ownIndex, b.getInt32(index));
        if (number > 0)
          before[block].values = number > 1 ? chosen(isOwn, running, before[block].values) : running;
        else
          before[block].isThere = b.CreateNot(isOwn);
        Values read;
        for (size_t operand = 0; operand < bases.size(); ++operand)
          read.push_back(e.fromMemory(b.CreateLoad(memoryType(operand), address(operand, b.CreateOr(first, index << m_shift))),
                                      elementType(operand)));
        running = number > 0 ? combined(running, read) : read;
      }
      m_totals[block] = running;
    });
    return before;
  }

  /// Where the scratch space of each operand begins.
  llvm::SmallVector<llvm::Value *> basesFor(const AxisRun &run) {
    llvm::SmallVector<llvm::Value *> bases;
    for (size_t operand = 0; operand < m_op->getNumOperands(); ++operand) {
      bases.push_back(e.sharedAddress(e.scratchOf(m_op) + m_scratchUsed));
      m_scratchUsed += analysis::scratchPart(m_op.operandType(0).elementCount() >> run.first, elementType(operand));
    }
    return bases;
  }

  void goDown() {
    Befores carried(m_registers);
    for (const Level &level : llvm::reverse(m_levels)) {
      Befores next(m_registers);
      for (unsigned reg = 0; reg < m_registers; ++reg)
        if ((reg & level.inside) == 0)
          next[reg] = joined(carried[reg & ~level.whole], level.before[reg]);
      carried = std::move(next);
    }
    const uint64_t inside = m_levels.empty() ? m_done : m_levels.front().inside;
    for (unsigned reg = 0; reg < m_registers; ++reg)
      m_sums[reg] = joined(carried[reg & ~inside], m_sums[reg]);
  }

  mlir::Type elementType(size_t operand) { return m_op.operandType(unsigned(operand)).getElementType(); }
  llvm::Type *memoryType(size_t operand) { return e.memoryType(elementType(operand)); }

  Emitter &e;
  llvm::IRBuilder<> &b;
  tile::ScanOp m_op;
  const layout::LinearLayout &m_map;
  unsigned m_shift; ///< where the index along the axis begins in an element's number
  unsigned m_registers;
  uint64_t m_done = 0;          ///< bits of registers that the runs so far count
  std::vector<Values> m_totals; ///< of the blocks so far, by their first register
  std::vector<Values> m_sums;   ///< by register: the element with those before it in the first run, and at last with all
  std::vector<Level> m_levels;
  int64_t m_scratchUsed = 0;
};

} // namespace

void emit(Emitter &e, tile::ScanOp op) { Scan(e, op).emitAll(); }

} // namespace tilescope::codegen
