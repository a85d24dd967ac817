// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements. Those that keep the order are other names for the same slot; a value that is
// one element for all stays so.
#include "compiler/Interpreter/Flattener.h"

#include <llvm/ADT/TypeSwitch.h>

namespace tilescope::interp {

namespace {

std::vector<int64_t> vectorOf(llvm::ArrayRef<int64_t> values) { return {values.begin(), values.end()}; }

/// A scalar is moved as a tile of one.
std::vector<int64_t> atLeastOneDimension(llvm::ArrayRef<int64_t> shape) {
  return shape.empty() ? std::vector<int64_t>{1} : vectorOf(shape);
}

/// Strides of a value seen as the part of `whole` in which the last dimension has one index.
std::vector<int64_t> everySecond(llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides = vectorOf(rowMajorStrides(shape));
  for (int64_t &stride : strides)
    stride *= 2;
  return strides;
}

} // namespace

Operand Flattener::broadcast(tile::BroadcastOp op, const Operand &operand) {
  const llvm::ArrayRef<int64_t> from = tile::shapeOf(op.getOperand().getType()),
                                to = tile::shapeOf(op.getType());
  CopyDetail copy{vectorOf(to), vectorOf(rowMajorStrides(from)), vectorOf(rowMajorStrides(to)), 0, 0};
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] == 1)
      copy.fromStrides[i] = 0;
  return m_code.moved(operand, elementsOf(op.getType()), std::move(copy));
}

Operand Flattener::permute(tile::PermuteOp op, const Operand &operand) {
  const auto strides = rowMajorStrides(tile::shapeOf(op.getOperand().getType()));
  const llvm::ArrayRef<int64_t> to = tile::shapeOf(op.getType());
  CopyDetail copy{vectorOf(to), {}, vectorOf(rowMajorStrides(to)), 0, 0};
  for (int32_t dimension : op.getOrder())
    copy.fromStrides.push_back(strides[dimension]);
  return m_code.moved(operand, elementsOf(op.getType()), std::move(copy));
}

void Flattener::together(mlir::Operation *op, CopyDetail first, CopyDetail second) {
  const Operand left = full(op->getOperand(0)), right = full(op->getOperand(1));
  const uint32_t count = elementsOf(op->getResult(0).getType());
  const auto put = [&](const Operand &a, const Operand &b) {
    const Operand result = m_code.fresh(a.type, count);
    m_code.moveInto(result, a, first);
    m_code.moveInto(result, b, second);
    return result;
  };
  Operand result = put(left, right);
  if (left.provenance == right.provenance && left.provenance.kind != Provenance::Kind::Slot) {
    result.provenance = left.provenance;
  } else {
    const auto tensors = [&](const Operand &pointer) {
      return m_code.full(m_code.provenanceValue(pointer), pointer.stored);
    };
    result.provenance = {Provenance::Kind::Slot, put(tensors(left), tensors(right)).value, false};
  }
  set(op->getResult(0), result);
}

void Flattener::join(tile::JoinOp op) {
  const std::vector<int64_t> shape = atLeastOneDimension(tile::shapeOf(op.getLhs().getType()));
  const std::vector<int64_t> strides = vectorOf(rowMajorStrides(shape)), doubled = everySecond(shape);
  together(op, {shape, strides, doubled, 0, 0}, {shape, strides, doubled, 0, 1});
}

void Flattener::cat(tile::CatOp op) {
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(op.getLhs().getType());
  const std::vector<int64_t> from = vectorOf(rowMajorStrides(shape));
  const std::vector<int64_t> to = vectorOf(rowMajorStrides(tile::shapeOf(op.getType())));
  const size_t axis = op.getAxis();
  together(op, {vectorOf(shape), from, to, 0, 0}, {vectorOf(shape), from, to, 0, shape[axis] * to[axis]});
}

void Flattener::split(tile::SplitOp op) {
  const std::vector<int64_t> shape = atLeastOneDimension(tile::shapeOf(op.getLhs().getType()));
  const std::vector<int64_t> strides = vectorOf(rowMajorStrides(shape)), doubled = everySecond(shape);
  const Operand whole = full(op.getOperand());
  for (unsigned half : {0u, 1u}) {
    const auto take = [&](const Operand &from) {
      return m_code.moved(from, elementsOf(op.getLhs().getType()), {shape, doubled, strides, half, 0});
    };
    Operand result = take(whole);
    result.provenance = whole.provenance;
    if (whole.provenance.kind == Provenance::Kind::Slot && !whole.provenance.single)
      result.provenance.index = take(m_code.provenanceValue(whole)).value;
    set(op->getResult(half), result);
  }
}

/// `move` of an operand, and of the tensors of its pointers where they differ.
static Operand movedWithTensors(Assembler &code, const Operand &operand,
                                llvm::function_ref<Operand(const Operand &)> move) {
  if (operand.stored == 1)
    return operand;
  Operand result = move(operand);
  result.provenance = operand.provenance;
  if (operand.provenance.kind == Provenance::Kind::Slot && !operand.provenance.single)
    result.provenance.index = move(code.provenanceValue(operand)).value;
  return result;
}

Flattener::Outcome Flattener::shape(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Outcome>(op)
      .Case<tile::SplatOp, tile::ExpandDimsOp, tile::ReshapeOp>([&](auto op) {
        set(op, get(op.getOperand()));
        return Outcome::Done;
      })
      .Case([&](tile::BroadcastOp op) {
        set(op, movedWithTensors(m_code, get(op.getOperand()),
                                 [&](const Operand &operand) { return broadcast(op, operand); }));
        return Outcome::Done;
      })
      .Case([&](tile::PermuteOp op) {
        set(op, movedWithTensors(m_code, get(op.getOperand()),
                                 [&](const Operand &operand) { return permute(op, operand); }));
        return Outcome::Done;
      })
      .Case([&](tile::JoinOp op) {
        join(op);
        return Outcome::Done;
      })
      .Case([&](tile::CatOp op) {
        cat(op);
        return Outcome::Done;
      })
      .Case([&](tile::SplitOp op) {
        split(op);
        return Outcome::Done;
      })
      .Default([](mlir::Operation *) { return Outcome::NotMine; });
}

} // namespace tilescope::interp
