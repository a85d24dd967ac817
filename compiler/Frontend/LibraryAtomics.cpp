// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics: what each may be used on, its order and its reach.
#include "compiler/Frontend/LibraryAccess.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

using tile::AtomicKind;
using tile::MemoryOrder;
using tile::MemoryScope;

//===- Order and reach ----------------------------------------------------------------------------===//

constexpr Option<MemoryOrder> orders[] = {{"acq_rel", MemoryOrder::AcquireRelease},
                                          {"acquire", MemoryOrder::Acquire},
                                          {"release", MemoryOrder::Release},
                                          {"relaxed", MemoryOrder::Relaxed}};
constexpr Option<MemoryOrder> loadOrders[] = {{"acquire", MemoryOrder::Acquire},
                                              {"relaxed", MemoryOrder::Relaxed}};
constexpr Option<MemoryOrder> storeOrders[] = {{"release", MemoryOrder::Release},
                                               {"relaxed", MemoryOrder::Relaxed}};
constexpr Option<MemoryScope> scopes[] = {
    {"gpu", MemoryScope::Gpu}, {"cta", MemoryScope::Block}, {"sys", MemoryScope::System}};

bool isLeftOut(const Term &term) {
  const std::string *text = term.constant() ? term.constant()->asString() : nullptr;
  return term.isNone() || (text && text->empty());
}

template <typename T, size_t N>
std::optional<T> chooseOr(T otherwise, LibraryCall &call, const Operand &operand,
                          const Option<T> (&options)[N]) {
  return isLeftOut(operand.term) ? otherwise : choose(call.emitter, operand, options);
}

struct AtomicMode {
  MemoryOrder order;
  MemoryScope scope;
};

/// `sem` is argument `first`, `scope` the next. The first of `orders` is the default.
template <size_t N>
std::optional<AtomicMode> atomicMode(LibraryCall &call, size_t first,
                                     const Option<MemoryOrder> (&orders)[N]) {
  auto order = chooseOr(orders[0].value, call, call[first], orders);
  auto scope = chooseOr(MemoryScope::Gpu, call, call[first + 1], scopes);
  return order && scope ? std::optional<AtomicMode>({*order, *scope}) : std::nullopt;
}

//===- Types --------------------------------------------------------------------------------------===//

enum class Takes : uint8_t { Integers, WideFloats, AllFloats };

/// Integers of 32 and 64 bits; fp32 and fp64; fp16 and bf16.
bool takes(mlir::Type element, Takes what) {
  unsigned width = tile::bitWidthOf(element);
  if (tile::isFloat(element))
    return what == Takes::AllFloats ? width >= 16 : what == Takes::WideFloats && width >= 32;
  return tile::isInteger(element) && width >= 32;
}

bool refuseType(LibraryCall &call, std::string_view types, mlir::Type element) {
  call.emitter.error(call[0].range, "dtype-not-supported",
                     {std::string(lastPart(call.function.name)), std::string(types), typeName(element)});
  return false;
}

bool checkType(LibraryCall &call, mlir::Value pointer, Takes what) {
  constexpr std::string_view names[] = {"int32, uint32, int64, uint64",
                                        "int32, uint32, int64, uint64, fp32, fp64",
                                        "int32, uint32, int64, uint64, fp16, bf16, fp32, fp64"};
  mlir::Type element = tile::elementTypeOf(tile::pointeeLike(pointer.getType()));
  return takes(element, what) || refuseType(call, names[static_cast<size_t>(what)], element);
}

constexpr Takes takenBy(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return Takes::AllFloats;
  case AtomicKind::Max:
  case AtomicKind::Min:
  case AtomicKind::Exchange:
    return Takes::WideFloats;
  case AtomicKind::And:
  case AtomicKind::Or:
  case AtomicKind::Xor:
    return Takes::Integers;
  }
  return Takes::Integers;
}

//===- The rows -----------------------------------------------------------------------------------===//

