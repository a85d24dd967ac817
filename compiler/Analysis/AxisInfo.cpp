// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/AxisInfo.h"

#include "compiler/Analysis/AxisTransfer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::analysis {
namespace {

/// Goes through a function in its order; a body is gone over until what is known of what the loop carries is true of every
/// trip. Each time less is known, so that this ends.
class Walker {
public:
  explicit Walker(llvm::DenseMap<Value, AxisInfo> &info) : m_info(info) {}

  void run(Block &block) {
    for (Operation &op : block)
      visit(&op);
  }

private:
  AxisInfo of(Value value) const {
    auto found = m_info.find(value);
    return found != m_info.end() ? found->second : unknown(value.getType());
  }
  void visit(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](tile::ForOp loop) { visitFor(loop); })
        .Case([&](tile::WhileOp loop) { visitWhile(loop); })
        .Case([&](tile::IfOp branch) { visitIf(branch); })
        .Default([&](Operation *other) { visitPlain(other); });
  }
  void visitPlain(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        run(block);
    for (auto [result, info] : llvm::zip(op->getResults(), transfer(op, [&](Value value) { return of(value); }))) {
      addHints(op, info);
      m_info[result] = std::move(info);
    }
  }
  void addHints(Operation *op, AxisInfo &info);
  void visitFor(tile::ForOp loop);
  void visitWhile(tile::WhileOp loop);
  void visitIf(tile::IfOp branch);
  /// `target` holds what is known of both from now on; true if that is less than before.
  bool weaken(Value target, Value other) {
    AxisInfo joined = join(of(target), of(other));
    const bool isLess = joined != of(target);
    m_info[target] = std::move(joined);
    return isLess;
  }

  llvm::DenseMap<Value, AxisInfo> &m_info;
};

/// tl.multiple_of and its like: the programmer's word.
void Walker::addHints(Operation *op, AxisInfo &info) {
  auto add = [&](StringRef name, int64_t AxisFacts::*fact) {
    auto numbers = op->getAttrOfType<DenseI32ArrayAttr>(name);
    if (!numbers || size_t(numbers.size()) != info.axes.size())
      return;
    for (auto [axis, number] : llvm::zip(info.axes, numbers.asArrayRef()))
      axis.*fact = std::max(axis.*fact, powerIn(number));
  };
  add("tile.max_contiguous", &AxisFacts::contiguity);
  add("tile.max_constancy", &AxisFacts::constancy);
  add("tile.multiple_of", &AxisFacts::divisibility);
}

void Walker::visitFor(tile::ForOp loop) {
  const AxisInfo lower = of(loop.getLower()), step = of(loop.getStep());
  AxisInfo induction = unknown(loop.getLower().getType());
  induction.axes[0].divisibility = std::min(lower.axes[0].divisibility, step.axes[0].divisibility);
  induction.isNonNegative = lower.isNonNegative && step.isNonNegative;
  m_info[loop.inductionVariable()] = std::move(induction);
  for (auto [argument, initial] : llvm::zip(loop.carriedArguments(), loop.getInitial()))
    m_info[argument] = of(initial);
  for (bool isStable = false; !isStable;) {
    run(*loop.getBody());
    isStable = true;
    for (auto [argument, yielded] : llvm::zip(loop.carriedArguments(), loop.terminator().getOperands()))
      isStable &= !weaken(argument, yielded);
  }
  for (auto [argument, result] : llvm::zip(loop.carriedArguments(), loop.getResults()))
    m_info[result] = of(argument);
}

void Walker::visitWhile(tile::WhileOp loop) {
  for (auto [argument, initial] : llvm::zip(loop.beforeBlock()->getArguments(), loop.getInitial()))
    m_info[argument] = of(initial);
  for (bool isStable = false; !isStable;) {
    run(*loop.beforeBlock());
    for (auto [argument, value] : llvm::zip(loop.afterBlock()->getArguments(), loop.condition().getValues()))
      m_info[argument] = of(value);
    run(*loop.afterBlock());
    isStable = true;
    for (auto [argument, yielded] : llvm::zip(loop.beforeBlock()->getArguments(), loop.terminator().getOperands()))
      isStable &= !weaken(argument, yielded);
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), loop.condition().getValues()))
    m_info[result] = of(value);
}

void Walker::visitIf(tile::IfOp branch) {
  run(*branch.thenBlock());
  if (!branch.elseBlock())
    return;
  run(*branch.elseBlock());
  for (auto [index, result] : llvm::enumerate(branch.getResults())) {
    AxisInfo first = of(branch.thenBlock()->getTerminator()->getOperand(unsigned(index)));
    m_info[result] = join(first, of(branch.elseBlock()->getTerminator()->getOperand(unsigned(index))));
  }
}

} // namespace

AxisInfoAnalysis::AxisInfoAnalysis(tile::FuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments()) {
    AxisInfo info = unknown(argument.getType());
    info.axes[0].divisibility = powerIn(kernel.argumentDivisibility(argument.getArgNumber()));
    m_info[argument] = std::move(info);
  }
  Walker(m_info).run(kernel.getBody().front());
}

AxisInfo AxisInfoAnalysis::of(Value value) const {
  auto found = m_info.find(value);
  return found != m_info.end() ? found->second : unknown(value.getType());
}

int64_t AxisInfoAnalysis::vectorElements(Value pointers, Value mask, unsigned axis) const {
  const AxisFacts address = of(pointers).axes[axis];
  const auto pointer = cast<tile::PointerType>(tile::elementTypeOf(pointers.getType()));
  const int64_t aligned = address.divisibility / tile::byteSizeOf(pointer.getPointee());
  int64_t elements = std::max<int64_t>(1, std::min(address.contiguity, aligned));
  if (mask)
    elements = std::min(elements, of(mask).axes[axis].constancy);
  return elements;
}

} // namespace tilescope::analysis
