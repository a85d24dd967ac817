// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Analysis/RandomKernel.h"

using namespace mlir;

namespace tilescope::analysis::test {
namespace {

constexpr unsigned operationsInKernel = 60, operationsInBody = 8;

bool isInteger(Value value) { return tile::isWideInteger(tile::elementTypeOf(value.getType())); }
bool isTile(Value value) { return isa<tile::TileType>(value.getType()); }
bool isScalarTruth(Value value) { return value.getType().isInteger(1); }

} // namespace

RandomKernel::RandomKernel(MLIRContext &context, unsigned seed)
    : m_random(seed * 2654435761u + 1), m_builder(&context),
      m_module(ModuleOp::create(m_builder.getUnknownLoc())) {
  const Type pointer = tile::PointerType::get(m_builder.getF32Type()),
             integer = m_builder.getIntegerType(32, true);
  m_builder.setInsertionPointToStart(m_module->getBody());
  m_function = tile::FuncOp::create(m_builder, m_builder.getUnknownLoc(), "kernel",
                                    m_builder.getFunctionType({pointer, integer, integer, pointer}, {}));
  for (unsigned index : {0u, 1u})
    m_function.setArgAttr(index, "tile.divisibility", m_builder.getI32IntegerAttr(16));
  m_builder.setInsertionPointToEnd(&m_function.getBody().front());
  m_pool.assign(m_function.getArguments().begin(), m_function.getArguments().end());
  add<tile::ProgramIdOp>(tile::Axis::X);
  addOperations(operationsInKernel);
  tile::ReturnOp::create(m_builder, m_builder.getUnknownLoc());
}

SmallVector<int64_t> RandomKernel::arguments() {
  return {16 * int64_t(below(9)), 16 * (int64_t(below(9)) - 4), int64_t(below(40)) - 8, int64_t(below(1000))};
}

void RandomKernel::addOperations(unsigned count) {
  for (unsigned index = 0; index < count; ++index)
    addOne();
}

void RandomKernel::addOne() {
  switch (below(16)) {
  case 0:
    return addRange();
  case 1:
    return addConstant();
  case 2:
  case 3:
    return addUnary();
  case 4:
    return addChoice();
  case 5:
  case 6:
  case 7:
    return addShape();
  case 8:
    return addCast();
  case 9:
    return addPointer();
  case 10:
    return addControl();
  default:
    return addBinary();
  }
}

Type RandomKernel::integerType() {
  struct Kind {
    unsigned bits;
    bool isSigned;
  };
  constexpr Kind kinds[] = {{32, true}, {32, true}, {32, true}, {64, true},
                            {8, true},  {8, false}, {32, false}};
  const Kind kind = kinds[below(std::size(kinds))];
  return m_builder.getIntegerType(kind.bits, kind.isSigned);
}

Value RandomKernel::pick(llvm::function_ref<bool(Value)> accept) {
  const size_t start = below(unsigned(m_pool.size()));
  for (size_t step = 0; step < m_pool.size(); ++step)
    if (Value value = m_pool[(start + step) % m_pool.size()]; accept(value))
      return value;
  return {};
}
Value RandomKernel::pickInteger() { return pick(isInteger); }
Value RandomKernel::pickOf(Type type) {
  return pick([&](Value value) { return value.getType() == type; });
}

Value RandomKernel::constant(Type type, int64_t number) {
  const auto element = cast<IntegerType>(tile::elementTypeOf(type));
  const APInt bits(element.getWidth(), uint64_t(number), false, /*implicitTrunc=*/true);
  return add<tile::ConstantOp>(type, cast<TypedAttr>(Attribute(IntegerAttr::get(element, bits))));
}

void RandomKernel::addRange() {
  constexpr int64_t starts[] = {0, 0, 0, 4, 8, 16, 3, -8, -5, 120, 250};
  const int64_t start = starts[below(std::size(starts))];
  add<tile::MakeRangeOp>(int32_t(start), int32_t(start + (below(2) ? 16 : 8)));
}

/// A number like another value's, to compute with.
void RandomKernel::addConstant() {
  constexpr int64_t numbers[] = {0, 1, 1, 2, 4, 4, 8, 16, 32, 64, 3, 7, 15, 31, 12, 24, -1, -4, -8, 5};
  Value like = pickInteger();
  constant(like.getType(), numbers[below(std::size(numbers))]);
}

void RandomKernel::addBinary() {
  Value a = pickInteger(), b = pickOf(a.getType());
  if (!b || below(4) == 0)
    b = constant(a.getType(), int64_t(1) << below(6));
  switch (below(14)) {
  case 0:
    return void(add<tile::SubOp>(a, b));
  case 1:
    return void(add<tile::MulOp>(a, b));
  case 2:
    return void(add<tile::DivOp>(a, b, false));
  case 3:
    return void(add<tile::RemOp>(a, b));
  case 4:
    return void(add<tile::AndOp>(a, below(2) ? constant(a.getType(), (int64_t(1) << below(6)) - 1) : b));
  case 5:
    return void(add<tile::OrOp>(a, b));
  case 6:
    return void(add<tile::XorOp>(a, b));
  case 7:
    return void(add<tile::ShlOp>(a, constant(a.getType(), below(5))));
  case 8:
    return void(add<tile::ShrOp>(a, below(3) ? constant(a.getType(), below(5)) : b));
  case 9:
    return void(add<tile::MinOp>(a, b, false));
  case 10:
    return void(add<tile::MaxOp>(a, b, false));
  case 11:
  case 12:
    return void(add<tile::CmpOp>(tile::Predicate(below(6)), a, b));
  default:
    return void(add<tile::AddOp>(a, b));
  }
}

void RandomKernel::addUnary() {
  Value operand = pickInteger();
  switch (below(4)) {
  case 0:
    return void(add<tile::NegOp>(operand));
  case 1:
    return void(add<tile::AbsOp>(operand));
  case 2:
    return void(add<tile::NotOp>(operand));
  default:
    if (Value truth = pick([](Value value) { return tile::isBoolean(tile::elementTypeOf(value.getType())); }))
      add<tile::NotOp>(truth);
  }
}

void RandomKernel::addChoice() {
  Value condition = pick([](Value value) { return tile::isBoolean(tile::elementTypeOf(value.getType())); });
  if (!condition)
    return;
  auto isLike = [&](Value value) {
    return tile::booleanLike(value.getType()) == condition.getType() && value != condition;
  };
  Value a = pick(isLike), b = a ? pickOf(a.getType()) : Value();
  if (b)
    add<tile::SelectOp>(condition, a, b);
}

void RandomKernel::addShape() {
  if (below(3) == 0) {
    constexpr int64_t shapes[][2] = {{16, 0}, {16, 0}, {8, 0}, {8, 16}, {1, 16}, {8, 1}};
    Value scalar = pick([](Value value) { return !isTile(value); });
    const auto &shape = shapes[below(std::size(shapes))];
    add<tile::SplatOp>(tile::TileType::get(ArrayRef(shape).take_front(shape[1] ? 2 : 1), scalar.getType()),
                       scalar);
    return;
  }
  Value operand = pick(isTile);
  if (!operand)
    return;
  const auto type = cast<tile::TileType>(operand.getType());
  const Type element = type.getElementType();
  auto typed = [&](ArrayRef<int64_t> shape) { return tile::TileType::get(shape, element); };
  const unsigned kind = below(6);
  if (kind == 0 && type.getRank() == 1) {
    add<tile::ExpandDimsOp>(operand, below(2));
  } else if (kind == 1 && type.getRank() == 2) {
    add<tile::PermuteOp>(operand, ArrayRef<int32_t>{1, 0});
  } else if (kind == 2) {
    const int64_t count = type.elementCount(), rows = int64_t(1) << below(4);
    if (count % rows == 0 && below(2))
      add<tile::ReshapeOp>(typed({rows, count / rows}), operand, false);
    else
      add<tile::ReshapeOp>(typed(count), operand, false);
  } else if (Value other = kind == 3 ? pickOf(type) : Value(); other && type.getRank() < 3) {
    if (below(2)) {
      add<tile::CatOp>(operand, other, below(unsigned(type.getRank())));
    } else {
      Value joined = add<tile::JoinOp>(operand, other);
      auto split = tile::SplitOp::create(m_builder, m_builder.getUnknownLoc(), joined);
      m_pool.push_back(split->getResult(below(2)));
    }
  } else if (type.getRank() == 2 && llvm::is_contained(type.getShape(), 1)) {
    add<tile::BroadcastOp>(typed({type.getShape()[0] == 1 ? 8 : type.getShape()[0],
                                  type.getShape()[1] == 1 ? 16 : type.getShape()[1]}),
                           operand);
  }
}

void RandomKernel::addCast() {
  Value operand = pick(
      [](Value value) { return isInteger(value) || tile::isBoolean(tile::elementTypeOf(value.getType())); });
  add<tile::CastOp>(tile::withElementType(operand.getType(), integerType()), operand,
                    tile::Rounding::NearestEven, false);
}

void RandomKernel::addPointer() {
  Value pointer = pick([](Value value) { return tile::isPointer(tile::elementTypeOf(value.getType())); });
  if (!pointer)
    return;
  if (below(8) == 0) {
    add<tile::PtrToIntOp>(tile::withElementType(pointer.getType(), m_builder.getIntegerType(64, true)),
                          pointer);
  } else if (below(8) == 0) {
    add<tile::BitcastOp>(
        tile::withElementType(pointer.getType(), tile::PointerType::get(m_builder.getF16Type())), pointer);
  } else if (Value offset = pick([&](Value value) {
               return isInteger(value) && tile::shapeOf(value.getType()) == tile::shapeOf(pointer.getType());
             })) {
    add<tile::AddPtrOp>(pointer, offset);
  }
}

void RandomKernel::addControl() {
  Value value =
      pick([](Value any) { return isInteger(any) || tile::isPointer(tile::elementTypeOf(any.getType())); });
  if (m_depth == 2)
    return;
  if (Value condition = below(2) ? pick(isScalarTruth) : Value())
    addIf(condition, value);
  else
    addFor(value);
}

void RandomKernel::addIf(Value condition, Value value) {
  auto branch =
      tile::IfOp::create(m_builder, m_builder.getUnknownLoc(), TypeRange(value.getType()), condition, true);
  const std::vector<Value> outside = m_pool;
  ++m_depth;
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    OpBuilder::InsertionGuard guard(m_builder);
    m_builder.setInsertionPointToEnd(block);
    addOperations(operationsInBody);
    tile::YieldOp::create(m_builder, m_builder.getUnknownLoc(),
                          pickOf(value.getType()) ? pickOf(value.getType()) : value);
    m_pool = outside;
  }
  --m_depth;
  m_pool.push_back(branch.getResults()[0]);
}

/// A trip that changes the carried value, from a bound to another.
void RandomKernel::addFor(Value value) {
  const Type type = m_builder.getIntegerType(32, true);
  Value lower = constant(type, 4 * int64_t(below(3))), upper = constant(type, 4 * int64_t(below(6)) + 1);
  Value step = constant(type, int64_t(1) << (1 + below(3)));
  auto loop =
      tile::ForOp::create(m_builder, m_builder.getUnknownLoc(), lower, upper, step, ValueRange(value));
  const std::vector<Value> outside = m_pool;
  {
    OpBuilder::InsertionGuard guard(m_builder);
    m_builder.setInsertionPointToEnd(loop.getBody());
    ++m_depth;
    for (unsigned copies = 0; copies < 10; ++copies) // so that the body works with them
      m_pool.insert(m_pool.end(), loop.getBody()->args_begin(), loop.getBody()->args_end());
    addOperations(operationsInBody);
    Value next = pickOf(value.getType());
    tile::YieldOp::create(m_builder, m_builder.getUnknownLoc(), next ? next : value);
    --m_depth;
  }
  m_pool = outside;
  m_pool.push_back(loop.getResults()[0]);
}

} // namespace tilescope::analysis::test
