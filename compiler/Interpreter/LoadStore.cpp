// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores. Elements outside their tensor read as 0, those masked off as `other`, or 0 without one.
#include "compiler/Interpreter/Access.h"
#include "compiler/Interpreter/StoredTwice.h"

#include <cmath>

namespace tilescope::interp {

namespace {

/// Element by element, as a run may be defined in part.
void markUnwritten(Frame &frame, const AccessRun &access, size_t first, size_t count, const Extent &extent) {
  for (size_t i = first; i < first + count; ++i)
    if (!frame.worker->memory.isDefined(access.address(i), access.bytes()))
      frame.shadow.mark(frame, OriginKind::Unwritten, i, 1, access.address(i), extent.id);
}

/// Of a block: what lies in its tensor, but outside of the shape that it was given, in a dimension that is
/// not checked.
void markOutsideShape(Frame &frame, const AccessRun &access, size_t first, size_t count) {
  const BlockDetail &block = frame.kernel.block(access.detail().block - 1);
  for (size_t i = first; i < first + count; ++i)
    if (leftDimension(frame, block, i))
      frame.shadow.mark(frame, OriginKind::OutsideShape, i, 1);
}

/// The bytes of a load that other programs may be writing to, as they are at one moment; says whether they
/// differ from those at the beginning of the launch.
const std::byte *loadChanging(Frame &frame, const std::byte *from, Address at, uint64_t bytes,
                              bool &changed) {
  std::vector<std::byte> &copy = frame.worker->scratch;
  copy.assign(from, from + bytes);
  changed |= frame.worker->memory.hasChanged(at, copy.data(), bytes);
  return copy.data();
}

void loadLoop(Frame &frame, const Instruction &instruction) {
  Worker &worker = *frame.worker;
  RaceCheck *races = worker.launch.races;
  frame.log.begin();
  bool changed = false;
  AccessRun access(frame, instruction, /*maskOperand=*/1, FindingKind::OutOfBoundsLoad);
  const Transfer transfer(access.detail().element);
  const unsigned size = transfer.slotBytes();
  std::byte *result = frame.at<std::byte>(instruction.result);
  const std::byte *other = instruction.used & 4 ? frame.at<std::byte>(instruction.operands[2]) : nullptr;
  const size_t otherStride = instruction.single & 4 ? 0 : size;
  MemoryPort &memory = worker.memory;
  const bool seesShape = frame.shadow.checking() && access.detail().block != 0;
  access.forEach(
      [&](size_t first, size_t count, const Extent &extent) {
        const uint64_t at = access.address(first), bytes = count * transfer.bytes();
        const std::byte *from = memory.read(extent, at, bytes);
        if (worker.launch.log && worker.launch.written.holds(extent.id))
          from = loadChanging(frame, from, at, bytes, changed);
        transfer.toSlot(from, result + first * size, count);
        if (races && access.detail().acquires)
          for (size_t i = first; i < first + count; ++i)
            races->acquire(frame, access.detail(), access.address(i));
        if (races)
          races->read(frame, access.detail(), extent, at, bytes);
        if (!memory.isDefined(at, bytes)) [[unlikely]]
          markUnwritten(frame, access, first, count, extent);
        if (seesShape)
          markOutsideShape(frame, access, first, count);
      },
      [&](size_t first, size_t count, bool masked) {
        if (masked && (!other || frame.shadow.checking()))
          frame.shadow.mark(frame, other ? OriginKind::Padding : OriginKind::Masked, first, count);
        if (!other)
          std::memset(result + first * size, 0, count * size);
        else if (otherStride != 0)
          std::memcpy(result + first * size, other + first * size, count * size);
        else
          for (size_t i = first; i < first + count; ++i)
            std::memcpy(result + i * size, other, size);
      },
      [&](size_t first, size_t count) {
        const Extent range = access.spread(first, count);
        if (seesShape || range.bytes == 0 || !memory.isDefined(range.address, range.bytes) ||
            ((races || worker.launch.log) && worker.launch.written.holds(range.id)))
          return false;
        access.countInside(first, count);
        const std::byte *from = memory.read(memory.extent(range.id), range.address, range.bytes);
        transfer.gather(from, access.addresses() + first, range.address, result + first * size, count,
                        worker.scratch);
        return true;
      });
  if (worker.replays)
    frame.log.restore(result, instruction.count * size);
  else if (changed)
    frame.log.record(result, instruction.count * size);
}

/// The first element that is about to be stored and is an infinity or NaN.
void noteNonFinite(Frame &frame, const AccessRun &access, const std::byte *values, bool single, size_t first,
                   size_t count, const Extent &extent) {
  const ElementType type = access.detail().element;
  if (!isFloat(type))
    return;
  const bool wide = slotType(type) == ElementType::Float64;
  const auto at = [&](size_t i) {
    double real;
    float narrow;
    if (wide)
      std::memcpy(&real, values + i * 8, 8);
    else
      std::memcpy(&narrow, values + i * 4, 4);
    return wide ? real : double(narrow);
  };
  for (size_t i = first; i < first + (single ? 1 : count); ++i) {
    const double value = at(single ? 0 : i);
    if (std::isfinite(value))
      continue;
    Finding finding;
    finding.element = i;
    finding.values[0] = value;
    finding.address = access.address(i);
    finding.bytes = access.bytes();
    finding.tensor = extent.id;
    return frame.found(FindingKind::NonFinite, finding);
  }
}

void storeLoop(Frame &frame, const Instruction &instruction) {
  AccessRun access(frame, instruction, /*maskOperand=*/2, FindingKind::OutOfBoundsStore);
  const Transfer transfer(access.detail().element);
  const unsigned size = transfer.slotBytes();
  const std::byte *value = frame.at<std::byte>(instruction.operands[1]);
  const bool single = (instruction.single & 2) != 0;
  Worker &worker = *frame.worker;
  RaceCheck *races = worker.launch.races;
  StoredTwice stored;
  access.forEach(
      [&](size_t first, size_t count, const Extent &extent) {
        const uint64_t at = access.address(first), bytes = count * transfer.bytes();
        if (races)
          noteNonFinite(frame, access, value, single, first, count, extent);
        if (races && !single)
          stored.add(first, count, access, extent);
        const bool racing = races && races->write(frame, access.detail(), extent, at, bytes);
        std::byte *to = worker.memory.write(extent, at, bytes);
        if (racing)
          worker.scratch.assign(to, to + bytes);
        if (!single)
          transfer.toMemory(value + first * size, to, count);
        else
          for (size_t i = 0; i < count; ++i)
            transfer.toMemory(value, to + i * transfer.bytes(), 1);
        if (racing)
          races->wrote(frame, std::memcmp(to, worker.scratch.data(), bytes) == 0);
        if (worker.stored) [[unlikely]]
          (*worker.stored)(at, to, bytes);
      },
      [](size_t, size_t, bool) {});
  stored.report(frame, access, value, size);
}

void findTensorsLoop(Frame &frame, const Instruction &instruction) {
  const uint64_t *addresses = frame.at<uint64_t>(instruction.operands[0]);
  AllocationId *result = frame.at<AllocationId>(instruction.result);
  for (uint32_t i = 0; i < instruction.count; ++i)
    result[i] = frame.worker->memory.find(addresses[i]).id;
}

} // namespace

Handler findTensors() { return &findTensorsLoop; }
Handler load() { return &loadLoop; }
Handler store() { return &storeLoop; }

} // namespace tilescope::interp
