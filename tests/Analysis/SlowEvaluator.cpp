// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Analysis/SlowEvaluator.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::analysis::test {
namespace {

using Wide = __int128;
using Element = std::optional<int64_t>;

int64_t numberOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> coordinates) {
  int64_t number = 0;
  for (auto [size, coordinate] : llvm::zip(shape, coordinates))
    number = number * size + coordinate;
  return number;
}

/// The low bits, read as the type has it.
int64_t wrapped(Type element, int64_t number) {
  const unsigned bits = tile::bitWidthOf(element);
  if (tile::isPointer(element) || bits == 64)
    return number;
  const int64_t low = int64_t(uint64_t(number) & ((uint64_t(1) << bits) - 1));
  return tile::isSigned(element) && (low >> (bits - 1)) != 0 ? low - (int64_t(1) << bits) : low;
}

/// Nothing if it does not fit the type.
Element fitting(Type element, Wide number) {
  if (number != Wide(int64_t(number)) || wrapped(element, int64_t(number)) != int64_t(number))
    return std::nullopt;
  return int64_t(number);
}

bool holds(tile::Predicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case tile::Predicate::Eq:
    return a == b;
  case tile::Predicate::Ne:
    return a != b;
  case tile::Predicate::Lt:
    return a < b;
  case tile::Predicate::Le:
    return a <= b;
  case tile::Predicate::Gt:
    return a > b;
  case tile::Predicate::Ge:
    return a >= b;
  }
  return false;
}

/// Of one element; `type` is the result's.
Element computeElement(Operation *op, Type type, ArrayRef<int64_t> in) {
  auto shift = [&](bool isLeft) -> Element {
    if (in[1] < 0 || in[1] >= int64_t(tile::bitWidthOf(type)))
      return isLeft || in[0] >= 0 ? 0 : -1;
    return isLeft ? fitting(type, Wide(in[0]) << in[1]) : Element(in[0] >> in[1]);
  };
  return llvm::TypeSwitch<Operation *, Element>(op)
      .Case([&](tile::AddOp) { return fitting(type, Wide(in[0]) + in[1]); })
      .Case([&](tile::SubOp) { return fitting(type, Wide(in[0]) - in[1]); })
      .Case([&](tile::MulOp) { return fitting(type, Wide(in[0]) * in[1]); })
      .Case([&](tile::DivOp) { return in[1] == 0 ? std::nullopt : fitting(type, Wide(in[0]) / in[1]); })
      .Case([&](tile::RemOp) { return in[1] == 0 ? std::nullopt : Element(int64_t(Wide(in[0]) % in[1])); })
      .Case([&](tile::AndOp) { return Element(in[0] & in[1]); })
      .Case([&](tile::OrOp) { return Element(in[0] | in[1]); })
      .Case([&](tile::XorOp) { return Element(in[0] ^ in[1]); })
      .Case([&](tile::ShlOp) { return shift(true); })
      .Case([&](tile::ShrOp) { return shift(false); })
      .Case([&](tile::MinOp) { return Element(std::min(in[0], in[1])); })
      .Case([&](tile::MaxOp) { return Element(std::max(in[0], in[1])); })
      .Case([&](tile::NegOp) { return fitting(type, -Wide(in[0])); })
      .Case([&](tile::NotOp) { return Element(wrapped(type, ~in[0])); })
      .Case([&](tile::AbsOp) { return fitting(type, in[0] < 0 ? -Wide(in[0]) : Wide(in[0])); })
      .Case([&](tile::CmpOp cmp) { return Element(holds(cmp.getPredicate(), in[0], in[1])); })
      .Case([&](tile::SelectOp) { return Element(in[0] != 0 ? in[1] : in[2]); })
      .Case([&](tile::CastOp) { return Element(tile::isBoolean(type) ? in[0] != 0 : wrapped(type, in[0])); })
      .Case<tile::BitcastOp, tile::IntToPtrOp, tile::PtrToIntOp>(
          [&](Operation *) { return Element(wrapped(type, in[0])); })
      .Case([&](tile::AddPtrOp add) {
        const auto pointer = cast<tile::PointerType>(tile::elementTypeOf(add.getType()));
        return fitting(type, in[0] + Wide(in[1]) * tile::byteSizeOf(pointer.getPointee()));
      })
      .Default(Element());
}

