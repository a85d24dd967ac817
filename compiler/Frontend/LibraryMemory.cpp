// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, and the product of tiles.
#include "compiler/Frontend/LibraryAccess.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

//===- Pointers and masks -------------------------------------------------------------------------===//

mlir::Value pointerOf(LibraryCall &call) {
  const Operand &operand = call[0];
  mlir::Value value = operand.term.value();
  if (value && tile::isPointer(tile::elementTypeOf(value.getType())))
    return value;
  call.emitter.error(operand.range, operand.term.block() ? "block-not-pointer" : "not-a-pointer",
                     {std::string(lastPart(call.function.name)), describe(operand.term)});
  return {};
}

static void reportMaskShape(LibraryCall &call, const Operand &mask, mlir::Value pointer, mlir::Value value,
                            size_t dimension) {
  Diagnostic &error =
      call.emitter.error(mask.range, "mask-pointer-shape",
                         {shapeName(tile::shapeOf(value.getType())),
                          shapeName(tile::shapeOf(pointer.getType())), std::to_string(dimension)});
  error.notes.insert(error.notes.begin(),
                     {"has-type", {typeName(pointer.getType())}, call.emitter.span(call[0].range)});
}

bool fitMask(LibraryCall &call, const Operand &operand, mlir::Value &pointer, mlir::Value &mask,
             bool mayGrow) {
  if (operand.term.isNone())
    return true;
  mask = toTensor(call.emitter, operand);
  if (!mask)
    return false;
  if (!tile::isBoolean(tile::elementTypeOf(mask.getType()))) {
    call.emitter.error(operand.range, "mask-type", {typeName(mask.getType())});
    return false;
  }
  llvm::ArrayRef<int64_t> wanted = tile::shapeOf(pointer.getType()), given = tile::shapeOf(mask.getType());
  if (auto dimension = disagreement(wanted, given)) {
    reportMaskShape(call, operand, pointer, mask, *dimension);
    return false;
  }
  llvm::SmallVector<int64_t> common = commonShape(wanted, given);
  bool grows = llvm::ArrayRef<int64_t>(common) != wanted;
  if (grows && (!mayGrow || wanted.empty())) {
    reportMaskShape(call, operand, pointer, mask, 0);
    return false;
  }
  if (grows)
    call.emitter.warning(operand.range, "mask-broadcasts",
                         {shapeName(wanted), shapeName(given), shapeName(common)});
  return broadcast(call.emitter, pointer, mask, call[0].range, operand.range);
}

mlir::Value fitValue(LibraryCall &call, const Operand &operand, mlir::Value pointer) {
  mlir::Type pointee = tile::elementTypeOf(tile::pointeeLike(pointer.getType()));
  llvm::ArrayRef<int64_t> shape = tile::shapeOf(pointer.getType());
  mlir::Value value = toTensor(call.emitter, operand);
  if (!value)
    return {};
  llvm::ArrayRef<int64_t> given = tile::shapeOf(value.getType());
  if (given.size() > shape.size() || disagreement(given, shape) ||
      llvm::ArrayRef<int64_t>(commonShape(given, shape)) != shape) {
    Diagnostic &error =
        call.emitter.error(operand.range, "value-shape",
                           {std::string(lastPart(call.function.name)), shapeName(given), shapeName(shape)});
    error.notes.insert(error.notes.begin(),
                       {"has-type", {typeName(pointer.getType())}, call.emitter.span(call[0].range)});
    return {};
  }
  value = broadcastTo(call.emitter, value, shape, operand.range);
  return castTo(call.emitter, value, pointee, operand.range);
}

mlir::Value bytePointer(Emitter &emitter, mlir::Value pointer) {
  if (!tile::isBoolean(tile::elementTypeOf(tile::pointeeLike(pointer.getType()))))
    return pointer;
  mlir::Type byte = mlirType(emitter.context(), ElementType::Int8);
  return castTo(emitter, pointer, tile::PointerType::get(byte), emitter.range());
}

//===- Hints --------------------------------------------------------------------------------------===//

std::optional<tile::Cache> loadCache(LibraryCall &call, const Operand &operand) {
  static constexpr Option<tile::Cache> caches[] = {
      {"", tile::Cache::None}, {".ca", tile::Cache::Ca}, {".cg", tile::Cache::Cg}, {".cv", tile::Cache::Cv}};
  return operand.term.isNone() ? tile::Cache::None : choose(call.emitter, operand, caches);
}

