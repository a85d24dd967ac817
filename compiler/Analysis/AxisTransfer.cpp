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

using Of = llvm::function_ref<const AxisInfo &(Value)>;

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
  const AxisInfo &a = of(op->getOperand(0)), &b = of(op->getOperand(1));
  const Type type = op->getResult(0).getType();
  if (a.rank() != b.rank())
    return unknown(type);
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

/// The same numbers, or the same bytes.
AxisInfo conversion(Operation *op, const AxisInfo &operand) {
  const Type type = op->getResult(0).getType();
  const Type from = tile::elementTypeOf(op->getOperand(0).getType()), to = tile::elementTypeOf(type);
  auto isWhole = [](Type element) { return tile::isWideInteger(element); };
  const bool keepsNumbers = isWhole(from) && isWhole(to);
  if (keepsNumbers) {
    AxisInfo info = operand;
    // Fewer bits, or another sign, may make another number of it.
    info.isNonNegative &= tile::bitWidthOf(to) >= tile::bitWidthOf(from) && tile::isSigned(to) == tile::isSigned(from);
    if (!info.isNonNegative)
      info.constant.reset();
    return info;
  }
  AxisInfo info = unknown(type);
  for (auto [result, before] : llvm::zip(info.axes, operand.axes)) {
    result.constancy = before.constancy;
    if (tile::isPointer(from) || tile::isPointer(to))
      result.divisibility = before.divisibilityOfBlocks(1);
  }
  return info;
}

AxisInfo expanded(tile::ExpandDimsOp op, const AxisInfo &operand) {
  AxisInfo info = operand;
  int64_t ofEach = anything;
  for (const AxisFacts &facts : operand.axes)
    ofEach = std::min(ofEach, facts.divisibilityOfBlocks(1));
  info.axes.insert(info.axes.begin() + op.getAxis(), AxisFacts{1, ofEach, 1});
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
  last.divisibility = 1;
  if (operand.rank() == 1)
    last.divisibility = before.divisibilityOfBlocks(last.contiguity);
  return info;
}

} // namespace

AxisInfo unknown(Type type) {
  AxisInfo info;
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

AxisInfo transfer(Operation *op, Of of) {
  const Type type = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case([&](tile::ConstantOp constant) {
        auto number = dyn_cast<IntegerAttr>(constant.getValue());
        if (!number)
          return equalWhereBothAre(type, constantInfo(type, 0), constantInfo(type, 0));
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
        const AxisInfo &scalar = of(splat.getOperand());
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
      .Case([&](tile::ConvertLayoutOp convert) { return of(convert.getOperand()); })
      .Case<tile::CastOp, tile::BitcastOp, tile::IntToPtrOp, tile::PtrToIntOp>(
          [&](Operation *cast) { return conversion(cast, of(cast->getOperand(0))); })
      .Case([&](tile::SelectOp select) {
        return selection(type, of(select.getCondition()), of(select.getOnTrue()), of(select.getOnFalse()));
      })
      .Default([&](Operation *other) {
        const bool isElementwise = other->hasTrait<tile::trait::Elementwise>() && other->getNumOperands() == 2;
        return isElementwise ? binary(other, of) : unknown(type);
      });
}

} // namespace tilescope::analysis
