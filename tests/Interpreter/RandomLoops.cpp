// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches over random bodies, products, and loops that walk along K as a matrix product does.
#include "tests/Interpreter/RandomValues.h"

using namespace mlir;

namespace tilescope::interp::test {

using namespace tile;

//===- Control flow --------------------------------------------------------------------------------===//

/// Operations at the insertion point, then `first` and values of `results`, in scope or from `start`,
/// yielded.
void RandomBuilder::body(unsigned depth, llvm::ArrayRef<Value> start, llvm::ArrayRef<Type> results,
                         Value first) {
  const size_t outside = m_scope.size();
  m_scope.insert(m_scope.end(), start.begin(), start.end());
  for (unsigned count = 1 + pick(4); count-- > 0;)
    operation(depth);
  llvm::SmallVector<Value> yielded;
  if (first)
    yielded.push_back(first);
  for (Type type : results)
    yielded.push_back(tile(shapeOf(type), elementTypeOf(type)));
  YieldOp::create(m_builder, m_location, yielded);
  m_scope.resize(outside);
}

RandomBuilder::Bounds RandomBuilder::bounds() {
  const int64_t trips = oneOf({0, 1, 2, 5}), step = oneOf({1, 1, 2, 3}), lower = oneOf({0, 0, 1, 4});
  if (chance(25)) // the second number of the kernel's arguments
    return {integer(0), m_function.getArgument(2 * RandomElementTypes + 1), integer(step)};
  const int64_t slack = trips > 0 ? pick(uint32_t(step)) : 0;
  return {integer(lower), integer(lower + trips * step - slack), integer(step)};
}

void RandomBuilder::forLoop(unsigned depth) {
  llvm::SmallVector<Value> initial;
  for (unsigned count = pick(3); count-- > 0;)
    initial.push_back(anyTile());
  llvm::SmallVector<Type> types(ValueRange(initial).getTypes());
  const Bounds range = bounds();
  auto loop = ForOp::create(m_builder, m_location, range.lower, range.upper, range.step, initial);
  {
    OpBuilder::InsertionGuard guard(m_builder);
    m_builder.setInsertionPointToEnd(loop.getBody());
    llvm::SmallVector<Value> start(loop.carriedArguments());
    start.push_back(splat(loop.inductionVariable(), Shape{32}));
    body(depth, start, types);
  }
  for (Value result : loop.getResults())
    add(result);
}

void RandomBuilder::whileLoop(unsigned depth) {
  Value carried = anyTile();
  const Type type = carried.getType();
  auto loop =
      WhileOp::create(m_builder, m_location, TypeRange{m_si32, type}, ValueRange{integer(0), carried});
  {
    OpBuilder::InsertionGuard guard(m_builder);
    m_builder.setInsertionPointToEnd(loop.beforeBlock());
    Value goesOn = CmpOp::create(m_builder, m_location, Predicate::Lt, loop.beforeBlock()->getArgument(0),
                                 integer(oneOf({0, 1, 3})));
    ConditionOp::create(m_builder, m_location, goesOn, loop.beforeBlock()->getArguments());
    m_builder.setInsertionPointToEnd(loop.afterBlock());
    Value next = AddOp::create(m_builder, m_location, loop.afterBlock()->getArgument(0), integer(1));
    body(depth, {loop.afterBlock()->getArgument(1)}, {type}, next);
  }
  add(loop.getResult(1));
}

void RandomBuilder::branch(unsigned depth) {
  llvm::SmallVector<Type> types;
  for (unsigned count = pick(3); count-- > 0;)
    types.push_back(anyTile().getType());
  const bool withElse = !types.empty() || chance(50);
  auto op = IfOp::create(m_builder, m_location, types, condition(), withElse);
  {
    OpBuilder::InsertionGuard guard(m_builder);
    for (Block *block : {op.thenBlock(), op.elseBlock()})
      if (block) {
        m_builder.setInsertionPointToEnd(block);
        body(depth, {}, types);
      }
  }
  for (Value result : op.getResults())
    add(result);
}

//===- Products ------------------------------------------------------------------------------------===//

RandomBuilder::Factors RandomBuilder::factors() {
  Factors result;
  result.element = m_elements[oneOf({0, 1, 1, 1, 2, 4})];
  result.sum = result.element == m_elements[4]                 ? m_si32
               : result.element == m_elements[1] && chance(20) ? m_elements[1]
                                                               : m_elements[0];
  result.batch = chance(15) ? 2 : 1;
  result.m = oneOf({8, 16, 32, 64});
  result.n = oneOf({8, 16, 32, 64});
  result.k = oneOf({16, 16, 32, 64});
  return result;
}

Value RandomBuilder::dot(const Factors &factors, Value a, Value b, Value sum) {
  const InputPrecision precision =
      oneOf({InputPrecision::Tf32, InputPrecision::Ieee, InputPrecision::Tf32x3});
  (void)factors;
  return DotOp::create(m_builder, m_location, sum.getType(), a, b, sum, precision, 0);
}

void RandomBuilder::product() {
  const Factors f = factors();
  const auto side = [&](Shape shape) -> Value {
    if (chance(70))
      return tile(shape, f.element);
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, int32_t(shape.size())));
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return PermuteOp::create(m_builder, m_location, tile(shape, f.element),
                             m_builder.getDenseI32ArrayAttr(order));
  };
  Value a = side(f.shape(f.m, f.k)), b = side(f.shape(f.k, f.n));
  add(dot(f, a, b, tile(f.shape(f.m, f.n), f.sum)));
}

