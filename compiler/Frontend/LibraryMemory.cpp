// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, atomics, and the product of tiles.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

//===- Pointers and masks -------------------------------------------------------------------------===//

mlir::Value pointerOf(LibraryCall &call) {
  const Operand &operand = call[0];
  mlir::Value value = operand.term.value();
  if (value && tile::isPointer(tile::elementTypeOf(value.getType())))
    return value;
  call.emitter.error(operand.range, "not-a-pointer",
                     {std::string(lastPart(call.function.name)), describe(operand.term)});
  return {};
}

void reportMaskShape(LibraryCall &call, const Operand &mask, mlir::Value pointer, mlir::Value value,
                     size_t dimension) {
  Diagnostic &error =
      call.emitter.error(mask.range, "mask-pointer-shape",
                         {shapeName(tile::shapeOf(value.getType())),
                          shapeName(tile::shapeOf(pointer.getType())), std::to_string(dimension)});
  error.notes.insert(error.notes.begin(),
                     {"has-type", {typeName(pointer.getType())}, call.emitter.span(call[0].range)});
}

/// The mask in the shape of the pointers; with `mayGrow` the pointers may take the mask's shape, which is
/// told. False after an error; `mask` is null where the call gives none.
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

/// A value in the pointee type and shape of the pointers.
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

constexpr Option<tile::Eviction> evictions[] = {{"", tile::Eviction::Normal},
                                                {"evict_normal", tile::Eviction::Normal},
                                                {"evict_first", tile::Eviction::First},
                                                {"evict_last", tile::Eviction::Last}};

//===- Load and store -----------------------------------------------------------------------------===//

Term load(LibraryCall &call) {
  static constexpr Option<tile::Cache> caches[] = {
      {"", tile::Cache::None}, {".ca", tile::Cache::Ca}, {".cg", tile::Cache::Cg}, {".cv", tile::Cache::Cv}};
  mlir::Value pointer = pointerOf(call), mask, other;
  auto cache = choose(call.emitter, call[5], caches);
  auto eviction = choose(call.emitter, call[6], evictions);
  auto isVolatile = constantBool(call.emitter, call[7]);
  if (!pointer || !cache || !eviction || !isVolatile)
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
  static constexpr Option<tile::Cache> caches[] = {{"", tile::Cache::None},
                                                   {".wb", tile::Cache::Wb},
                                                   {".cg", tile::Cache::Cg},
                                                   {".cs", tile::Cache::Cs},
                                                   {".wt", tile::Cache::Wt}};
  mlir::Value pointer = pointerOf(call), mask;
  auto cache = choose(call.emitter, call[4], caches);
  auto eviction = choose(call.emitter, call[5], evictions);
  if (!pointer || !cache || !eviction)
    return {};
  mlir::Value value = fitValue(call, call[1], pointer);
  if (!value || !fitMask(call, call[2], pointer, mask, /*mayGrow=*/false))
    return {};
  auto op = call.emitter.create<tile::StoreOp>(pointer, value, mask);
  op.setCache(*cache);
  op.setEviction(*eviction);
  return Value();
}

//===- Atomics ------------------------------------------------------------------------------------===//

constexpr Option<tile::MemoryOrder> orders[] = {{"acq_rel", tile::MemoryOrder::AcquireRelease},
                                                {"acquire", tile::MemoryOrder::Acquire},
                                                {"release", tile::MemoryOrder::Release},
                                                {"relaxed", tile::MemoryOrder::Relaxed}};
constexpr Option<tile::MemoryScope> scopes[] = {
    {"gpu", tile::MemoryScope::Gpu}, {"cta", tile::MemoryScope::Block}, {"sys", tile::MemoryScope::System}};

