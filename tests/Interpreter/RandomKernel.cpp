// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Interpreter/RandomValues.h"

using namespace mlir;

namespace tilescope::interp::test {

using namespace tile;

RandomBuilder::RandomBuilder(MLIRContext &context, uint32_t seed, const RandomTarget &target)
    : m_builder(&context), m_location(m_builder.getUnknownLoc()), m_random(seed),
      m_module(ModuleOp::create(m_location)) {
  m_si32 = m_builder.getIntegerType(32, /*isSigned=*/true);
  m_i1 = m_builder.getI1Type();
  m_elements = {m_builder.getF32Type(), m_builder.getF16Type(), m_builder.getBF16Type(), m_si32,
                m_builder.getIntegerType(8, /*isSigned=*/true)};
  llvm::SmallVector<Type> arguments;
  for (Type element : m_elements)
    arguments.append(2, tile::PointerType::get(element));
  arguments.append(2, m_si32);
  m_builder.setInsertionPointToStart(m_module->getBody());
  m_function = FuncOp::create(m_builder, m_location, "kernel", m_builder.getFunctionType(arguments, {}));
  m_function.setTarget(target.target);
  m_function.setNumWarps(target.warps);
  m_function.setNumStages(target.stages);
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (isPointer(arguments[i]) && chance(80))
      m_function.setArgAttr(i, argumentDivisibilityAttr, m_builder.getI32IntegerAttr(16));
  m_builder.setInsertionPointToEnd(&m_function.getBody().front());
}

OwningOpRef<ModuleOp> RandomBuilder::run() {
  m_program = ProgramIdOp::create(m_builder, m_location, m_si32, Axis::X);
  m_outputBegin =
      MulOp::create(m_builder, m_location, m_program, integer(RandomOutputElements / RandomPrograms));
  for (unsigned count = 4 + pick(10); count-- > 0;)
    operation(/*depth=*/0);
  for (unsigned i = 0; i < 3 && !m_scope.empty(); ++i)
    store(m_scope[m_scope.size() - 1 - i % m_scope.size()]);
  ReturnOp::create(m_builder, m_location);
  return std::move(m_module);
}

OwningOpRef<ModuleOp> randomKernel(MLIRContext &context, uint32_t seed, const RandomTarget &target) {
  return RandomBuilder(context, seed, target).run();
}

//===- Values --------------------------------------------------------------------------------------===//

Shape RandomBuilder::shape() {
  static const Shape shapes[] = {{16},     {32},     {128},  {512},   {16, 16},   {32, 16},
                                 {16, 64}, {64, 32}, {4, 8}, {1, 64}, {2, 16, 16}};
  return shapes[pick(std::size(shapes))];
}

unsigned RandomBuilder::number(Type element) {
  return static_cast<unsigned>(llvm::find(m_elements, element) - m_elements.begin());
}

Value RandomBuilder::constant(Type type, int64_t value) {
  const Type element = elementTypeOf(type);
  TypedAttr attribute;
  if (auto real = dyn_cast<FloatType>(element))
    attribute = FloatAttr::get(real, double(value) / 4);
  else if (element.isInteger(1))
    attribute = m_builder.getBoolAttr(value & 1);
  else
    attribute = IntegerAttr::get(element, value);
  return ConstantOp::create(m_builder, m_location, type, attribute);
}

Value RandomBuilder::splat(Value scalar, llvm::ArrayRef<int64_t> shape) {
  return SplatOp::create(m_builder, m_location, TileType::get(shape, scalar.getType()), scalar);
}

Value RandomBuilder::cast(Value value, Type element) {
  const Type type = withElementType(value.getType(), element);
  return type == value.getType() ? value : CastOp::create(m_builder, m_location, type, value);
}

Value RandomBuilder::along(llvm::ArrayRef<int64_t> shape, unsigned dim, int64_t stride) {
  Value line = MakeRangeOp::create(m_builder, m_location, 0, int32_t(shape[dim]));
  if (stride != 1)
    line = MulOp::create(m_builder, m_location, line, splat(integer(stride), {shape[dim]}));
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (axis != dim)
      line = ExpandDimsOp::create(m_builder, m_location, line, axis);
  const Type type = TileType::get(shape, m_si32);
  return line.getType() == type ? line : BroadcastOp::create(m_builder, m_location, type, line);
}

Value RandomBuilder::numbers(llvm::ArrayRef<int64_t> shape) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, unsigned(shape.size())));
  if (chance(30))
    std::swap(order.front(), order.back());
  Value sum;
  for (int64_t stride = 1; unsigned dim : llvm::reverse(order)) {
    Value part = along(shape, dim, stride);
    sum = sum ? AddOp::create(m_builder, m_location, sum, part) : part;
    stride *= shape[dim];
  }
  return sum;
}

