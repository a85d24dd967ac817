// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rule says why it holds where that is not plain. All facts are powers of two, so that the greater of two divides by
// the lesser, and the lesser is what both have in common.
#include "compiler/Analysis/AxisTransfer.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::analysis {
namespace {

/// Of zero: as much as fits and can be multiplied by the size of an element.
constexpr int64_t anything = int64_t(1) << 40;

using Of = llvm::function_ref<AxisInfo(Value)>;

int64_t sizeOf(Type type, unsigned axis) {
  ArrayRef<int64_t> shape = tile::shapeOf(type);
  return shape.empty() ? 1 : shape[axis];
}

AxisInfo constantInfo(Type type, int64_t number) {
  AxisInfo info = unknown(type);
  for (auto [axis, facts] : llvm::enumerate(info.axes))
    facts = {1, powerIn(number), sizeOf(type, unsigned(axis))};
  info.constant = number;
  info.isNonNegative = number >= 0;
  return info;
}

/// Calls `rule(result, a, b)` for each dimension.
template <typename Rule> AxisInfo byAxis(Type type, const AxisInfo &a, const AxisInfo &b, Rule rule) {
  AxisInfo info = unknown(type);
  for (auto [result, left, right] : llvm::zip(info.axes, a.axes, b.axes)) {
    result.constancy = std::min(left.constancy, right.constancy);
    rule(result, left, right);
  }
  return info;
}

//===- Arithmetic ---------------------------------------------------------------------------------===//

/// a + b·unit: consecutive where one is and the other does not change.
AxisInfo sum(Type type, const AxisInfo &a, const AxisInfo &b, int64_t unit, bool isDifference) {
  AxisInfo info = byAxis(type, a, b, [&](AxisFacts &result, const AxisFacts &left, const AxisFacts &right) {
    result.contiguity = std::min(left.contiguity, right.constancy);
    if (!isDifference)
      result.contiguity = std::max(result.contiguity, std::min(left.constancy, right.contiguity));
    result.divisibility = std::min(left.divisibilityOfBlocks(result.contiguity, unit),
                                   right.divisibilityOfBlocks(result.contiguity) * unit);
  });
  info.isNonNegative = a.isNonNegative && b.isNonNegative && !isDifference;
  return info;
}

AxisInfo product(Type type, const AxisInfo &a, const AxisInfo &b) {
  if (a.constant == 1 || b.constant == 1)
    return a.constant == 1 ? b : a;
  AxisInfo info = byAxis(type, a, b, [](AxisFacts &result, const AxisFacts &left, const AxisFacts &right) {
    const int64_t x = left.divisibilityOfBlocks(1), y = right.divisibilityOfBlocks(1);
    result.divisibility = x >= anything / y ? anything : x * y;
  });
  info.isNonNegative = a.isNonNegative && b.isNonNegative;
  return info;
}

/// a / b. Where a counts up from a multiple of b's power of two, that many quotients are equal; not so across 0 if it
/// rounds towards zero.
AxisInfo quotient(Type type, const AxisInfo &a, const AxisInfo &b, bool roundsDown) {
  if (b.constant == 1)
    return a;
  AxisInfo info = byAxis(type, a, b, [&](AxisFacts &result, const AxisFacts &left, const AxisFacts &right) {
    const int64_t divisor = right.divisibilityOfBlocks(1);
    if (roundsDown || a.isNonNegative)
      result.constancy = std::max(
          result.constancy, std::min({left.contiguity, left.divisibility, divisor, right.constancy}));
    if (b.constant && *b.constant == divisor)
      result.divisibility = std::max<int64_t>(1, left.divisibilityOfBlocks(1) / divisor);
  });
  info.isNonNegative = a.isNonNegative && b.isNonNegative;
  return info;
}

/// a % b, of numbers that are not negative: a block that begins at a multiple of what divides b does not wrap.
AxisInfo remainder(Type type, const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = byAxis(type, a, b, [&](AxisFacts &result, const AxisFacts &left, const AxisFacts &right) {
    const int64_t divisor = right.divisibilityOfBlocks(1);
    if (a.isNonNegative)
      result.contiguity = std::min({left.contiguity, left.divisibility, divisor, right.constancy});
    result.divisibility = std::min(left.divisibilityOfBlocks(result.contiguity), divisor);
  });
  info.isNonNegative = a.isNonNegative;
  return info;
}

/// Any other function of two integers.
AxisInfo equalWhereBothAre(Type type, const AxisInfo &a, const AxisInfo &b) {
  return byAxis(type, a, b, [](AxisFacts &, const AxisFacts &, const AxisFacts &) {});
}

/// Any function, element by element.
AxisInfo equalWhereOperandsAre(Operation *op, Of of) {
  AxisInfo info = unknown(op->getResult(0).getType());
  for (auto [axis, result] : llvm::enumerate(info.axes)) {
    result.constancy = sizeOf(op->getResult(0).getType(), unsigned(axis));
    for (Value operand : op->getOperands())
      result.constancy = std::min(result.constancy, of(operand).axes[axis].constancy);
  }
  return info;
}

AxisInfo extremum(Type type, const AxisInfo &a, const AxisInfo &b, bool isMax) {
  AxisInfo info = byAxis(type, a, b, [](AxisFacts &result, const AxisFacts &left, const AxisFacts &right) {
    result.divisibility = std::min(left.divisibilityOfBlocks(1), right.divisibilityOfBlocks(1));
  });
  info.isNonNegative = isMax ? a.isNonNegative || b.isNonNegative : a.isNonNegative && b.isNonNegative;
  return info;
}

/// a < b where a counts up and b stands still: a block that begins at a multiple of its length is below or not as a whole, if
/// b is such a multiple too. The same for a >= b, and with sides exchanged.
AxisInfo comparison(tile::CmpOp op, const AxisInfo &a, const AxisInfo &b) {
  using tile::Predicate;
  const Predicate predicate = op.getPredicate();
  const bool leftCounts = predicate == Predicate::Lt || predicate == Predicate::Ge;
  const bool rightCounts = predicate == Predicate::Gt || predicate == Predicate::Le;
  return byAxis(op.getType(), a, b, [&](AxisFacts &result, const AxisFacts &left, const AxisFacts &right) {
    auto whole = [](const AxisFacts &counts, const AxisFacts &still) {
      return std::min({counts.contiguity, counts.divisibility, still.constancy, still.divisibilityOfBlocks(1)});
    };
    if (leftCounts)
      result.constancy = std::max(result.constancy, whole(left, right));
    if (rightCounts)
      result.constancy = std::max(result.constancy, whole(right, left));
  });
}

AxisInfo selection(Type type, const AxisInfo &condition, const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = byAxis(type, a, b, [](AxisFacts &, const AxisFacts &, const AxisFacts &) {});
  for (auto [axis, result] : llvm::enumerate(info.axes)) {
    const AxisFacts &left = a.axes[axis], &right = b.axes[axis];
    const int64_t together = condition.axes[std::min<size_t>(axis, condition.axes.size() - 1)].constancy;
    result.constancy = std::min(result.constancy, together);
    result.contiguity = std::min({left.contiguity, right.contiguity, together});
    result.divisibility =
        std::min(left.divisibilityOfBlocks(result.contiguity), right.divisibilityOfBlocks(result.contiguity));
  }
  info.isNonNegative = a.isNonNegative && b.isNonNegative;
  return info;
}

AxisInfo binary(Operation *op, Of of) {
  const AxisInfo a = of(op->getOperand(0)), b = of(op->getOperand(1));
  const Type type = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case([&](tile::AddOp) { return sum(type, a, b, 1, false); })
      .Case([&](tile::SubOp) { return sum(type, a, b, 1, true); })
      .Case([&](tile::AddPtrOp) {
        const auto pointer = cast<tile::PointerType>(tile::elementTypeOf(type));
        return sum(type, a, b, tile::byteSizeOf(pointer.getPointee()), false);
      })
      .Case([&](tile::MulOp) { return product(type, a, b); })
      .Case([&](tile::DivOp) { return quotient(type, a, b, false); })
      .Case([&](tile::RemOp) { return remainder(type, a, b); })
      .Case([&](tile::AndOp) {
        const bool isRemainder = b.constant && *b.constant >= 0 && llvm::isPowerOf2_64(uint64_t(*b.constant) + 1);
        // Bits of a negative number count up as well.
        AxisInfo dividend = a;
        dividend.isNonNegative = true;
        return isRemainder && !tile::isBoolean(tile::elementTypeOf(type))
                   ? remainder(type, dividend, constantInfo(type, *b.constant + 1))
                   : equalWhereBothAre(type, a, b);
      })
      .Case([&](tile::ShlOp) {
        return b.constant && *b.constant >= 0 && *b.constant < 40
                   ? product(type, a, constantInfo(type, int64_t(1) << *b.constant))
                   : equalWhereBothAre(type, a, b);
      })
      .Case([&](tile::ShrOp) {
        return b.constant && *b.constant >= 0 && *b.constant < 40
                   ? quotient(type, a, constantInfo(type, int64_t(1) << *b.constant), true)
                   : equalWhereBothAre(type, a, b);
      })
      .Case([&](tile::MinOp) { return extremum(type, a, b, false); })
      .Case([&](tile::MaxOp) { return extremum(type, a, b, true); })
      .Case([&](tile::CmpOp compare) { return comparison(compare, a, b); })
      .Default([&](Operation *) { return equalWhereBothAre(type, a, b); });
}

//===- Casts and shapes ---------------------------------------------------------------------------===//

/// Where every number stays what it is.
bool keepsNumbers(Type from, Type to, bool isNonNegative) {
  const unsigned before = tile::bitWidthOf(from), after = tile::bitWidthOf(to);
  if (tile::isSigned(from) == tile::isSigned(to))
    return after >= before;
  return tile::isSigned(to) ? after > before : isNonNegative && after >= before;
}

/// The low bits only, or another sign: multiples of 2^bits come or go, and no block that begins at a multiple of its length
/// is torn.
AxisInfo wrapped(const AxisInfo &operand, Type to) {
  AxisInfo info = operand;
  info.constant.reset();
  info.isNonNegative = false;
  const int64_t half = tile::bitWidthOf(to) > 40 ? anything : int64_t(1) << (tile::bitWidthOf(to) - 1);
  for (auto [result, before] : llvm::zip(info.axes, operand.axes)) {
    result.contiguity = std::min({before.contiguity, before.divisibility, half});
    result.divisibility = std::min(before.divisibilityOfBlocks(result.contiguity), half);
  }
  return info;
}

/// The same numbers, or the same bytes.
AxisInfo conversion(Operation *op, const AxisInfo &operand) {
  const Type type = op->getResult(0).getType();
  const Type from = tile::elementTypeOf(op->getOperand(0).getType()), to = tile::elementTypeOf(type);
  auto cast = dyn_cast<tile::CastOp>(op);
  const bool isOfIntegers = tile::isWideInteger(from) && tile::isWideInteger(to);
  if (isOfIntegers && keepsNumbers(from, to, operand.isNonNegative))
    return operand;
  if (isOfIntegers && !(cast && cast.getSaturate()))
    return wrapped(operand, to);
  AxisInfo info = unknown(type);
  for (auto [result, before] : llvm::zip(info.axes, operand.axes)) {
    result.constancy = before.constancy;
    if (tile::isPointer(from) || tile::isPointer(to))
      result.divisibility = before.divisibilityOfBlocks(1);
  }
  return info;
}

/// What is known of every single element, whichever dimension tells it.
int64_t divisibilityOfAll(const AxisInfo &info) {
  int64_t divisibility = 1;
  for (const AxisFacts &facts : info.axes)
    divisibility = std::max(divisibility, facts.divisibilityOfBlocks(1));
  return divisibility;
}

AxisInfo expanded(tile::ExpandDimsOp op, const AxisInfo &operand) {
  AxisInfo info = operand;
  info.axes.insert(info.axes.begin() + op.getAxis(), AxisFacts{1, divisibilityOfAll(operand), 1});
  return info;
}

AxisInfo broadcast(tile::BroadcastOp op, const AxisInfo &operand) {
  AxisInfo info = operand;
  for (auto [axis, facts] : llvm::enumerate(info.axes))
    if (sizeOf(op.getOperand().getType(), unsigned(axis)) == 1)
      facts = {1, facts.divisibilityOfBlocks(1), sizeOf(op.getType(), unsigned(axis))};
  return info;
}

AxisInfo permuted(tile::PermuteOp op, const AxisInfo &operand) {
  AxisInfo info = operand;
  for (auto [axis, from] : llvm::enumerate(op.getOrder()))
    info.axes[axis] = operand.axes[from];
  return info;
}

/// Neighbours of a row stay neighbours, as far as both rows go.
AxisInfo reshaped(tile::ReshapeOp op, const AxisInfo &operand) {
  AxisInfo info = unknown(op.getType());
  AxisFacts &last = info.axes.back();
  const AxisFacts &before = operand.axes.back();
  const int64_t size = op.getType().getShape().back();
  last.contiguity = std::min(before.contiguity, size);
  last.constancy = std::min(before.constancy, size);
  last.divisibility = before.divisibilityOfBlocks(last.contiguity);
  info.constant = operand.constant;
  info.isNonNegative = operand.isNonNegative;
  return info;
}

AxisInfo joined(tile::JoinOp op, const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = join(a, b);
  const AxisFacts side{1, std::min(divisibilityOfAll(a), divisibilityOfAll(b)), 1};
  if (tile::shapeOf(op.getLhs().getType()).empty())
    info.axes.clear();
  info.axes.push_back(side);
  return info;
}

AxisInfo eitherHalf(const AxisInfo &operand) {
  AxisInfo info = operand;
  info.axes.pop_back();
  if (info.axes.empty())
    info.axes.push_back({1, divisibilityOfAll(operand), 1});
  return info;
}

} // namespace

