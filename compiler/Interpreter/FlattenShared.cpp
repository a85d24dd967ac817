// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stage two has beyond stage one. Tiles are whole values here, so that a conversion of layouts is
// another name for the slot. A buffer is a scalar: where it begins in shared memory, in bytes. A program is
// one sequence of operations; barriers only say which uses of the same bytes are no hazard.
#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/SharedHandlers.h"

#include <llvm/ADT/TypeSwitch.h>
#include <llvm/Support/MathExtras.h>

namespace tilescope::interp {

namespace {

/// Where a buffer may begin that no pass has placed.
constexpr uint64_t BufferAlignment = 128;

/// Bytes of an operation's buffer, or of the scratch space that it needs for itself.
uint64_t bytesOf(mlir::Operation *op) {
  if (auto buffer = llvm::dyn_cast<tile::SharedAllocOp>(op))
    return static_cast<uint64_t>(buffer.getType().bytes());
  return static_cast<uint64_t>(analysis::scratchBytes(op));
}

std::optional<uint32_t> placeOf(mlir::Operation *op) {
  const auto offset = op->getAttrOfType<mlir::IntegerAttr>(analysis::sharedOffsetAttr);
  return offset ? std::optional(static_cast<uint32_t>(offset.getInt())) : std::nullopt;
}

} // namespace

/// Every buffer that no pass has placed gets bytes of its own, behind those that have a place.
const Flattener::Shared &Flattener::sharedMemory() {
  if (m_shared)
    return *m_shared;
  m_shared.emplace();
  uint64_t end = 0;
  llvm::SmallVector<mlir::Operation *> unplaced;
  m_module.walk([&](mlir::Operation *op) {
    if (const std::optional<uint32_t> place = interp::placeOf(op)) {
      end = std::max(end, *place + bytesOf(op));
      m_shared->begins[op] = *place;
    } else if (llvm::isa<tile::SharedAllocOp>(op)) {
      unplaced.push_back(op);
    }
    m_shared->seesHazards |= llvm::isa<tile::SharedBarrierOp>(op);
  });
  for (mlir::Operation *op : unplaced) {
    end = llvm::alignTo(end, BufferAlignment);
    m_shared->begins[op] = static_cast<uint32_t>(end);
    end += bytesOf(op);
  }
  m_shared->bytes = static_cast<uint32_t>(end);
  m_shared->memory = m_code.fresh(ElementType::UInt8, static_cast<uint32_t>(2 * end));
  return *m_shared;
}

uint32_t Flattener::sharedDetail(tile::BufferType type) {
  const Shared &shared = sharedMemory();
  const ElementType element = interp::elementTypeOf(type.getElementType());
  auto [entry, isNew] = m_shared->details.try_emplace({element, type.getLayout().getAsOpaquePointer()}, 0u);
  if (!isNew)
    return entry->second;
  SharedDetail detail{element, shared.bytes, std::vector<uint32_t>(type.elementCount())};
  const layout::LinearLayout &map = type.getLayout().getMap();
  for (uint32_t offset = 0; offset < detail.offsets.size(); ++offset)
    detail.offsets[map.apply(offset)] = offset;
  return entry->second = m_code.detail(std::move(detail));
}

/// What an operation has for itself, and leaves with bytes that mean nothing.
Operand Flattener::claimShared(mlir::Operation *op, Handler handler) {
  const Shared &shared = sharedMemory();
  const Operand begin = m_code.constant(ElementType::Int32, shared.begins.lookup(op));
  const uint32_t detail = m_code.detail(SharedDetail{ElementType::UInt8, shared.bytes, {}});
  m_code.emit(handler, {begin, shared.memory}, static_cast<uint32_t>(bytesOf(op)), detail);
  m_code.flow(Flow::None);
  return begin;
}

void Flattener::claimScratch(mlir::Operation *op) {
  if (!llvm::isa<tile::SharedAllocOp>(op) && interp::placeOf(op))
    claimShared(op, sharedHandlers(sharedMemory().seesHazards).scratch);
}

void Flattener::barrier() {
  const Shared &shared = sharedMemory();
  if (!shared.seesHazards || shared.bytes == 0)
    return;
  const uint32_t detail = m_code.detail(SharedDetail{ElementType::UInt8, shared.bytes, {}});
  m_code.emit(sharedBarrier(), {shared.memory}, 1, detail);
  m_code.flow(Flow::None);
}

void Flattener::allocateShared(tile::SharedAllocOp op) {
  set(op, claimShared(op, sharedAllocate()));
  if (op.getInitial())
    toShared(sharedHandlers(sharedMemory().seesHazards).store, full(op.getInitial()), op);
}

void Flattener::toShared(Handler handler, const Operand &value, mlir::Value buffer) {
  const uint32_t detail = sharedDetail(llvm::cast<tile::BufferType>(buffer.getType()));
  m_code.emit(handler, {value, get(buffer), sharedMemory().memory}, value.stored, detail);
  m_code.flow(Flow::None);
}

void Flattener::loadShared(tile::SharedLoadOp op) {
  const tile::BufferType type = op.getBuffer().getType();
  const Operand result = m_code.fresh(interp::elementTypeOf(op.getType()), elementsOf(op.getType()));
  const uint32_t detail = sharedDetail(type);
  m_code.emit(sharedHandlers(sharedMemory().seesHazards).load, result,
              {get(op.getBuffer()), sharedMemory().memory}, result.stored, detail);
  m_code.flow(Flow::None);
  set(op, result);
}

void Flattener::pickSlot(tile::SharedSlotOp op) {
  const auto bytes = static_cast<uint64_t>(op.getBuffer().getType().slotBytes());
  const Operand distance =
      m_code.elementwise(Op::Mul, {get(op.getIndex()), m_code.constant(ElementType::Int32, bytes)});
  set(op, m_code.elementwise(Op::Add, {get(op.getBuffer()), distance}));
}

/// A load, whose elements arrive later. Tokens stand for nothing: waits count groups.
void Flattener::copyAsync(tile::AsyncCopyOp op) {
  const AccessDetail access = accessDetail(op, op.getPointer(), AccessKind::Load);
  toShared(sharedHandlers(sharedMemory().seesHazards).copy,
           read(access, op.getPointer(), op.getMask(), op.getOther()), op.getBuffer());
  set(op, m_code.constant(ElementType::Int32, 0));
}

Flattener::Outcome Flattener::shared(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Outcome>(op)
      .Case([&](tile::ConvertLayoutOp op) {
        set(op, get(op.getOperand()));
        return Outcome::Done;
      })
      .Case([&](tile::SharedAllocOp op) {
        allocateShared(op);
        return Outcome::Done;
      })
      .Case([&](tile::SharedSlotOp op) {
        pickSlot(op);
        return Outcome::Done;
      })
      .Case([&](tile::SharedPermuteOp op) {
        set(op, get(op.getBuffer()));
        return Outcome::Done;
      })
      .Case([&](tile::SharedLoadOp op) {
        loadShared(op);
        return Outcome::Done;
      })
      .Case([&](tile::SharedStoreOp op) {
        toShared(sharedHandlers(sharedMemory().seesHazards).store, full(op.getValue()), op.getBuffer());
        return Outcome::Done;
      })
      .Case([&](tile::AsyncCopyOp op) {
        copyAsync(op);
        return Outcome::Done;
      })
      .Case([&](tile::AsyncCommitOp op) {
        m_code.emit(asyncCommit(), {}, 1);
        set(op, m_code.constant(ElementType::Int32, 0));
        return Outcome::Done;
      })
      .Case([&](tile::AsyncWaitOp op) {
        m_code.emit(asyncWait(), {sharedMemory().memory}, 1, op.getPending());
        m_code.flow(Flow::None);
        return Outcome::Done;
      })
      .Case([&](tile::SharedBarrierOp) {
        barrier();
        return Outcome::Done;
      })
      .Default([](mlir::Operation *) { return Outcome::NotMine; });
}

} // namespace tilescope::interp
