// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tl.flip and tl.sort exchange the halves of an axis of two by `bits ^ xor_sum(bits, axis)`, which gives each
// element the bits of the other one. Here that is a move, so that what is known of elements moves with them.
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Machine.h"

namespace tilescope::interp {

namespace {

/// Where a value stands before it was only laid out in another way.
mlir::Value laidOut(mlir::Value value) {
  while (auto convert = value.getDefiningOp<tile::ConvertLayoutOp>())
    value = convert.getOperand();
  return value;
}

template <typename Op> Op madeBy(mlir::Value value) { return laidOut(value).getDefiningOp<Op>(); }

/// The reduction of `bits`, spread over both elements again, that `sums` is; null if it is none.
tile::ReduceOp sumOfPairs(mlir::Value bits, mlir::Value sums) {
  auto broadcast = madeBy<tile::BroadcastOp>(sums);
  auto expand = broadcast ? madeBy<tile::ExpandDimsOp>(broadcast.getOperand()) : nullptr;
  auto reduce = expand ? madeBy<tile::ReduceOp>(expand.getOperand()) : nullptr;
  const bool isSame = reduce && reduce.getNumOperands() == 1 && reduce.getAxis() == expand.getAxis() &&
                      laidOut(reduce.getOperand(0)) == laidOut(bits);
  if (!isSame || reduce.operandType(0).getDimSize(reduce.getAxis()) != 2)
    return nullptr;
  return llvm::isa_and_nonnull<tile::XorOp>(reduce.singleCombiner()) ? reduce : nullptr;
}

/// The reduction by which an operation swaps, and what it swaps.
std::pair<tile::ReduceOp, mlir::Value> swapOf(tile::XorOp op) {
  if (tile::ReduceOp reduce = sumOfPairs(op.getLhs(), op.getRhs()))
    return {reduce, op.getLhs()};
  return {sumOfPairs(op.getRhs(), op.getLhs()), op.getRhs()};
}

/// Do all that use a value, through moves and layouts, fulfil `condition`?
bool allUses(mlir::Value value, llvm::function_ref<bool(mlir::Operation *)> condition) {
  return llvm::all_of(value.getUsers(), [&](mlir::Operation *user) {
    return llvm::isa<tile::ConvertLayoutOp, tile::ExpandDimsOp, tile::BroadcastOp>(user)
               ? allUses(user->getResult(0), condition)
               : condition(user);
  });
}

/// Is it compared, as a sort does with what it may exchange?
bool isCompared(mlir::Value value) {
  return llvm::any_of(value.getUsers(), [](mlir::Operation *user) {
    return llvm::isa<tile::CmpOp>(user) ||
           (llvm::isa<tile::BitcastOp, tile::ConvertLayoutOp>(user) && isCompared(user->getResult(0)));
  });
}

} // namespace

bool Flattener::onlySwaps(tile::ReduceOp op) {
  return allUses(op.getResult(0), [&](mlir::Operation *user) {
    auto exchange = llvm::dyn_cast<tile::XorOp>(user);
    return exchange && swapOf(exchange).first == op;
  });
}

bool Flattener::swap(tile::XorOp op) {
  auto [reduce, bits] = swapOf(op);
  const Operand from = reduce ? get(bits) : Operand();
  if (!reduce || from.stored == 1)
    return false;
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(op.getType());
  const llvm::SmallVector<int64_t> strides = rowMajorStrides(shape);
  const int64_t half = strides[reduce.getAxis()];
  CopyDetail copy{{shape.begin(), shape.end()}, {strides.begin(), strides.end()}, {}, 0, half};
  copy.shape[reduce.getAxis()] = 1;
  copy.toStrides = copy.fromStrides;
  const Operand result = m_code.moved(from, elementsOf(op.getType()), copy);
  std::swap(copy.fromOffset, copy.toOffset);
  m_code.moveInto(result, from, std::move(copy));
  if (isCompared(op.getResult())) {
    m_code.emit(&control::nothing, {result}, result.stored).cost = 0;
    m_code.flow(Flow::Exchange);
  }
  set(op, result);
  return true;
}

} // namespace tilescope::interp