struct AtomicMode {
  tile::MemoryOrder order;
  tile::MemoryScope scope;
};
std::optional<AtomicMode> atomicMode(LibraryCall &call, const Operand &sem, const Operand &scope) {
  std::optional<tile::MemoryOrder> order = tile::MemoryOrder::AcquireRelease;
  std::optional<tile::MemoryScope> reach = tile::MemoryScope::Gpu;
  if (!sem.term.isNone())
    order = choose(call.emitter, sem, orders);
  if (!scope.term.isNone())
    reach = choose(call.emitter, scope, scopes);
  return order && reach ? std::optional<AtomicMode>({*order, *reach}) : std::nullopt;
}

bool checkAtomicType(LibraryCall &call, mlir::Value pointer, bool integersOnly) {
  mlir::Type element = tile::elementTypeOf(tile::pointeeLike(pointer.getType()));
  bool ok = tile::bitWidthOf(element) >= 16 && tile::isNumber(element) &&
            (!integersOnly || tile::isInteger(element));
  if (!ok)
    call.emitter.error(call[0].range, "dtype-not-supported",
                       {std::string(lastPart(call.function.name)),
                        integersOnly ? "int16, int32, int64" : "16, 32, 64 bit", typeName(element)});
  return ok;
}

template <tile::AtomicKind Kind> Term atomic(LibraryCall &call) {
  constexpr bool integersOnly =
      Kind == tile::AtomicKind::And || Kind == tile::AtomicKind::Or || Kind == tile::AtomicKind::Xor;
  mlir::Value pointer = pointerOf(call), mask;
  auto mode = atomicMode(call, call[3], call[4]);
  if (!pointer || !mode || !checkAtomicType(call, pointer, integersOnly))
    return {};
  mlir::Value value = fitValue(call, call[1], pointer);
  if (!value || !fitMask(call, call[2], pointer, mask, /*mayGrow=*/false))
    return {};
  return mlir::Value(call.emitter.create<tile::AtomicRmwOp>(tile::pointeeLike(pointer.getType()), Kind,
                                                            mode->order, mode->scope, pointer, value, mask));
}

Term compareAndSwap(LibraryCall &call) {
  mlir::Value pointer = pointerOf(call);
  auto mode = atomicMode(call, call[3], call[4]);
  if (!pointer || !mode || !checkAtomicType(call, pointer, false))
    return {};
  mlir::Value expected = fitValue(call, call[1], pointer), value = fitValue(call, call[2], pointer);
  if (!expected || !value)
    return {};
  return mlir::Value(call.emitter.create<tile::AtomicCasOp>(tile::pointeeLike(pointer.getType()), mode->order,
                                                            mode->scope, pointer, expected, value));
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

constexpr std::string_view atomicSignature = "pointer, val, mask=None, sem=None, scope=None";
using tile::AtomicKind;
constexpr LibraryFunction rows[] = {
    {"triton.language.load",
     "pointer, mask=None, other=None, boundary_check=(), padding_option='', cache_modifier='', "
     "eviction_policy='', volatile=False",
     load},
    {"triton.language.store",
     "pointer, value, mask=None, boundary_check=(), cache_modifier='', eviction_policy=''", store},
    {"triton.language.atomic_add", atomicSignature, atomic<AtomicKind::Add>},
    {"triton.language.atomic_max", atomicSignature, atomic<AtomicKind::Max>},
    {"triton.language.atomic_min", atomicSignature, atomic<AtomicKind::Min>},
    {"triton.language.atomic_and", atomicSignature, atomic<AtomicKind::And>},
    {"triton.language.atomic_or", atomicSignature, atomic<AtomicKind::Or>},
    {"triton.language.atomic_xor", atomicSignature, atomic<AtomicKind::Xor>},
    {"triton.language.atomic_xchg", atomicSignature, atomic<AtomicKind::Exchange>},
    {"triton.language.atomic_cas", "pointer, cmp, val, sem=None, scope=None", compareAndSwap},
    {"triton.language.dot",
     "input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, "
     "out_dtype=float32",
     dot},
};

} // namespace

std::span<const LibraryFunction> memoryRows() { return rows; }

} // namespace tilescope::frontend
