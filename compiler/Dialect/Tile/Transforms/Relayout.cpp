// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/Transforms/Relayout.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Layout/Constructors.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

bool isTile(Value value) { return isa<TileType>(value.getType()); }

void setLayout(Value value, LayoutAttr layout) {
  if (auto tile = dyn_cast<TileType>(value.getType()))
    value.setType(tile.withLayout(layout));
}

class Relayout {
public:
  Relayout(FuncOp function, const LayoutWishes &wishes) : m_function(function), m_wishes(wishes) {}
  void run() { walk(m_function.getBody().front()); }

private:
  /// What a value is wished to have, or has already, or `fallback`.
  LayoutAttr chosen(Value value, LayoutAttr fallback) {
    if (LayoutAttr wish = m_wishes.values.lookup(value))
      return wish;
    if (LayoutAttr own = layoutOf(value.getType()); own && m_wishes.keepsOthers)
      return own;
    return fallback ? fallback : defaultLayout(m_function, cast<TileType>(value.getType()));
  }

  void require(OpOperand &operand, LayoutAttr layout) {
    if (!isTile(operand.get()) || layoutOf(operand.get().getType()) == layout)
      return;
    OpBuilder builder(operand.getOwner());
    Value converted = ConvertLayoutOp::create(builder, operand.get().getLoc(), operand.get(), layout);
    operand.set(converted);
  }
  void requireAll(Operation *op, LayoutAttr layout) {
    for (OpOperand &operand : op->getOpOperands())
      require(operand, layout);
  }
  void setResults(Operation *op, LayoutAttr layout) {
    for (Value result : op->getResults())
      setLayout(result, layout);
  }
  /// The layout of the first operand that is a tile.
  LayoutAttr firstLayout(Operation *op) {
    for (Value operand : op->getOperands())
      if (isTile(operand))
        return layoutOf(operand.getType());
    return {};
  }

  void walk(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
  }
  void visit(Operation *op);
  void visitFor(ForOp loop);
  void visitIf(IfOp branch);
  void visitWhile(WhileOp loop);
  void visitFree(Operation *op);
  void visitDerived(Operation *op);
  void visitSameLayout(Operation *op);
  void visitSplit(SplitOp op);
  void visitConvert(ConvertLayoutOp op);

  FuncOp m_function;
  const LayoutWishes &m_wishes;
};

/// The result's layout is that of its operand, moved.
bool isDerived(Operation *op) { return isa<ExpandDimsOp, ReduceOp, PermuteOp, JoinOp, CatOp, ReshapeOp>(op); }

void Relayout::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ForOp loop) { visitFor(loop); })
      .Case([&](IfOp branch) { visitIf(branch); })
      .Case([&](WhileOp loop) { visitWhile(loop); })
      .Case([&](ConvertLayoutOp convert) { visitConvert(convert); })
      .Case([&](SplitOp split) { visitSplit(split); })
      .Case<YieldOp, ConditionOp, ReturnOp, PrintOp>([](Operation *) {})
      .Case<SharedAllocOp, SharedStoreOp>([](Operation *) {})
      .Case<ConstantOp, MakeRangeOp, SplatOp, HistogramOp, SharedLoadOp>([&](Operation *free) { visitFree(free); })
      .Case([&](BroadcastOp broadcast) {
        visitFree(broadcast);
        ArrayRef<int64_t> shape = broadcast.getOperand().getType().getShape();
        require(broadcast.getOperandMutable(), broadcastOperandLayout(broadcast.getType().getLayout(), shape));
      })
      .Case([&](GatherOp gather) {
        setResults(gather, chosen(gather.getResult(), layoutOf(gather.getIndices().getType())));
        require(gather.getIndicesMutable(), gather.getType().getLayout());
      })
      .Case<DotOp, DotScaledOp>([&](auto dot) {
        setResults(dot, chosen(dot.getResult(), layoutOf(dot.getAccumulator().getType())));
        require(dot.getAccumulatorMutable(), layoutOf(dot.getResult().getType()));
        for (OpOperand &operand : dot->getOpOperands())
          if (LayoutAttr wish = m_wishes.operands.lookup(&operand))
            require(operand, wish);
      })
      .Default([&](Operation *other) { isDerived(other) ? visitDerived(other) : visitSameLayout(other); });
}

void Relayout::visitFree(Operation *op) {
  for (Value result : op->getResults())
    if (isTile(result))
      setLayout(result, chosen(result, {}));
  if (auto histogram = dyn_cast<HistogramOp>(op))
    requireAll(histogram, layoutOf(histogram.getOperand().getType()));
}

void Relayout::visitDerived(Operation *op) {
  LayoutAttr layout = firstLayout(op);
  if (!layout)
    return visitFree(op); // two scalars joined
  requireAll(op, layout);
  setResults(op, resultLayout(op, 0, layout));
}

void Relayout::visitSplit(SplitOp op) {
  TileType half = dyn_cast<TileType>(op.getLhs().getType());
  if (half && !splitLayout(op.getOperand().getType().getLayout()))
    require(op.getOperandMutable(), joinLayout(defaultLayout(m_function, half)));
  setResults(op, splitLayout(op.getOperand().getType().getLayout()));
}