std::optional<tile::Cache> storeCache(LibraryCall &call, const Operand &operand) {
  static constexpr Option<tile::Cache> caches[] = {{"", tile::Cache::None},
                                                   {".wb", tile::Cache::Wb},
                                                   {".cg", tile::Cache::Cg},
                                                   {".cs", tile::Cache::Cs},
                                                   {".wt", tile::Cache::Wt}};
  return operand.term.isNone() ? tile::Cache::None : choose(call.emitter, operand, caches);
}

std::optional<tile::Eviction> evictionOf(LibraryCall &call, const Operand &operand) {
  static constexpr Option<tile::Eviction> evictions[] = {{"", tile::Eviction::Normal},
                                                         {"evict_normal", tile::Eviction::Normal},
                                                         {"evict_first", tile::Eviction::First},
                                                         {"evict_last", tile::Eviction::Last}};
  return operand.term.isNone() ? tile::Eviction::Normal : choose(call.emitter, operand, evictions);
}

namespace {

//===- Load and store -----------------------------------------------------------------------------===//

/// What only block pointers take.
bool refuseBlockOptions(LibraryCall &call, std::initializer_list<size_t> arguments) {
  for (size_t i : arguments) {
    const Term &term = call[i].term;
    const std::string *text = term.constant() ? term.constant()->asString() : nullptr;
    if (term.isNone() || (term.tuple() && term.tuple()->items.empty()) || (text && text->empty()))
      continue;
    call.emitter.error(call[i].range, "boundary-check-without-block",
                       {std::string(lastPart(call.function.name))});
    return false;
  }
  return true;
}

Term load(LibraryCall &call) {
  if (const BlockTerm *block = call[0].term.block(); block && block->kind == BlockTerm::Kind::Pointer)
    return loadBlockPointer(call, *block);
  mlir::Value pointer = pointerOf(call), mask, other;
  auto cache = loadCache(call, call[5]);
  auto eviction = evictionOf(call, call[6]);
  auto isVolatile = constantBool(call.emitter, call[7]);
  if (!pointer || !cache || !eviction || !isVolatile || !refuseBlockOptions(call, {3, 4}))
    return {};
  bool hasOther = !call[2].term.isNone();
  if (hasOther && call[1].term.isNone()) {
    call.emitter.error(call[2].range, "other-without-mask");
    return {};
  }
  if (!fitMask(call, call[1], pointer, mask, /*mayGrow=*/true))
    return {};
  if (hasOther && !(other = fitValue(call, call[2], pointer)))
    return {};
  auto op = call.emitter.create<tile::LoadOp>(pointer, mask, other);
  op.setCache(*cache);
  op.setEviction(*eviction);
  op.setIsVolatile(*isVolatile);
  return mlir::Value(op.getResult());
}

Term store(LibraryCall &call) {
  if (const BlockTerm *block = call[0].term.block(); block && block->kind == BlockTerm::Kind::Pointer)
    return storeBlockPointer(call, *block);
  mlir::Value pointer = pointerOf(call), mask;
  auto cache = storeCache(call, call[4]);
  auto eviction = evictionOf(call, call[5]);
  if (!pointer || !cache || !eviction || !refuseBlockOptions(call, {3}))
    return {};
  mlir::Value value = fitValue(call, call[1], pointer);
  if (!value || !fitMask(call, call[2], pointer, mask, /*mayGrow=*/false))
    return {};
  auto op = call.emitter.create<tile::StoreOp>(pointer, value, mask);
  op.setCache(*cache);
  op.setEviction(*eviction);
  return Value();
}

//===- Products -----------------------------------------------------------------------------------===//

void reportDotShapes(LibraryCall &call, mlir::Value a, mlir::Value b, std::string id) {
  Diagnostic &error =
      call.emitter.error(call.range, std::move(id), {typeName(a.getType()), typeName(b.getType())});
  error.notes.insert(error.notes.begin(),
                     {{"has-type", {typeName(a.getType())}, call.emitter.span(call[0].range)},
                      {"has-type", {typeName(b.getType())}, call.emitter.span(call[1].range)}});
}

/// The product's shape, or nothing after an error.
std::optional<llvm::SmallVector<int64_t>> dotShape(LibraryCall &call, mlir::Value a, mlir::Value b) {
  auto left = tile::shapeOf(a.getType()), right = tile::shapeOf(b.getType());
  size_t rank = left.size();
  if (rank != right.size() || rank < 2 || rank > 3 || (rank == 3 && left[0] != right[0]) ||
      left[rank - 1] != right[rank - 2]) {
    reportDotShapes(call, a, b, "dot-shapes");
    return std::nullopt;
  }
  // 32 bytes of K, as Triton's min_dot_size asks for NVIDIA's GPUs.
  int64_t least = 256 / tile::bitWidthOf(tile::elementTypeOf(a.getType()));
  if (left[rank - 1] < least) {
    call.emitter.error(call.range, "dot-too-small",
                       {std::to_string(left[rank - 1]), std::to_string(least), typeName(a.getType()),
                        typeName(b.getType())});
    return std::nullopt;
  }
  llvm::SmallVector<int64_t> shape(left);
  shape[rank - 1] = right[rank - 1];
  return shape;
}

/// The accumulator's element type for operands of `element`; null after an error.
mlir::Type accumulatorType(LibraryCall &call, mlir::Type element, mlir::Type wanted) {
  auto *context = call.emitter.context();
  if (tile::isInteger(element)) {
    if (tile::bitWidthOf(element) == 8)
      return int32(context);
    call.emitter.error(call[0].range, "dtype-not-supported",
                       {"dot", "int8, uint8, fp8, fp16, bf16, fp32, fp64", typeName(element)});
    return {};
  }
  if (element == mlirType(context, ElementType::Float64))
    return element;
  bool allowed =
      wanted == mlirType(context, ElementType::Float32) || wanted == mlirType(context, ElementType::Float16);
  if (!allowed)
    call.emitter.error(call[6].range, "dot-out-dtype", {typeName(wanted)});
  return allowed ? wanted : mlir::Type();
}

std::optional<tile::InputPrecision> dotPrecision(LibraryCall &call) {
  static constexpr Option<tile::InputPrecision> precisions[] = {{"tf32", tile::InputPrecision::Tf32},
                                                                {"tf32x3", tile::InputPrecision::Tf32x3},
                                                                {"ieee", tile::InputPrecision::Ieee},
                                                                {"bf16x3", tile::InputPrecision::Bf16x3},
                                                                {"bf16x6", tile::InputPrecision::Bf16x6}};
  if (!call[3].term.isNone())
    return choose(call.emitter, call[3], precisions);
  if (call[4].term.isNone())
    return tile::InputPrecision::Tf32;
  auto allow = constantBool(call.emitter, call[4]);
  return allow ? std::optional(*allow ? tile::InputPrecision::Tf32 : tile::InputPrecision::Ieee)
               : std::nullopt;
}

Term dot(LibraryCall &call) {
  mlir::Value a = toTile(call.emitter, call[0]), b = toTile(call.emitter, call[1]);
  auto precision = dotPrecision(call);
  mlir::Type wanted = constantType(call.emitter, call[6]);
  if (!a || !b || !precision || !wanted)
    return {};
  mlir::Type element = tile::elementTypeOf(a.getType()), other = tile::elementTypeOf(b.getType());
  if (element != other && !(isFloat8(element) && isFloat8(other))) {
    reportDotShapes(call, a, b, "dot-types");
    return {};
  }
  auto shape = dotShape(call, a, b);
  mlir::Value accumulator = call[2].term.value();
  if (accumulator && tile::isFloat(tile::elementTypeOf(accumulator.getType())))
    wanted = tile::elementTypeOf(accumulator.getType());
  mlir::Type sum = shape ? accumulatorType(call, element, wanted) : mlir::Type();
  if (!sum)
    return {};
  mlir::Type result = tile::tileOrScalar(*shape, sum);
  if (!accumulator && !call[2].term.isNone()) {
    call.emitter.error(call[2].range, "tile-expected", {describe(call[2].term)});
    return {};
  }
  if (!accumulator)
    accumulator = constantOf(call.emitter, result, Value(0));
  if (accumulator.getType() != result) {
    call.emitter.error(call[2].range, "dot-accumulator", {typeName(accumulator.getType()), typeName(result)});
    return {};
  }
  return mlir::Value(
      call.emitter.create<tile::DotOp>(result, a, b, accumulator, *precision, /*max_num_imprecise_acc=*/0));
}

constexpr LibraryFunction rows[] = {
    {"triton.language.load",
     "pointer, mask=None, other=None, boundary_check=(), padding_option='', cache_modifier='', "
     "eviction_policy='', volatile=False",
     load, /*isMethod=*/true},
    {"triton.language.store",
     "pointer, value, mask=None, boundary_check=(), cache_modifier='', eviction_policy=''", store,
     /*isMethod=*/true},
    {"triton.language.dot",
     "input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, "
     "out_dtype=float32",
     dot},
};

} // namespace

std::span<const LibraryFunction> memoryRows() { return rows; }

} // namespace tilescope::frontend