/// How an operand is fetched: as it is, or transposed, or in another type.
RandomBuilder::Fetched RandomBuilder::fetchPlan(llvm::ArrayRef<int64_t> shape, Type element) {
  Fetched plan;
  plan.shape = Shape(shape);
  plan.transposed = chance(30);
  if (plan.transposed)
    std::swap(plan.shape[shape.size() - 1], plan.shape[shape.size() - 2]);
  plan.element = element;
  if (isFloat(element) && chance(20)) {
    plan.isCast = true;
    plan.element = m_elements[oneOf({0, 1})];
  }
  plan.offsets = numbers(plan.shape);
  return plan;
}

/// Masked along K by the trip where a mask is there at all.
Value RandomBuilder::fetch(const Fetched &plan, Value base, Value trip, unsigned kDim) {
  const unsigned last = unsigned(plan.shape.size()) - 1;
  const unsigned k = plan.transposed ? (kDim == last ? last - 1 : last) : kDim;
  Value at = isa<TileType>(base.getType()) ? base : pointers(base, plan.offsets);
  const Type type = TileType::get(plan.shape, plan.element);
  Value on, other;
  if (chance(60)) {
    Value left = SubOp::create(m_builder, m_location, integer(plan.shape[k] * 2 + 3), trip);
    on =
        CmpOp::create(m_builder, m_location, Predicate::Lt, along(plan.shape, k, 1), splat(left, plan.shape));
    other = constant(type, 0);
  }
  Value loaded = LoadOp::create(m_builder, m_location, at, on, other);
  if (!plan.transposed)
    return loaded;
  auto order = llvm::to_vector(llvm::seq<int32_t>(0, int32_t(plan.shape.size())));
  std::swap(order[last], order[last - 1]);
  return PermuteOp::create(m_builder, m_location, loaded, m_builder.getDenseI32ArrayAttr(order));
}

/// acc += a · b, where pointers are carried or computed from the trip; at times the sum is scaled, or goes
/// into a second product, as attention does.
void RandomBuilder::productLoop() {
  const Factors f = factors();
  const Fetched planA = fetchPlan(f.shape(f.m, f.k), f.element),
                planB = fetchPlan(f.shape(f.k, f.n), f.element);
  const bool carriesPointers = chance(60), scales = isFloat(f.sum) && chance(30);
  const Bounds range = bounds();
  Value sum = constant(TileType::get(f.shape(f.m, f.n), f.sum), 0);
  llvm::SmallVector<Value> initial{sum};
  if (carriesPointers)
    initial.append(
        {pointers(input(planA.element), planA.offsets), pointers(input(planB.element), planB.offsets)});
  auto loop = ForOp::create(m_builder, m_location, range.lower, range.upper, range.step, initial);
  if (chance(50))
    loop.setNumStages(oneOf({1, 2, 3, 4}));
  {
    OpBuilder::InsertionGuard guard(m_builder);
    m_builder.setInsertionPointToEnd(loop.getBody());
    const auto carried = loop.carriedArguments();
    Value trip = loop.inductionVariable(), a, b;
    const unsigned rank = f.batch > 1 ? 3 : 2;
    const auto at = [&](Type element, unsigned number) -> Value {
      if (carriesPointers)
        return carried[number];
      Value begin = MulOp::create(m_builder, m_location, trip, integer(16));
      return AddPtrOp::create(m_builder, m_location, input(element), begin);
    };
    a = cast(fetch(planA, at(planA.element, 1), trip, rank - 1), f.element);
    b = cast(fetch(planB, at(planB.element, 2), trip, rank - 2), f.element);
    Value next = carried[0];
    if (scales)
      next = MulOp::create(m_builder, m_location, next, constant(next.getType(), 2));
    next = dot(f, a, b, next);
    llvm::SmallVector<Value> yielded{next};
    for (unsigned i = 1; i < initial.size(); ++i) {
      const Shape shape(shapeOf(initial[i].getType()));
      yielded.push_back(
          AddPtrOp::create(m_builder, m_location, carried[i], splat(integer(oneOf({16, 32, 64})), shape)));
    }
    if (chance(20))
      store(next);
    if (chance(10)) { // what a trip to come reads
      Value begin = at(planA.element, 1);
      if (!isa<TileType>(begin.getType()))
        begin = pointers(begin, planA.offsets);
      Value later =
          AddPtrOp::create(m_builder, m_location, begin, splat(integer(oneOf({0, 16, 40})), planA.shape));
      StoreOp::create(m_builder, m_location, later, constant(TileType::get(planA.shape, planA.element), 3),
                      Value());
    }
    YieldOp::create(m_builder, m_location, yielded);
  }
  add(loop.getResult(0));
  if (isFloat(f.sum) && f.batch == 1 && chance(25)) {
    Value left = cast(loop.getResult(0), f.element);
    Value right = tile(Shape{f.n, f.m}, f.element);
    if (f.n >= 16)
      add(dot(f, left, right, constant(TileType::get({f.m, f.m}, m_elements[0]), 0)));
  }
}

} // namespace tilescope::interp::test