Value RandomBuilder::pointers(Value base, Value offsets) {
  return AddPtrOp::create(m_builder, m_location, splat(base, shapeOf(offsets.getType())), offsets);
}

Value RandomBuilder::index(llvm::ArrayRef<int64_t> shape) {
  if (chance(75)) {
    Value begin = MulOp::create(m_builder, m_location, m_program, integer(oneOf({16, 32, 100, 1024})));
    return AddOp::create(m_builder, m_location, numbers(shape), splat(begin, shape));
  }
  return AndOp::create(m_builder, m_location, tile(shape, m_si32),
                       constant(TileType::get(shape, m_si32), 8191));
}

Value RandomBuilder::mask(llvm::ArrayRef<int64_t> shape) {
  if (chance(30))
    return tile(shape, m_i1);
  Value limit = splat(m_function.getArgument(2 * RandomElementTypes), shape);
  return CmpOp::create(m_builder, m_location, oneOf({Predicate::Lt, Predicate::Ge, Predicate::Ne}),
                       along(shape, pick(uint32_t(shape.size())), oneOf({1, 2})), limit);
}

Value RandomBuilder::load(llvm::ArrayRef<int64_t> shape, Type element) {
  Value at = pointers(input(element), index(shape));
  const Type type = TileType::get(shape, element);
  if (chance(50))
    return LoadOp::create(m_builder, m_location, at, Value(), Value());
  Value on = mask(shape), other = constant(type, oneOf({0, 0, 0, 5}));
  if (chance(50))
    return LoadOp::create(m_builder, m_location, at, on, other);
  Value loaded = LoadOp::create(m_builder, m_location, at, on, Value());
  return SelectOp::create(m_builder, m_location, on, loaded, other);
}

/// A block of a matrix of 120 columns, which may reach past its end.
Value RandomBuilder::blockLoad(llvm::ArrayRef<int64_t> shape, Type element) {
  const Type si64 = m_builder.getIntegerType(64, true);
  llvm::SmallVector<Value> offsets, sizes, strides;
  llvm::SmallVector<int32_t> checked;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    offsets.push_back(
        cast(MulOp::create(m_builder, m_location, m_program, integer(oneOf({0, 3, 16}))), si64));
    sizes.push_back(constant(si64, dim + 1 == shape.size() ? 110 : 20));
    strides.push_back(constant(si64, dim + 1 == shape.size() ? 1 : 120 * (dim + 1)));
    checked.push_back(int32_t(dim));
  }
  return BlockLoadOp::create(m_builder, m_location, TileType::get(shape, element), input(element), offsets,
                             sizes, strides, m_builder.getDenseI32ArrayAttr(checked), Padding::Zero);
}

Value RandomBuilder::tile(llvm::ArrayRef<int64_t> shape, Type element) {
  const Type type = TileType::get(shape, element);
  llvm::SmallVector<Value> known;
  for (Value value : m_scope)
    if (value.getType() == type)
      known.push_back(value);
  if (!known.empty() && chance(75))
    return known[pick(uint32_t(known.size()))];
  if (element == m_i1)
    return chance(20) ? constant(type, pick(2)) : mask(shape);
  Value made;
  if (const uint32_t kind = pick(10); kind < 5)
    made = load(shape, element);
  else if (kind < 6)
    made = blockLoad(shape, element);
  else if (kind < 8)
    made = cast(numbers(shape), element);
  else
    made = constant(type, int64_t(pick(20)) - 10);
  add(made);
  return made;
}

