// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses, products, and what a person is told.
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Machine.h"

#include <llvm/ADT/TypeSwitch.h>

#include <algorithm>

namespace tilescope::interp {

namespace {

std::vector<int64_t> shapeOf(mlir::Type type) {
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(type);
  return {shape.begin(), shape.end()};
}

/// Elements of the last dimensions that are likely to be a run in memory: up to the last that is not 1.
uint32_t rowOf(llvm::ArrayRef<int64_t> shape) {
  for (size_t i = shape.size(); i-- > 0;)
    if (shape[i] > 1)
      return static_cast<uint32_t>(shape[i]);
  return 1;
}

DotPrecision precisionOf(tile::InputPrecision precision) {
  switch (precision) {
  case tile::InputPrecision::Tf32:
    return DotPrecision::Tf32;
  case tile::InputPrecision::Tf32x3:
    return DotPrecision::Tf32x3;
  case tile::InputPrecision::Ieee:
    return DotPrecision::Exact;
  case tile::InputPrecision::Bf16x3:
    return DotPrecision::Bf16x3;
  case tile::InputPrecision::Bf16x6:
    return DotPrecision::Bf16x6;
  }
  return DotPrecision::Exact;
}

/// Among the threads of one program nothing is ordered between programs.
template <typename Op> void setOrder(AccessDetail &access, Op op) {
  const tile::MemoryOrder order = op.getOrder();
  const bool reaches = op.getScope() != tile::MemoryScope::Block,
             both = order == tile::MemoryOrder::AcquireRelease;
  access.acquires = reaches && (both || order == tile::MemoryOrder::Acquire);
  access.releases = reaches && (both || order == tile::MemoryOrder::Release);
}

/// As tl.device_print makes it: a space in front, ": " behind.
std::string printPrefix(std::string prefix, bool hasValues) {
  if (hasValues && !prefix.ends_with(" "))
    prefix += " ";
  if (hasValues && !prefix.ends_with(": "))
    prefix = prefix.substr(0, prefix.size() - 1) + ": ";
  if (prefix.size() > 2 && !prefix.starts_with(" "))
    prefix = " " + prefix;
  return prefix;
}

} // namespace

AtomicKind atomicKindOf(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Add:
    return AtomicKind::Add;
  case tile::AtomicKind::Max:
    return AtomicKind::Max;
  case tile::AtomicKind::Min:
    return AtomicKind::Min;
  case tile::AtomicKind::And:
    return AtomicKind::And;
  case tile::AtomicKind::Or:
    return AtomicKind::Or;
  case tile::AtomicKind::Xor:
    return AtomicKind::Xor;
  case tile::AtomicKind::Exchange:
    return AtomicKind::Exchange;
  }
  return AtomicKind::Add;
}

AccessDetail Flattener::accessDetail(mlir::Operation *op, const Operand &address, mlir::Type pointee,
                                     llvm::ArrayRef<int64_t> shape, AccessKind kind) {
  AccessDetail detail;
  detail.element = interp::elementTypeOf(pointee);
  detail.row = rowOf(shape);
  detail.provenance = address.provenance;
  if (auto number = op->getAttrOfType<mlir::IntegerAttr>(accessNumberAttr))
    detail.number = static_cast<int32_t>(number.getInt());
  const bool fromArgument = address.provenance.kind == Provenance::Kind::Argument;
  detail.site = m_code.site({kind,
                             spanOf(op->getLoc()),
                             detail.element,
                             {shape.begin(), shape.end()},
                             fromArgument ? int(address.provenance.index) : -1});
  return detail;
}

AccessDetail Flattener::accessDetail(mlir::Operation *op, mlir::Value pointer, AccessKind kind) {
  const auto pointee = llvm::cast<tile::PointerType>(tile::elementTypeOf(pointer.getType())).getPointee();
  return accessDetail(op, get(pointer), pointee, tile::shapeOf(pointer.getType()), kind);
}

