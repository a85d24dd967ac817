// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores.
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

constexpr LibraryFunction rows[] = {
    {"triton.language.load",
     "pointer, mask=None, other=None, boundary_check=(), padding_option='', cache_modifier='', "
     "eviction_policy='', volatile=False",
     load, /*isMethod=*/true},
    {"triton.language.store",
     "pointer, value, mask=None, boundary_check=(), cache_modifier='', eviction_policy=''", store,
     /*isMethod=*/true},
};

} // namespace

std::span<const LibraryFunction> memoryRows() { return rows; }

} // namespace tilescope::frontend