Value RandomBuilder::anyTile() {
  llvm::SmallVector<Value> known;
  for (Value value : m_scope)
    if (isa<TileType>(value.getType()) && number(elementTypeOf(value.getType())) < RandomElementTypes)
      known.push_back(value);
  return !known.empty() && chance(80) ? known[pick(uint32_t(known.size()))] : tile(shape(), numberType());
}

Value RandomBuilder::condition() {
  Value n = m_function.getArgument(2 * RandomElementTypes + pick(2));
  return CmpOp::create(m_builder, m_location, oneOf({Predicate::Lt, Predicate::Eq, Predicate::Gt}),
                       chance(50) ? m_program : n, integer(oneOf({0, 1, 40})));
}

//===- Operations ----------------------------------------------------------------------------------===//

void RandomBuilder::operation(unsigned depth) {
  const uint32_t kind = pick(depth < 2 ? 100 : 75);
  if (kind < 19)
    elementwise();
  else if (kind < 22)
    scalarLoad();
  else if (kind < 34)
    moveElements();
  else if (kind < 44)
    combine();
  else if (kind < 50)
    joinOrSplit();
  else if (kind < 54)
    gather();
  else if (kind < 62)
    product();
  else if (kind < 68)
    store(anyTile());
  else if (kind < 71)
    atomic();
  else if (kind < 75)
    blockStore();
  else if (kind < 82)
    forLoop(depth + 1);
  else if (kind < 92)
    productLoop();
  else if (kind < 96)
    branch(depth + 1);
  else
    whileLoop(depth + 1);
}

/// Of floats only what gives no NaN of its own making where the operands are in order.
Value RandomBuilder::combined(Type element, Value a, Value b, unsigned kind) {
  switch (kind % (isFloat(element) ? 5 : 8)) {
  case 0:
    return AddOp::create(m_builder, m_location, a, b);
  case 1:
    return MulOp::create(m_builder, m_location, a, b);
  case 2:
    return MinOp::create(m_builder, m_location, a, b, false);
  case 3:
    return MaxOp::create(m_builder, m_location, a, b, false);
  case 4:
    return SubOp::create(m_builder, m_location, a, b);
  case 5:
    return AndOp::create(m_builder, m_location, a, b);
  case 6:
    return OrOp::create(m_builder, m_location, a, b);
  default:
    return XorOp::create(m_builder, m_location, a, b);
  }
}

void RandomBuilder::elementwise() {
  Value a = anyTile();
  const Type element = elementTypeOf(a.getType());
  const llvm::ArrayRef<int64_t> shape = shapeOf(a.getType());
  switch (pick(6)) {
  case 0: {
    Value b = tile(shape, element);
    Value on = CmpOp::create(m_builder, m_location, oneOf({Predicate::Lt, Predicate::Ne}), a, b);
    add(on);
    return add(SelectOp::create(m_builder, m_location, chance(70) ? on : tile(shape, m_i1), a, b));
  }
  case 1:
    return add(cast(a, numberType()));
  case 2:
    return add(chance(50) ? Value(NegOp::create(m_builder, m_location, a))
                          : Value(AbsOp::create(m_builder, m_location, a)));
  case 3: {
    Value product = MulOp::create(m_builder, m_location, a, tile(shape, element));
    return add(AddOp::create(m_builder, m_location, product, tile(shape, element)));
  }
  default:
    return add(combined(element, a, tile(shape, element), pick(8)));
  }
}

