// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.histogram, as analysis::planOf says. By votes: the warp votes on each bit of its elements' numbers, so that every
// lane knows which lanes hold the number of a bin, and counts them for the bins that it is to know. Where warps hold
// different elements a lane takes every 32nd bin, and counts are added up in scratch space.
#include "compiler/Analysis/HistogramPlan.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope::codegen {
namespace {

using layout::Dim;
using layout::LinearLayout;

class Histogram {
public:
  Histogram(Emitter &e, tile::HistogramOp op)
      : e(e), b(e.b), m_op(op), m_map(Emitter::mapOf(op.getOperand().getType())), m_result(Emitter::mapOf(op.getType())),
        m_bins(uint32_t(op.getType().elementCount())), m_binBits(llvm::Log2_32(m_bins)) {
    m_isFirstCopy = e.hasNone(m_map.freeVariableMask(Dim::Lane), 0);
  }

  void emitAll() {
    const analysis::HistogramPlan plan = analysis::planOf(m_op);
    if (!plan.needsScratch())
      return e.define(m_op, countVotes(m_result));
    m_scratch = e.sharedAddress(e.scratchOf(m_op));
    clear();
    e.barrier();
    plan.isByVotes ? addVotes() : addElements();
    e.barrier();
    Registers result;
    for (llvm::Value *bin : e.applyAll(m_result))
      result.push_back(b.CreateLoad(b.getInt32Ty(), address(bin)));
    e.define(m_op, std::move(result));
  }

private:
  /// Whether an element counts: it is within the bins, not masked off, and this is the first lane that holds it.
  llvm::Value *counts(unsigned reg) {
    llvm::Value *number = e.of(m_op.getOperand())[reg];
    llvm::Value *result = m_isFirstCopy;
    const unsigned bits = number->getType()->getIntegerBitWidth();
    if (m_binBits < bits)
      result = b.CreateAnd(result, b.CreateICmpULT(number, llvm::ConstantInt::get(number->getType(), m_bins)));
    return m_op.getMask() ? b.CreateAnd(result, e.of(m_op.getMask())[reg]) : result;
  }
  /// The number of its bin, where it counts; else any bin.
  llvm::Value *binOf(unsigned reg) {
    return b.CreateAnd(b.CreateZExtOrTrunc(e.of(m_op.getOperand())[reg], b.getInt32Ty()), b.getInt32(m_bins - 1));
  }
  llvm::Value *vote(llvm::Value *predicate) {
    return b.CreateIntrinsic(b.getInt32Ty(), llvm::Intrinsic::nvvm_vote_ballot_sync, {b.getInt32(~0u), predicate});
  }

  /// How often the warp has the number of each bin that `bins` gives a thread.
  Registers countVotes(const LinearLayout &bins) {
    const LinearLayout ofThread = bins.withoutInputBits(Dim::Register, bins.inputSize(Dim::Register) - 1);
    llvm::Value *threadBin = e.apply(ofThread, 0);
    llvm::SmallVector<llvm::Value *> isClear; // of each bit of the thread's first bin, in all 32 bits
    for (unsigned bit = 0; bit < m_binBits; ++bit)
      isClear.push_back(b.CreateSub(b.CreateAnd(b.CreateLShr(threadBin, bit), b.getInt32(1)), b.getInt32(1)));
    Registers totals(bins.inputSize(Dim::Register), b.getInt32(0));
    for (unsigned reg = 0; reg < e.of(m_op.getOperand()).size(); ++reg) {
      llvm::Value *candidates = vote(counts(reg)), *number = binOf(reg);
      llvm::SmallVector<llvm::Value *> agrees; // which lanes have the same bit as the thread's first bin
      for (unsigned bit = 0; bit < m_binBits; ++bit)
        agrees.push_back(b.CreateXor(vote(b.CreateTrunc(b.CreateLShr(number, bit), b.getInt1Ty())), isClear[bit]));
      for (auto [place, total] : llvm::enumerate(totals)) {
        llvm::Value *lanes = candidates;
        for (unsigned bit = 0; bit < m_binBits; ++bit)
          lanes = b.CreateAnd(lanes, bins.apply(place) >> bit & 1 ? b.CreateNot(agrees[bit]) : agrees[bit]);
        total = b.CreateAdd(total, b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, lanes));
      }
    }
    return totals;
  }

  llvm::Value *address(llvm::Value *bin) { return b.CreateGEP(b.getInt32Ty(), m_scratch, {bin}); }
  /// Threads that have no bin of their own clear one again.
  void clear() {
    const uint32_t threads = 32 * e.warps();
    for (uint32_t first = 0; first < m_bins; first += threads) {
      llvm::Value *bin = b.CreateAnd(b.CreateAdd(e.thread(), b.getInt32(first)), b.getInt32(m_bins - 1));
      b.CreateStore(b.getInt32(0), address(bin));
    }
  }
  /// Of threads that have the same to add, one does.
  void add(llvm::Value *bin, llvm::Value *count) {
    b.CreateAtomicRMW(llvm::AtomicRMWInst::Add, address(bin), count, llvm::Align(4), llvm::AtomicOrdering::Monotonic,
                      e.context().getOrInsertSyncScopeID("block"));
  }
  void addVotes() {
    const unsigned ofLanes = std::min(m_binBits, 5u);
    std::vector<uint64_t> columns;
    for (unsigned bit = ofLanes; bit < m_binBits; ++bit)
      columns.push_back(uint64_t(1) << bit);
    for (unsigned bit = 0; bit < 5; ++bit)
      columns.push_back(bit < ofLanes ? uint64_t(1) << bit : 0);
    const LinearLayout bins({{Dim::Register, m_binBits - ofLanes}, {Dim::Lane, 5}}, {{layout::tileDim(0), m_binBits}}, columns);
    llvm::Value *isOnce = e.hasNone(bins.freeVariableMask(Dim::Lane), m_map.freeVariableMask(Dim::Warp));
    for (auto [bin, count] : llvm::zip_equal(e.applyAll(bins), countVotes(bins)))
      add(bin, b.CreateSelect(isOnce, count, b.getInt32(0)));
  }
  void addElements() {
    llvm::Value *isOnce = e.hasNone(0, m_map.freeVariableMask(Dim::Warp));
    for (unsigned reg = 0; reg < e.of(m_op.getOperand()).size(); ++reg)
      add(binOf(reg), b.CreateZExt(b.CreateAnd(counts(reg), isOnce), b.getInt32Ty()));
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
  tile::HistogramOp m_op;
  const LinearLayout &m_map, &m_result;
  uint32_t m_bins;
  unsigned m_binBits;
  llvm::Value *m_isFirstCopy;
  llvm::Value *m_scratch = nullptr;
};

} // namespace

void emit(Emitter &e, tile::HistogramOp op) { Histogram(e, op).emitAll(); }

} // namespace tilescope::codegen
