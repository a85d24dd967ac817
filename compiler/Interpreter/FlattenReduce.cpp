// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans. A plain combiner (add, max, and …) is one fast instruction. Any other is carried out
// on halves of the tile at a time, its operations element by element over all pairs: a reduction is a tree of
// log2(n) steps in which elements i and i + n/2 meet, a scan has log2(n) steps of doubling distance.
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Machine.h"

namespace tilescope::interp {

namespace {

std::vector<int64_t> vectorOf(llvm::ArrayRef<int64_t> shape) { return {shape.begin(), shape.end()}; }

AxisDetail axisOf(llvm::ArrayRef<int64_t> shape, size_t axis, bool reverse = false) {
  AxisDetail detail;
  for (size_t i = 0; i < shape.size(); ++i)
    (i < axis ? detail.outer : i == axis ? detail.length : detail.inner) *= uint32_t(shape[i]);
  detail.reverse = reverse;
  return detail;
}

/// The combiner's operation where the fast path knows it.
std::optional<Op> plainCombiner(mlir::Operation *op) {
  if (!op || op->hasAttr("propagate_nan"))
    return std::nullopt;
  const llvm::StringRef name = op->getName().stripDialect();
  return name == "add"   ? std::optional(Op::Add)
         : name == "min" ? std::optional(Op::Min)
         : name == "max" ? std::optional(Op::Max)
         : name == "and" ? std::optional(Op::And)
         : name == "or"  ? std::optional(Op::Or)
         : name == "xor" ? std::optional(Op::Xor)
                         : std::nullopt;
}

/// Max or Min where a combiner chooses the first of its values by its size, and others with it, as argmax
/// does.
std::optional<Op> choosingCombiner(mlir::Block &combiner) {
  const size_t values = combiner.getNumArguments() / 2;
  const mlir::Value a = combiner.getArgument(0), b = combiner.getArgument(values);
  auto chosen = combiner.getTerminator()->getOperand(0).getDefiningOp<tile::SelectOp>();
  if (values < 2 || !chosen || chosen.getOnTrue() != a || chosen.getOnFalse() != b)
    return std::nullopt;
  for (auto cmp : combiner.getOps<tile::CmpOp>()) {
    if (cmp.getLhs() != a || cmp.getRhs() != b)
      continue;
    if (cmp.getPredicate() == tile::Predicate::Gt)
      return Op::Max;
    if (cmp.getPredicate() == tile::Predicate::Lt)
      return Op::Min;
  }
  return std::nullopt;
}

/// `length` places along the axis of a value that has `whole` of them, moved from place `from` to `to` of one
/// that has `target`.
CopyDetail places(const AxisDetail &axis, int64_t length, int64_t whole, int64_t from, int64_t target,
                  int64_t to) {
  const int64_t inner = axis.inner;
  return {{axis.outer, length, inner},
          {whole * inner, inner, 1},
          {target * inner, inner, 1},
          from * inner,
          to * inner};
}

} // namespace

std::vector<Operand> Flattener::combine(mlir::Block &combiner, llvm::ArrayRef<Operand> accumulated,
                                        llvm::ArrayRef<Operand> elements, uint32_t count) {
  for (auto [index, operand] : llvm::enumerate(accumulated)) {
    set(combiner.getArgument(index), operand);
    set(combiner.getArgument(index + accumulated.size()), elements[index]);
  }
  std::vector<Operand> results;
  if (!block(combiner))
    return results;
  for (mlir::Value value : combiner.getTerminator()->getOperands())
    results.push_back(m_code.full(get(value), count));
  return results;
}

/// What goes into a tree of steps is looked at before. `choosing`: the first by its size.
void Flattener::lookAt(Flow flow, llvm::ArrayRef<Operand> values, const AxisDetail &axis,
                       std::vector<int64_t> shape, std::optional<Op> choosing) {
  for (const Operand &value : values) {
    m_code.emit(&control::nothing, {value}, value.stored, m_code.detail(axis)).cost = 0;
    if (choosing)
      m_code.flow(flow, *choosing, value.type, shape);
    else
      m_code.flow(flow, shape);
    choosing.reset();
  }
}

bool Flattener::reduce(tile::ReduceOp op) {
  const uint32_t place = m_code.place();
  AxisDetail axis = axisOf(op.operandType(0).getShape(), op.getAxis());
  std::vector<Operand> values;
  for (mlir::Value operand : op.getOperands())
    values.push_back(full(operand));
  const auto code = values.size() == 1 ? plainCombiner(op.singleCombiner()) : std::nullopt;
  if (const Handler handler = code ? reduction(*code, values[0].type) : nullptr) {
    const Operand result = m_code.fresh(values[0].type, axis.outer * axis.inner);
    m_code.emit(handler, result, {values[0]}, values[0].stored, m_code.detail(axis));
    m_code.flow(onlySwaps(op) ? Flow::None : Flow::Reduce, *code, values[0].type,
                vectorOf(op.operandType(0).getShape()));
    set(op.getResult(0), result);
    return true;
  }
  lookAt(Flow::Reduce, values, axis, vectorOf(op.operandType(0).getShape()),
         choosingCombiner(*op.combinerBlock()));
  for (int64_t length = axis.length; length > 1; length /= 2) {
    const int64_t half = length / 2;
    const auto count = static_cast<uint32_t>(axis.outer * half * axis.inner);
    std::vector<Operand> low, high;
    m_code.returnTo(place);
    for (const Operand &value : values) {
      low.push_back(m_code.moved(value, count, places(axis, half, length, 0, half, 0)));
      high.push_back(m_code.moved(value, count, places(axis, half, length, half, half, 0)));
    }
    values = combine(*op.combinerBlock(), low, high, count);
    if (values.empty())
      return false;
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), values))
    set(result, value);
  return true;
}