Operand Flattener::read(const AccessDetail &access, mlir::Value pointer, mlir::Value mask,
                        mlir::Value other) {
  const Operand address = full(pointer), result = m_code.fresh(access.element, address.stored);
  const uint32_t detail = m_code.detail(access);
  if (other)
    m_code.emit(interp::load(), result, {address, get(mask), get(other)}, result.stored, detail);
  else if (mask)
    m_code.emit(interp::load(), result, {address, get(mask)}, result.stored, detail);
  else
    m_code.emit(interp::load(), result, {address}, result.stored, detail);
  return result;
}

void Flattener::load(tile::LoadOp op) {
  AccessDetail access = accessDetail(op, op.getPointer(), AccessKind::Load);
  access.isVolatile = access.acquires = op.getIsVolatile();
  set(op, read(access, op.getPointer(), op.getMask(), op.getOther()));
}

void Flattener::store(tile::StoreOp op) {
  const Operand address = full(op.getPointer());
  const uint32_t detail = m_code.detail(accessDetail(op, op.getPointer(), AccessKind::Store));
  if (op.getMask())
    m_code.emit(interp::store(), {address, get(op.getValue()), get(op.getMask())}, address.stored, detail);
  else
    m_code.emit(interp::store(), {address, get(op.getValue())}, address.stored, detail);
}

void Flattener::atomicRmw(tile::AtomicRmwOp op) {
  const Operand address = full(op.getPointer());
  const Operand result = m_code.fresh(interp::elementTypeOf(op.getType()), elementsOf(op.getType()));
  AccessDetail access = accessDetail(op, op.getPointer(), AccessKind::Atomic);
  access.atomic = atomicKindOf(op.getKind());
  setOrder(access, op);
  access.resultUsed = !op->use_empty();
  const uint32_t detail = m_code.detail(access);
  if (op.getMask())
    m_code.emit(atomic(), result, {address, get(op.getValue()), get(op.getMask())}, result.stored, detail);
  else
    m_code.emit(atomic(), result, {address, get(op.getValue())}, result.stored, detail);
  if (!op->use_empty() || isFloat(access.element) || access.atomic == AtomicKind::Exchange)
    m_code.runInProgramOrder();
  set(op, result);
}

void Flattener::atomicCas(tile::AtomicCasOp op) {
  const Operand address = full(op.getPointer());
  const Operand result = m_code.fresh(interp::elementTypeOf(op.getType()), elementsOf(op.getType()));
  AccessDetail access = accessDetail(op, op.getPointer(), AccessKind::Atomic);
  access.atomic = AtomicKind::CompareExchange;
  setOrder(access, op);
  m_code.emit(atomic(), result, {address, get(op.getCompare()), get(op.getValue())}, result.stored,
              m_code.detail(access));
  m_code.runInProgramOrder();
  set(op, result);
}

/// In the order of the programs, a load sees what it is to see.
void Flattener::atomicLoad(tile::AtomicLoadOp op) {
  AccessDetail access = accessDetail(op, op.getPointer(), AccessKind::Load);
  access.isVolatile = true;
  setOrder(access, op);
  set(op, read(access, op.getPointer(), op.getMask(), {}));
  m_code.runInProgramOrder();
}

/// An exchange of which nobody asks what was there before.
void Flattener::atomicStore(tile::AtomicStoreOp op) {
  const Operand address = full(op.getPointer());
  AccessDetail access = accessDetail(op, op.getPointer(), AccessKind::Atomic);
  access.atomic = AtomicKind::Exchange;
  access.resultUsed = false;
  setOrder(access, op);
  const Operand before = m_code.fresh(access.element, address.stored);
  const uint32_t detail = m_code.detail(access);
  if (op.getMask())
    m_code.emit(atomic(), before, {address, get(op.getValue()), get(op.getMask())}, address.stored, detail);
  else
    m_code.emit(atomic(), before, {address, get(op.getValue())}, address.stored, detail);
  m_code.runInProgramOrder();
}