/// Of an operation that moves elements: the operand and the place in it that each place of the result has its
/// from.
struct Origin {
  unsigned operand = 0;
  SmallVector<int64_t> coordinates;
};

std::optional<Origin> originOf(Operation *op, ArrayRef<int64_t> at, ArrayRef<int64_t> shape) {
  using Found = std::optional<Origin>;
  SmallVector<int64_t> place(at);
  const ArrayRef<int64_t> from = tile::shapeOf(op->getOperand(0).getType());
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([&](tile::SplatOp) {
        return Found({0, {}});
      })
      .Case([&](tile::ConvertLayoutOp) {
        return Found({0, place});
      })
      .Case([&](tile::ExpandDimsOp expand) {
        place.erase(place.begin() + expand.getAxis());
        return Found({0, place});
      })
      .Case([&](tile::BroadcastOp) {
        for (auto [coordinate, size] : llvm::zip(place, from))
          coordinate = size == 1 ? 0 : coordinate;
        return Found({0, place});
      })
      .Case([&](tile::PermuteOp permute) {
        for (auto [dim, source] : llvm::enumerate(permute.getOrder()))
          place[source] = at[dim];
        return Found({0, place});
      })
      .Case([&](tile::ReshapeOp) {
        int64_t number = numberOf(shape, at);
        place.assign(from.size(), 0);
        for (size_t dim = from.size(); dim-- > 0; number /= from[dim])
          place[dim] = number % from[dim];
        return Found({0, place});
      })
      .Case([&](tile::JoinOp) {
        const unsigned side = unsigned(place.pop_back_val());
        return Found({side, place});
      })
      .Case([&](tile::CatOp cat) {
        int64_t &along = place[cat.getAxis()];
        const unsigned side = along < from[cat.getAxis()] ? 0 : 1;
        along %= from[cat.getAxis()];
        return Found({side, place});
      })
      .Default(std::nullopt);
}

} // namespace

void forEachElement(ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t>, int64_t)> visit) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  SmallVector<int64_t> coordinates(shape.size(), 0);
  for (int64_t number = 0; number < count; ++number) {
    visit(coordinates, number);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++coordinates[dim] < shape[dim])
        break;
      coordinates[dim] = 0;
    }
  }
}

void SlowEvaluator::run(tile::FuncOp kernel, ArrayRef<int64_t> arguments) {
  for (auto [argument, number] : llvm::zip_equal(kernel.getArguments(), arguments))
    set(argument, Numbers{{}, {number}});
  run(kernel.getBody().front());
}

void SlowEvaluator::run(Block &block) {
  for (Operation &op : block)
    run(&op);
}

void SlowEvaluator::set(Value value, Known numbers) {
  if (numbers)
    m_visit(value, *numbers);
  m_numbers[value] = std::move(numbers);
}

void SlowEvaluator::setAll(ValueRange values, ArrayRef<Known> numbers) {
  for (auto [value, known] : llvm::zip(values, numbers))
    set(value, known);
}

std::vector<Known> SlowEvaluator::all(ValueRange values) const {
  std::vector<Known> result;
  for (Value value : values)
    result.push_back(of(value));
  return result;
}

void SlowEvaluator::run(Operation *op) {
  m_step(op);
  if (auto loop = dyn_cast<tile::ForOp>(op))
    return runFor(loop);
  if (auto loop = dyn_cast<tile::WhileOp>(op))
    return runWhile(loop);
  if (auto branch = dyn_cast<tile::IfOp>(op))
    return runIf(branch);
  if (auto split = dyn_cast<tile::SplitOp>(op)) {
    const Known &both = of(split.getOperand());
    for (unsigned side = 0; side < 2; ++side) {
      Known half = both;
      if (half) {
        half->shape.pop_back();
        half->elements.clear();
        for (size_t number = side; number < both->elements.size(); number += 2)
          half->elements.push_back(both->elements[number]);
      }
      set(split->getResult(side), std::move(half));
    }
  } else if (op->getNumResults() == 1) {
    set(op->getResult(0), compute(op));
  }
}