static bool isUnsigned(Type element) { return tile::isWideInteger(element) && !tile::isSigned(element); }

AxisInfo unknown(Type type) {
  AxisInfo info;
  info.isNonNegative = isUnsigned(tile::elementTypeOf(type));
  info.axes.assign(std::max<size_t>(tile::shapeOf(type).size(), 1), AxisFacts());
  return info;
}

int64_t powerIn(int64_t number) {
  return number == 0 ? anything : std::min(anything, int64_t(uint64_t(number) & -uint64_t(number)));
}

AxisInfo join(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = a;
  for (auto [result, other] : llvm::zip(info.axes, b.axes)) {
    const int64_t contiguity = std::min(result.contiguity, other.contiguity);
    result.divisibility =
        std::min(result.divisibilityOfBlocks(contiguity), other.divisibilityOfBlocks(contiguity));
    result.contiguity = contiguity;
    result.constancy = std::min(result.constancy, other.constancy);
  }
  if (a.constant != b.constant)
    info.constant.reset();
  info.isNonNegative = a.isNonNegative && b.isNonNegative;
  return info;
}

/// Of an operation with one result.
static AxisInfo transferOne(Operation *op, Of of) {
  const Type type = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case([&](tile::ConstantOp constant) {
        auto number = dyn_cast<IntegerAttr>(constant.getValue());
        if (!number)
          return equalWhereOperandsAre(op, of); // a float, the same everywhere
        const Type element = tile::elementTypeOf(type);
        const bool isNegative = tile::isSigned(element);
        return constantInfo(type, isNegative ? number.getValue().getSExtValue()
                                             : int64_t(number.getValue().getZExtValue()));
      })
      .Case([&](tile::MakeRangeOp range) {
        AxisInfo info = unknown(type);
        info.axes[0] = {sizeOf(type, 0), powerIn(range.getStart()), 1};
        info.isNonNegative = int32_t(range.getStart()) >= 0;
        return info;
      })
      .Case<tile::ProgramIdOp, tile::NumProgramsOp>([&](auto) {
        AxisInfo info = unknown(type);
        info.isNonNegative = true;
        return info;
      })
      .Case([&](tile::SplatOp splat) {
        AxisInfo info = unknown(type);
        const AxisInfo scalar = of(splat.getOperand());
        for (auto [axis, facts] : llvm::enumerate(info.axes))
          facts = {1, scalar.axes[0].divisibility, sizeOf(type, unsigned(axis))};
        info.constant = scalar.constant;
        info.isNonNegative = scalar.isNonNegative;
        return info;
      })
      .Case([&](tile::ExpandDimsOp expand) { return expanded(expand, of(expand.getOperand())); })
      .Case([&](tile::BroadcastOp stretch) { return broadcast(stretch, of(stretch.getOperand())); })
      .Case([&](tile::PermuteOp permute) { return permuted(permute, of(permute.getOperand())); })
      .Case([&](tile::ReshapeOp reshape) { return reshaped(reshape, of(reshape.getOperand())); })
      .Case([&](tile::JoinOp join) { return joined(join, of(join.getLhs()), of(join.getRhs())); })
      .Case([&](tile::CatOp cat) { return join(of(cat.getLhs()), of(cat.getRhs())); })
      .Case([&](tile::ConvertLayoutOp convert) { return of(convert.getOperand()); })
      .Case<tile::CastOp, tile::BitcastOp, tile::IntToPtrOp, tile::PtrToIntOp>(
          [&](Operation *cast) { return conversion(cast, of(cast->getOperand(0))); })
      .Case([&](tile::SelectOp select) {
        return selection(type, of(select.getCondition()), of(select.getOnTrue()), of(select.getOnFalse()));
      })
      .Case([&](tile::NegOp neg) { return sum(type, constantInfo(type, 0), of(neg.getOperand()), 1, true); })
      .Default([&](Operation *other) {
        if (!other->hasTrait<tile::trait::Elementwise>())
          return unknown(type);
        return other->getNumOperands() == 2 ? binary(other, of) : equalWhereOperandsAre(other, of);
      });
}

SmallVector<AxisInfo, 1> transfer(Operation *op, Of of) {
  SmallVector<AxisInfo, 1> results;
  if (auto split = dyn_cast<tile::SplitOp>(op))
    results.assign(2, eitherHalf(of(split.getOperand())));
  else if (op->getNumResults() == 1)
    results.push_back(transferOne(op, of));
  else
    for (Value result : op->getResults())
      results.push_back(unknown(result.getType()));
  // A type without a sign says as much.
  for (auto [result, info] : llvm::zip(op->getResults(), results))
    info.isNonNegative |= isUnsigned(tile::elementTypeOf(result.getType()));
  return results;
}

} // namespace tilescope::analysis