bool Flattener::dot(tile::DotOp op) {
  const llvm::ArrayRef<int64_t> a = tile::shapeOf(op.getA().getType()), c = tile::shapeOf(op.getType());
  const size_t rank = c.size();
  DotDetail detail;
  detail.batch = rank == 3 ? uint32_t(c[0]) : 1;
  detail.m = uint32_t(c[rank - 2]);
  detail.n = uint32_t(c[rank - 1]);
  detail.k = uint32_t(a[rank - 1]);
  const Operand left = full(op.getA()), right = full(op.getB()), accumulator = get(op.getAccumulator());
  if (left.type == ElementType::Float32)
    detail.precision = precisionOf(op.getInputPrecision());
  const Handler handler = interp::dot(left.type, accumulator.type);
  if (!handler || slotType(left.type) != slotType(right.type))
    return unsupported(op);
  const Operand result = m_code.fresh(accumulator.type, elementsOf(op.getType()));
  const uint64_t cost = uint64_t(result.stored) * detail.k;
  Instruction &product =
      m_code.emit(handler, result, {left, right, accumulator}, result.stored, m_code.detail(detail));
  m_code.flow(Flow::Dot, Op::Mul, left.type);
  // Eight multiplications and additions take about as long as another operation.
  product.cost = static_cast<uint32_t>(std::clamp<uint64_t>(cost / 8, 16, ~uint32_t(0)));
  product.inPlace = accumulator.stored == result.stored ? 4 : 0;
  set(op, m_code.rounded(result));
  return true;
}

void Flattener::check(tile::AssertOp op) {
  const mlir::Type type = op.getCondition().getType();
  const uint32_t detail = m_code.detail(MessageDetail{op.getMessage().str(), shapeOf(type)});
  if (op.getMask())
    m_code.emit(&control::check, {get(op.getCondition()), get(op.getMask())}, elementsOf(type), detail);
  else
    m_code.emit(&control::check, {get(op.getCondition())}, elementsOf(type), detail);
}

void Flattener::print(tile::PrintOp op) {
  m_code.runInProgramOrder();
  const auto values = op.getValues();
  PrintDetail detail{.prefix = printPrefix(op.getPrefix().str(), !values.empty()), .hex = op.getHex()};
  if (values.empty()) {
    detail.hasValue = false;
    m_code.emit(&control::print, {}, 1, m_code.detail(detail));
  }
  for (auto [index, value] : llvm::enumerate(values)) {
    detail.element = interp::elementTypeOf(value.getType());
    detail.pointer = interp::isPointer(value.getType());
    detail.shape = shapeOf(value.getType());
    detail.operand = values.size() > 1 ? int(index) : -1;
    m_code.emit(&control::print, {get(value)}, elementsOf(value.getType()), m_code.detail(detail));
  }
}

Flattener::Outcome Flattener::memory(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Outcome>(op)
      .Case([&](tile::LoadOp op) {
        load(op);
        return Outcome::Done;
      })
      .Case([&](tile::StoreOp op) {
        store(op);
        return Outcome::Done;
      })
      .Case([&](tile::AtomicRmwOp op) {
        atomicRmw(op);
        return Outcome::Done;
      })
      .Case([&](tile::AtomicCasOp op) {
        atomicCas(op);
        return Outcome::Done;
      })
      .Case([&](tile::AtomicLoadOp op) {
        atomicLoad(op);
        return Outcome::Done;
      })
      .Case([&](tile::AtomicStoreOp op) {
        atomicStore(op);
        return Outcome::Done;
      })
      .Case([&](tile::BarrierOp) {
        barrier();
        return Outcome::Done;
      })
      .Case([&](tile::DotOp op) { return dot(op) ? Outcome::Done : Outcome::Failed; })
      .Case([&](tile::AssertOp op) {
        check(op);
        return Outcome::Done;
      })
      .Case([&](tile::PrintOp op) {
        print(op);
        return Outcome::Done;
      })
      .Case([&](tile::AssumeOp op) {
        m_code.emit(&control::assume, {get(op.getCondition())}, 1);
        return Outcome::Done;
      })
      .Default([](mlir::Operation *) { return Outcome::NotMine; });
}

} // namespace tilescope::interp