/// Elementwise operations, scans and accesses: every tile has one layout, the results' if there are any.
void Relayout::visitSameLayout(Operation *op) {
  LayoutAttr layout = m_wishes.operations.lookup(op), first = firstLayout(op);
  if (!layout && op->getNumResults() > 0 && isTile(op->getResult(0)))
    layout = chosen(op->getResult(0), first);
  if (!layout)
    layout = first;
  if (!layout)
    return;
  if (auto map = dyn_cast<MapOp>(op); map && !holdsPacks(layout.getMap(), map.getPack()))
    layout = packedLayout(m_function, cast<TileType>(map.getResult(0).getType()), map.getPack());
  requireAll(op, layout);
  setResults(op, layout);
}

void Relayout::visitConvert(ConvertLayoutOp op) {
  if (layoutOf(op.getOperand().getType()) != op.getType().getLayout())
    return;
  op.replaceAllUsesWith(op.getOperand());
  op.erase();
}

//===- Control flow -------------------------------------------------------------------------------===//

void Relayout::visitFor(ForOp loop) {
  for (auto [index, argument] : llvm::enumerate(loop.carriedArguments())) {
    if (!isTile(argument))
      continue;
    OpOperand &initial = loop.getInitialMutable()[index];
    LayoutAttr layout = chosen(argument, layoutOf(initial.get().getType()));
    require(initial, layout);
    setLayout(argument, layout);
    setLayout(loop.getResult(index), layout);
  }
  walk(*loop.getBody());
  for (auto [operand, result] : llvm::zip(loop.terminator()->getOpOperands(), loop.getResults()))
    require(operand, layoutOf(result.getType()));
}

void Relayout::visitIf(IfOp branch) {
  for (Region &region : branch->getRegions())
    if (!region.empty())
      walk(region.front());
  for (Value result : branch.getResults()) {
    if (!isTile(result))
      continue;
    const unsigned index = cast<OpResult>(result).getResultNumber();
    Operation *first = branch.thenBlock()->getTerminator();
    setLayout(result, chosen(result, layoutOf(first->getOperand(index).getType())));
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      require(block->getTerminator()->getOpOperand(index), layoutOf(result.getType()));
  }
}

void Relayout::visitWhile(WhileOp loop) {
  for (auto [index, argument] : llvm::enumerate(loop.beforeBlock()->getArguments())) {
    if (!isTile(argument))
      continue;
    OpOperand &initial = loop.getInitialMutable()[index];
    LayoutAttr layout = chosen(argument, layoutOf(initial.get().getType()));
    require(initial, layout);
    setLayout(argument, layout);
  }
  walk(*loop.beforeBlock());
  ConditionOp condition = loop.condition();
  for (auto [operand, result, argument] : llvm::zip(condition.getValuesMutable(), loop.getResults(),
                                                    loop.afterBlock()->getArguments())) {
    if (!isTile(result))
      continue;
    LayoutAttr layout = chosen(argument, layoutOf(operand.get().getType()));
    require(operand, layout);
    setLayout(result, layout);
    setLayout(argument, layout);
  }
  walk(*loop.afterBlock());
  for (auto [operand, argument] : llvm::zip(loop.terminator()->getOpOperands(), loop.beforeBlock()->getArguments()))
    require(operand, layoutOf(argument.getType()));
}

} // namespace

void relayout(FuncOp function, const LayoutWishes &wishes) { Relayout(function, wishes).run(); }

//===- Layouts to choose from ---------------------------------------------------------------------===//

LayoutAttr blockedLayout(FuncOp function, TileType type, ArrayRef<unsigned> order, int64_t perThread) {
  ArrayRef<int64_t> shape = type.getShape();
  layout::Blocked parameters;
  parameters.order.assign(order.begin(), order.end());
  parameters.sizePerThread.assign(shape.size(), 1);
  parameters.sizePerThread[order[0]] = perThread;
  parameters.threadsPerWarp.assign(shape.size(), 1);
  parameters.warps.assign(shape.size(), 1);
  // The fastest dimension takes as many lanes as it has room for, then the next; the same with warps.
  auto spread = [&](int64_t left, std::vector<int64_t> &sizes, auto room) {
    for (unsigned dim : order) {
      sizes[dim] = std::clamp<int64_t>(room(dim), 1, left);
      left /= sizes[dim];
    }
    sizes[order.back()] *= left;
  };
  spread(32, parameters.threadsPerWarp, [&](unsigned dim) { return shape[dim] / parameters.sizePerThread[dim]; });
  spread(warpsOf(function), parameters.warps, [&](unsigned dim) {
    return shape[dim] / parameters.sizePerThread[dim] / parameters.threadsPerWarp[dim];
  });
  return LayoutAttr::get(type.getContext(), layout::blocked(shape, parameters));
}

LayoutAttr defaultLayout(FuncOp function, TileType type) {
  SmallVector<unsigned> order(llvm::reverse(llvm::seq<unsigned>(0, unsigned(type.getRank()))));
  return blockedLayout(function, type, order, 1);
}

LayoutAttr packedLayout(FuncOp function, TileType type, int64_t pack) {
  const TileType line = TileType::get({type.elementCount()}, type.getElementType());
  return reshapeLayout(blockedLayout(function, line, {0}, pack), type.getShape());
}

unsigned warpsOf(FuncOp function) { return function.getNumWarps().value_or(4); }

unsigned capabilityOf(FuncOp function) {
  unsigned capability = 90;
  if (std::optional<StringRef> target = function.getTarget())
    if (target->consume_front("cuda:"))
      target->take_while(llvm::isDigit).getAsInteger(10, capability);
  return capability;
}

bool isAccess(Operation *op) {
  return isa<LoadOp, StoreOp, AtomicRmwOp, AtomicCasOp, AtomicLoadOp, AtomicStoreOp, AsyncCopyOp>(op);
}

} // namespace tilescope::tile