bool Flattener::scan(tile::ScanOp op) {
  const uint32_t place = m_code.place();
  const bool reverse = op.getReverse();
  const AxisDetail axis = axisOf(op.operandType(0).getShape(), op.getAxis(), reverse);
  std::vector<Operand> values;
  for (mlir::Value operand : op.getOperands())
    values.push_back(full(operand));
  const auto code = values.size() == 1 ? plainCombiner(op.singleCombiner()) : std::nullopt;
  if (const Handler handler = code ? interp::scan(*code, values[0].type) : nullptr) {
    const Operand result = m_code.fresh(values[0].type, values[0].stored);
    m_code.emit(handler, result, {values[0]}, values[0].stored, m_code.detail(axis));
    m_code.flow(Flow::Scan, *code, values[0].type, vectorOf(op.operandType(0).getShape()));
    set(op.getResult(0), result);
    return true;
  }
  lookAt(Flow::Scan, values, axis, vectorOf(op.operandType(0).getShape()));
  const int64_t length = axis.length;
  for (int64_t distance = 1; distance < length; distance *= 2) {
    const int64_t rest = length - distance, first = reverse ? distance : 0, second = reverse ? 0 : distance;
    const auto count = static_cast<uint32_t>(axis.outer * rest * axis.inner);
    std::vector<Operand> accumulated, elements;
    m_code.returnTo(place);
    for (const Operand &value : values) {
      accumulated.push_back(m_code.moved(value, count, places(axis, rest, length, first, rest, 0)));
      elements.push_back(m_code.moved(value, count, places(axis, rest, length, second, rest, 0)));
    }
    const std::vector<Operand> combined = combine(*op.combinerBlock(), accumulated, elements, count);
    if (combined.empty())
      return false;
    m_code.returnTo(place);
    for (auto [value, part] : llvm::zip_equal(values, combined)) {
      const Operand next = m_code.fresh(value.type, value.stored);
      m_code.copyInto(next, value);
      m_code.moveInto(next, part, places(axis, rest, rest, 0, length, second));
      value = next;
    }
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), values))
    set(result, value);
  return true;
}

} // namespace tilescope::interp