void RandomBuilder::moveElements() {
  Value a = anyTile();
  const llvm::ArrayRef<int64_t> shape = shapeOf(a.getType());
  const Type element = elementTypeOf(a.getType());
  const int64_t count = elementCountOf(a.getType());
  if (shape.size() > 1 && chance(50)) {
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, int32_t(shape.size())));
    for (unsigned i = 1; i < order.size(); ++i)
      std::swap(order[i], order[pick(i + 1)]);
    return add(PermuteOp::create(m_builder, m_location, a, m_builder.getDenseI32ArrayAttr(order)));
  }
  if (shape.size() < 3 && count <= 128 && chance(50)) {
    const unsigned axis = pick(uint32_t(shape.size()) + 1);
    Value expanded = ExpandDimsOp::create(m_builder, m_location, a, axis);
    Shape wide(shapeOf(expanded.getType()));
    wide[axis] = oneOf({4, 16});
    return add(BroadcastOp::create(m_builder, m_location, TileType::get(wide, element), expanded));
  }
  const int64_t rows = std::min<int64_t>(count, oneOf({2, 8, 16}));
  const Shape to = chance(30) ? Shape{count} : Shape{rows, count / rows};
  add(ReshapeOp::create(m_builder, m_location, TileType::get(to, element), a, chance(20)));
}

/// A reduction, whose result goes on as a scalar or is stretched again, or a scan.
void RandomBuilder::combine() {
  Value a = anyTile();
  const llvm::ArrayRef<int64_t> shape = shapeOf(a.getType());
  const Type element = elementTypeOf(a.getType());
  const unsigned axis = pick(uint32_t(shape.size())), kind = oneOf({0u, 2u, 3u});
  const auto fill = [&](Block *block) {
    OpBuilder::InsertionGuard guard(m_builder);
    m_builder.setInsertionPointToEnd(block);
    Value result = combined(element, block->getArgument(0), block->getArgument(1), kind);
    YieldOp::create(m_builder, m_location, ValueRange{result});
  };
  if (chance(30)) {
    auto scan = ScanOp::create(m_builder, m_location, ValueRange{a}, axis, chance(30));
    fill(scan.combinerBlock());
    return add(scan.getResult(0));
  }
  auto reduce = ReduceOp::create(m_builder, m_location, ValueRange{a}, axis);
  fill(reduce.combinerBlock());
  Value result = reduce.getResult(0);
  if (!isa<TileType>(result.getType()))
    return add(splat(result, Shape{32}));
  add(result);
  if (chance(60)) {
    Value expanded = ExpandDimsOp::create(m_builder, m_location, result, axis);
    add(BroadcastOp::create(m_builder, m_location, a.getType(), expanded));
  }
}

void RandomBuilder::joinOrSplit() {
  Value a = anyTile();
  const Shape shape(shapeOf(a.getType()));
  if (elementCountOf(a.getType()) < 2)
    return;
  if (shape.back() == 2 || chance(30)) {
    Value even = a;
    if (shape.back() != 2)
      even = ReshapeOp::create(
          m_builder, m_location,
          TileType::get({elementCountOf(a.getType()) / 2, 2}, elementTypeOf(a.getType())), a, false);
    auto split = SplitOp::create(m_builder, m_location, even);
    add(split.getLhs());
    return add(split.getRhs());
  }
  Value b = tile(shape, elementTypeOf(a.getType()));
  if (elementCountOf(a.getType()) > 2048)
    return;
  if (chance(50) || shape.size() > 2)
    return add(CatOp::create(m_builder, m_location, a, b, pick(uint32_t(shape.size()))));
  Value joined = JoinOp::create(m_builder, m_location, a, b);
  add(joined);
  if (chance(50))
    add(SplitOp::create(m_builder, m_location, joined).getLhs());
}

void RandomBuilder::gather() {
  Value a = anyTile();
  const Shape shape(shapeOf(a.getType()));
  const unsigned axis = pick(uint32_t(shape.size()));
  Value any = tile(shape, m_si32);
  Value indices = AndOp::create(m_builder, m_location, any, constant(any.getType(), shape[axis] - 1));
  add(GatherOp::create(m_builder, m_location, a.getType(), a, indices, axis));
}

