// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/Transforms/Loops.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// An empty loop like `loop` in front of it.
ForOp emptyLike(ForOp loop, ValueRange initial) {
  OpBuilder builder(loop);
  auto result = ForOp::create(builder, loop.getLoc(), loop.getLower(), loop.getUpper(), loop.getStep(), initial);
  result->copyProperties(loop->getPropertiesStorage());
  result->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  return result;
}

void moveBody(ForOp from, ForOp to) {
  to.getBody()->getOperations().splice(to.getBody()->end(), from.getBody()->getOperations());
  from.inductionVariable().replaceAllUsesWith(to.inductionVariable());
}

} // namespace

ForOp appendCarried(ForOp loop, ValueRange initial) {
  SmallVector<Value> all(loop.getInitial());
  llvm::append_range(all, initial);
  ForOp result = emptyLike(loop, all);
  moveBody(loop, result);
  for (auto [before, after] : llvm::zip(loop.carriedArguments(), result.carriedArguments()))
    before.replaceAllUsesWith(after);
  for (auto [before, after] : llvm::zip(loop.getResults(), result.getResults()))
    before.replaceAllUsesWith(after);
  loop.erase();
  return result;
}

ForOp dropCarried(ForOp loop, const llvm::BitVector &drop) {
  SmallVector<Value> initial, yielded;
  for (unsigned i = 0; i < drop.size(); ++i)
    if (!drop[i]) {
      initial.push_back(loop.getInitial()[i]);
      yielded.push_back(loop.terminator().getOperand(i));
    }
  loop.terminator()->setOperands(yielded);
  ForOp result = emptyLike(loop, initial);
  moveBody(loop, result);
  unsigned next = 0;
  for (unsigned i = 0; i < drop.size(); ++i) {
    if (drop[i]) {
      loop.carriedArguments()[i].replaceAllUsesWith(loop.getInitial()[i]);
      continue;
    }
    loop.carriedArguments()[i].replaceAllUsesWith(result.carriedArguments()[next]);
    loop.getResult(i).replaceAllUsesWith(result.getResult(next));
    ++next;
  }
  loop.erase();
  return result;
}

//===- What is used -------------------------------------------------------------------------------===//

namespace {

class Uses {
public:
  explicit Uses(ForOp loop) : m_loop(loop) {
    loop.getBody()->walk([&](Operation *op) {
      // An operation with a region is looked through: what its body uses counts as used.
      const bool inCombiner = op->getParentOp() != loop.getOperation();
      if (op != loop.terminator() && (inCombiner || op->getNumRegions() > 0 || !isMemoryEffectFree(op)))
        need(op->getOperands());
    });
    for (auto [result, yielded] : llvm::zip(loop.getResults(), loop.terminator().getOperands()))
      if (!result.use_empty())
        need(yielded);
    while (!m_open.empty())
      follow(m_open.pop_back_val());
  }

  llvm::BitVector unused() const {
    llvm::BitVector result(m_loop->getNumResults());
    for (auto [index, argument] : llvm::enumerate(m_loop.carriedArguments()))
      result[index] = m_loop->getResult(index).use_empty() && !m_needed.contains(argument);
    return result;
  }

private:
  void need(ValueRange values) {
    for (Value value : values)
      if (m_needed.insert(value).second)
        m_open.push_back(value);
  }
  void follow(Value value) {
    if (Operation *op = value.getDefiningOp())
      return m_loop->isProperAncestor(op) ? need(op->getOperands()) : void();
    const auto argument = cast<BlockArgument>(value);
    if (argument.getOwner() == m_loop.getBody() && argument.getArgNumber() > 0)
      need(m_loop.terminator().getOperand(argument.getArgNumber() - 1));
  }

  mutable ForOp m_loop;
  llvm::DenseSet<Value> m_needed;
  SmallVector<Value> m_open;
};

} // namespace

void dropUnusedCarried(FuncOp kernel) {
  SmallVector<ForOp> loops;
  kernel.walk([&](ForOp loop) { loops.push_back(loop); }); // inner ones first
  for (ForOp loop : loops)
    if (const llvm::BitVector unused = Uses(loop).unused(); unused.any())
      dropCarried(loop, unused);
}

} // namespace tilescope::tile