void SlowEvaluator::runFor(tile::ForOp loop) {
  std::vector<Known> carried = all(loop.getInitial());
  const Known lower = of(loop.getLower()), upper = of(loop.getUpper()), step = of(loop.getStep());
  if (!lower || !upper || !step || step->elements[0] == 0)
    return setAll(loop.getResults(), std::vector<Known>(carried.size()));
  const int64_t by = step->elements[0];
  for (int64_t i = lower->elements[0]; by > 0 ? i < upper->elements[0] : i > upper->elements[0]; i += by) {
    set(loop.inductionVariable(), Numbers{{}, {i}});
    setAll(loop.getBody()->getArguments().drop_front(), carried);
    run(*loop.getBody());
    carried = all(loop.terminator().getOperands());
  }
  setAll(loop.getResults(), carried);
}

void SlowEvaluator::runWhile(tile::WhileOp loop) {
  std::vector<Known> carried = all(loop.getInitial());
  while (true) {
    setAll(loop.beforeBlock()->getArguments(), carried);
    run(*loop.beforeBlock());
    const Known condition = of(loop.condition().getCondition());
    carried = all(loop.condition().getValues());
    if (!condition)
      return setAll(loop.getResults(), std::vector<Known>(carried.size()));
    if (!condition->elements[0])
      return setAll(loop.getResults(), carried);
    setAll(loop.afterBlock()->getArguments(), carried);
    run(*loop.afterBlock());
    carried = all(loop.terminator().getOperands());
  }
}

void SlowEvaluator::runIf(tile::IfOp branch) {
  const Known condition = of(branch.getCondition());
  if (!condition)
    return setAll(branch.getResults(), std::vector<Known>(branch->getNumResults()));
  Block *block = condition->elements[0] ? branch.thenBlock() : branch.elseBlock();
  if (!block)
    return;
  run(*block);
  setAll(branch.getResults(), all(block->getTerminator()->getOperands()));
}

Known SlowEvaluator::elementwise(Operation *op) {
  const Type type = op->getResult(0).getType();
  Numbers result{SmallVector<int64_t>(tile::shapeOf(type)), {}};
  for (int64_t number = 0; number < tile::elementCountOf(type); ++number) {
    SmallVector<int64_t, 3> in;
    for (Value operand : op->getOperands()) {
      if (!of(operand))
        return std::nullopt;
      in.push_back(of(operand)->elements[size_t(number)]);
    }
    const Element element = computeElement(op, tile::elementTypeOf(type), in);
    if (!element)
      return std::nullopt;
    result.elements.push_back(*element);
  }
  return result;
}

Known SlowEvaluator::compute(Operation *op) {
  const Type type = op->getResult(0).getType();
  Numbers result{SmallVector<int64_t>(tile::shapeOf(type)), {}};
  if (auto constant = dyn_cast<tile::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    if (!value)
      return std::nullopt;
    const bool isSigned = tile::isSigned(tile::elementTypeOf(type));
    result.elements.assign(size_t(tile::elementCountOf(type)),
                           isSigned ? value.getValue().getSExtValue()
                                    : int64_t(value.getValue().getZExtValue()));
    return result;
  }
  if (auto range = dyn_cast<tile::MakeRangeOp>(op)) {
    for (int64_t i = int32_t(range.getStart()); i < int32_t(range.getEnd()); ++i)
      result.elements.push_back(i);
    return result;
  }
  if (isa<tile::ProgramIdOp>(op))
    return Numbers{{}, {m_program}};
  if (op->hasTrait<tile::trait::Elementwise>())
    return elementwise(op);
  bool isKnown = op->getNumOperands() > 0 &&
                 llvm::all_of(op->getOperands(), [&](Value in) { return of(in).has_value(); });
  forEachElement(result.shape, [&](ArrayRef<int64_t> at, int64_t) {
    const auto origin = isKnown ? originOf(op, at, result.shape) : std::nullopt;
    isKnown = origin.has_value();
    if (!isKnown)
      return;
    const Numbers &from = *of(op->getOperand(origin->operand));
    result.elements.push_back(from.elements[size_t(numberOf(from.shape, origin->coordinates))]);
  });
  return isKnown && !result.elements.empty() ? Known(std::move(result)) : std::nullopt;
}

} // namespace tilescope::analysis::test