//===- Memory --------------------------------------------------------------------------------------===//

void RandomBuilder::scalarLoad() {
  const Type element = numberType();
  Value at = AddPtrOp::create(m_builder, m_location, input(element), m_program);
  add(splat(LoadOp::create(m_builder, m_location, at, Value(), Value()), shape()));
}

/// To a place of its own. NaN becomes 0: its bits are nobody's promise.
void RandomBuilder::store(Value value) {
  if (!isa<TileType>(value.getType()))
    value = splat(value, Shape{16});
  if (number(elementTypeOf(value.getType())) == RandomElementTypes)
    value = cast(value, m_si32);
  const Type type = value.getType(), element = elementTypeOf(type);
  if (m_stored + elementCountOf(type) > RandomOutputElements / RandomPrograms)
    return;
  if (isFloat(element)) {
    Value real = CmpOp::create(m_builder, m_location, Predicate::Eq, value, value);
    value = SelectOp::create(m_builder, m_location, real, value, constant(type, 0));
  }
  const Shape shape(shapeOf(type));
  Value begin = AddOp::create(m_builder, m_location, m_outputBegin, integer(m_stored));
  Value offsets = AddOp::create(m_builder, m_location, numbers(shape), splat(begin, shape));
  Value on = chance(30) ? mask(shape) : Value();
  StoreOp::create(m_builder, m_location, pointers(m_function.getArgument(2 * number(element) + 1), offsets),
                  value, on);
  m_stored += elementCountOf(type);
}

/// Integers, which sum to the same in any order; what stood there before is used by one program only.
void RandomBuilder::atomic() {
  const Shape shape = this->shape();
  const int64_t count = elementCountOf(TileType::get(shape, m_si32));
  if (m_stored + count > RandomOutputElements / RandomPrograms)
    return;
  Value begin = AddOp::create(m_builder, m_location, m_outputBegin, integer(m_stored));
  Value offsets = AddOp::create(m_builder, m_location, numbers(shape), splat(begin, shape));
  Value before = AtomicRmwOp::create(
      m_builder, m_location, TileType::get(shape, m_si32),
      oneOf({tile::AtomicKind::Add, tile::AtomicKind::Max, tile::AtomicKind::Xor}), MemoryOrder::Relaxed,
      MemoryScope::Gpu, pointers(m_function.getArgument(7), offsets), tile(shape, m_si32), Value());
  m_stored += count;
  if (chance(50))
    add(before);
}

void RandomBuilder::blockStore() {
  Value value = anyTile();
  const Shape shape(shapeOf(value.getType()));
  const int64_t count = elementCountOf(value.getType());
  if (isFloat(elementTypeOf(value.getType())) || m_stored + count > RandomOutputElements / RandomPrograms)
    return store(value);
  const Type si64 = m_builder.getIntegerType(64, true);
  Value begin = AddOp::create(m_builder, m_location, m_outputBegin, integer(m_stored));
  Value base = AddPtrOp::create(
      m_builder, m_location, m_function.getArgument(2 * number(elementTypeOf(value.getType())) + 1), begin);
  llvm::SmallVector<Value> offsets(shape.size(), constant(si64, 0)), sizes, strides;
  llvm::SmallVector<int32_t> checked;
  for (int64_t stride = count; auto [dim, extent] : llvm::enumerate(shape)) {
    stride /= extent;
    sizes.push_back(constant(si64, std::max<int64_t>(1, extent - int64_t(pick(2)))));
    strides.push_back(constant(si64, stride));
    checked.push_back(int32_t(dim));
  }
  BlockStoreOp::create(m_builder, m_location, base, offsets, value, sizes, strides,
                       m_builder.getDenseI32ArrayAttr(checked));
  m_stored += count;
}

} // namespace tilescope::interp::test