template <AtomicKind Kind> Term atomic(LibraryCall &call) {
  mlir::Value pointer = pointerOf(call), mask;
  auto mode = atomicMode(call, 3, orders);
  if (!pointer || !mode || !checkType(call, pointer, takenBy(Kind)))
    return {};
  mlir::Value value = fitValue(call, call[1], pointer);
  if (!value || !fitMask(call, call[2], pointer, mask, /*mayGrow=*/false))
    return {};
  return mlir::Value(call.emitter.create<tile::AtomicRmwOp>(tile::pointeeLike(pointer.getType()), Kind,
                                                            mode->order, mode->scope, pointer, value, mask));
}

Term compareAndSwap(LibraryCall &call) {
  mlir::Value pointer = pointerOf(call);
  auto mode = atomicMode(call, 3, orders);
  if (!pointer || !mode)
    return {};
  mlir::Type element = tile::elementTypeOf(tile::pointeeLike(pointer.getType()));
  if (!tile::isNumber(element) || tile::bitWidthOf(element) < 16)
    return refuseType(call, "16, 32, 64 bit", element), Term();
  mlir::Value expected = fitValue(call, call[1], pointer), value = fitValue(call, call[2], pointer);
  if (!expected || !value)
    return {};
  return mlir::Value(call.emitter.create<tile::AtomicCasOp>(tile::pointeeLike(pointer.getType()), mode->order,
                                                            mode->scope, pointer, expected, value));
}

/// The pointer of an atomic load or store; null after an error.
mlir::Value plainPointer(LibraryCall &call) {
  mlir::Value pointer = pointerOf(call);
  if (!pointer)
    return {};
  mlir::Type element = tile::elementTypeOf(tile::pointeeLike(pointer.getType()));
  if (!tile::isNumber(element))
    return refuseType(call, "int, fp", element), mlir::Value();
  return bytePointer(call.emitter, pointer);
}

Term atomicLoad(LibraryCall &call) {
  mlir::Value pointer = plainPointer(call), mask;
  auto mode = atomicMode(call, 2, loadOrders);
  if (!pointer || !mode || !fitMask(call, call[1], pointer, mask, /*mayGrow=*/true))
    return {};
  mlir::Value loaded = call.emitter.create<tile::AtomicLoadOp>(tile::pointeeLike(pointer.getType()),
                                                               mode->order, mode->scope, pointer, mask);
  mlir::Type wanted = tile::elementTypeOf(tile::pointeeLike(call[0].term.value().getType()));
  return castTo(call.emitter, loaded, wanted, call.range);
}

Term atomicStore(LibraryCall &call) {
  mlir::Value pointer = plainPointer(call), mask;
  auto mode = atomicMode(call, 3, storeOrders);
  if (!pointer || !mode)
    return {};
  mlir::Value value = fitValue(call, call[1], call[0].term.value());
  if (!value || !fitMask(call, call[2], pointer, mask, /*mayGrow=*/false))
    return {};
  value =
      castTo(call.emitter, value, tile::elementTypeOf(tile::pointeeLike(pointer.getType())), call[1].range);
  call.emitter.create<tile::AtomicStoreOp>(mode->order, mode->scope, pointer, value, mask);
  return Value();
}

constexpr std::string_view signature = "pointer, val, mask=None, sem=None, scope=None";
constexpr LibraryFunction rows[] = {
    {"triton.language.atomic_add", signature, atomic<AtomicKind::Add>, true},
    {"triton.language.atomic_max", signature, atomic<AtomicKind::Max>, true},
    {"triton.language.atomic_min", signature, atomic<AtomicKind::Min>, true},
    {"triton.language.atomic_and", signature, atomic<AtomicKind::And>, true},
    {"triton.language.atomic_or", signature, atomic<AtomicKind::Or>, true},
    {"triton.language.atomic_xor", signature, atomic<AtomicKind::Xor>, true},
    {"triton.language.atomic_xchg", signature, atomic<AtomicKind::Exchange>, true},
    {"triton.language.atomic_cas", "pointer, cmp, val, sem=None, scope=None", compareAndSwap, true},
    {"triton.language.atomic_load", "pointer, mask=None, sem=None, scope=None", atomicLoad, true},
    {"triton.language.atomic_store", signature, atomicStore, true},
};

} // namespace

std::span<const LibraryFunction> atomicRows() { return rows; }

} // namespace tilescope::frontend
