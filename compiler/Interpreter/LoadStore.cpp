// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores. Elements outside their tensor read as 0, those masked off as `other`, or 0 without one.
#include "compiler/Interpreter/Access.h"

namespace tilescope::interp {

namespace {

void loadLoop(Frame &frame, const Instruction &instruction) {
  AccessRun access(frame, instruction, /*maskOperand=*/1, FindingKind::OutOfBoundsLoad);
  const Transfer transfer(access.detail().element);
  const unsigned size = transfer.slotBytes();
  std::byte *result = frame.at<std::byte>(instruction.result);
  const std::byte *other = instruction.used & 4 ? frame.at<std::byte>(instruction.operands[2]) : nullptr;
  const size_t otherStride = instruction.single & 4 ? 0 : size;
  MemoryPort &memory = frame.worker->memory;
  access.forEach(
      [&](size_t first, size_t count, const Extent &extent) {
        const uint64_t at = access.address(first);
        transfer.toSlot(memory.read(extent, at, count * transfer.bytes()), result + first * size, count);
      },
      [&](size_t first, size_t count) {
        if (!other)
          std::memset(result + first * size, 0, count * size);
        else if (otherStride != 0)
          std::memcpy(result + first * size, other + first * size, count * size);
        else
          for (size_t i = first; i < first + count; ++i)
            std::memcpy(result + i * size, other, size);
      });
}

void storeLoop(Frame &frame, const Instruction &instruction) {
  AccessRun access(frame, instruction, /*maskOperand=*/2, FindingKind::OutOfBoundsStore);
  const Transfer transfer(access.detail().element);
  const unsigned size = transfer.slotBytes();
  const std::byte *value = frame.at<std::byte>(instruction.operands[1]);
  const bool single = (instruction.single & 2) != 0;
  MemoryPort &memory = frame.worker->memory;
  access.forEach(
      [&](size_t first, size_t count, const Extent &extent) {
        std::byte *to = memory.write(extent, access.address(first), count * transfer.bytes());
        if (!single)
          return transfer.toMemory(value + first * size, to, count);
        for (size_t i = 0; i < count; ++i)
          transfer.toMemory(value, to + i * transfer.bytes(), 1);
      },
      [](size_t, size_t) {});
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
