// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels. Accesses and products have them already; labels go forwards from products, then from loads, along what is
// computed from them and round loops, and at last backwards to what they are computed from: so addresses and masks are
// computed where the access needs them. The first label of a value stays.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Relayout.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

bool isTile(Value value) { return isa<TileType>(value.getType()); }

class Labels {
public:
  explicit Labels(FuncOp kernel) : m_kernel(kernel) { m_wishes.keepsOthers = false; }

  LayoutWishes run() {
    collectAnchors();
    dropConversions();
    for (DotOp dot : m_products)
      label(dot.getResult(), m_wishes.values.lookup(dot.getResult()));
    spread([&](Value value) { forward(value); });
    for (Operation *access : m_accesses)
      for (Value result : access->getResults())
        label(result, m_wishes.operations.lookup(access));
    spread([&](Value value) { forward(value); });

    for (Operation *access : m_accesses)
      for (Value operand : access->getOperands())
        label(operand, m_wishes.operations.lookup(access));
    for (auto [value, layout] : m_labels)
      m_open.push_back(value);
    spread([&](Value value) { backward(value); });
    for (auto [value, layout] : m_labels)
      m_wishes.values[value] = layout;
    return std::move(m_wishes);
  }

private:
  void collectAnchors();
  void dropConversions();
  void label(Value value, LayoutAttr layout) {
    if (layout && isTile(value) && m_labels.insert({value, layout}).second)
      m_open.push_back(value);
  }
  template <typename Step> void spread(Step step) {
    while (!m_open.empty())
      step(m_open.pop_back_val());
  }
  void forward(Value value);
  void forwardTo(OpOperand &use, LayoutAttr layout);
  void backward(Value value);
  void backwardFrom(BlockArgument argument, LayoutAttr layout);
  /// What loops carry has one label: inside, outside, and where it is yielded.
  void labelCarried(ForOp loop, unsigned index, LayoutAttr layout) {
    label(loop.carriedArguments()[index], layout);
    label(loop.getResult(index), layout);
  }

  FuncOp m_kernel;
  LayoutWishes m_wishes;
  llvm::MapVector<Value, LayoutAttr> m_labels;
  SmallVector<Value> m_open;
  SmallVector<DotOp> m_products;
  SmallVector<Operation *> m_accesses;
};

void Labels::collectAnchors() {
  m_kernel.walk([&](Operation *op) {
    if (auto dot = dyn_cast<DotOp>(op)) {
      m_products.push_back(dot);
      m_wishes.values[dot.getResult()] = dot.getType().getLayout();
      m_wishes.operands[&dot.getAMutable()] = dot.getA().getType().getLayout();
      m_wishes.operands[&dot.getBMutable()] = dot.getB().getType().getLayout();
    } else if (isAccess(op) && isTile(op->getOperand(0))) {
      m_accesses.push_back(op);
      m_wishes.operations[op] = layoutOf(op->getOperand(0).getType());
    }
  });
}

void Labels::dropConversions() {
  m_kernel.walk([](ConvertLayoutOp convert) {
    convert.replaceAllUsesWith(convert.getOperand());
    convert.erase();
  });
}

void Labels::forward(Value value) {
  const LayoutAttr layout = m_labels.lookup(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp()))
      labelCarried(loop, argument.getArgNumber() - 1, layout);
  for (OpOperand &use : value.getUses())
    forwardTo(use, layout);
}

void Labels::forwardTo(OpOperand &use, LayoutAttr layout) {
  Operation *op = use.getOwner(), *parent = op->getParentOp();
  const unsigned index = use.getOperandNumber();
  if (isa<YieldOp>(op)) {
    if (auto loop = dyn_cast<ForOp>(parent))
      labelCarried(loop, index, layout);
    else if (auto loop = dyn_cast<WhileOp>(parent))
      label(loop.beforeBlock()->getArgument(index), layout);
    else if (isa<IfOp>(parent))
      label(parent->getResult(index), layout);
  } else if (isa<ConditionOp>(op)) {
    label(parent->getResult(index - 1), layout);
    label(cast<WhileOp>(parent).afterBlock()->getArgument(index - 1), layout);
  } else if (auto loop = dyn_cast<ForOp>(op)) {
    labelCarried(loop, index - loop.getInitialMutable().begin()->getOperandNumber(), layout);
  } else if (auto loop = dyn_cast<WhileOp>(op)) {
    label(loop.beforeBlock()->getArgument(index), layout);
  } else if (!isAccess(op) && !(isa<DotOp>(op) && index < 2)) {
    for (Value result : op->getResults())
      label(result, resultLayout(op, index, layout));
  }
}

void Labels::backward(Value value) {
  const LayoutAttr layout = m_labels.lookup(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return backwardFrom(argument, layout);
  Operation *op = value.getDefiningOp();
  const unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<ForOp>(op)) {
    label(loop.carriedArguments()[number], layout);
  } else if (auto loop = dyn_cast<WhileOp>(op)) {
    label(loop.condition().getValues()[number], layout);
  } else if (auto branch = dyn_cast<IfOp>(op)) {
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      label(block->getTerminator()->getOperand(number), layout);
  } else if (!isAccess(op)) {
    for (OpOperand &operand : op->getOpOperands())
      label(operand.get(), operandLayout(op, operand.getOperandNumber(), layout));
  }
}

void Labels::backwardFrom(BlockArgument argument, LayoutAttr layout) {
  Operation *parent = argument.getOwner()->getParentOp();
  const unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<ForOp>(parent)) {
    label(loop.getInitial()[number - 1], layout);
    label(loop.getResult(number - 1), layout);
    label(loop.terminator().getOperand(number - 1), layout);
  } else if (auto loop = dyn_cast<WhileOp>(parent)) {
    if (argument.getOwner() == loop.beforeBlock()) {
      label(loop.getInitial()[number], layout);
      label(loop.terminator().getOperand(number), layout);
    } else {
      label(loop.condition().getValues()[number], layout);
    }
  }
}

} // namespace

void propagateLayouts(FuncOp kernel) { relayout(kernel, Labels(kernel).run()); }

} // namespace tilescope::tile
