// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/WaitedFor.h"

#include "compiler/Interpreter/SlotValue.h"
#include "compiler/Interpreter/Transfer.h"

#include <set>

namespace tilescope::interp {

namespace {

/// A trip of a loop that waits is short.
constexpr unsigned MostSteps = 10'000;

/// The branch that leaves a loop; its end if there is none.
uint32_t exitOf(const Kernel &kernel, const LoopRange &loop) {
  uint32_t i = loop.begin;
  while (i < loop.end &&
         (kernel.code()[i].handler != &control::jumpUnless || kernel.code()[i].detail < loop.end))
    ++i;
  return i;
}

/// The access whose result the loop's condition is made of: looked for backwards, once round.
std::optional<uint32_t> decidingAccess(const Kernel &kernel, const LoopRange &loop) {
  const uint32_t exit = exitOf(kernel, loop), length = loop.end - loop.begin;
  if (exit == loop.end)
    return std::nullopt;
  std::set<Slot> wanted{kernel.code()[exit].operands[0]};
  for (uint32_t back = 1; back < length; ++back) {
    const uint32_t i = loop.begin + (exit - loop.begin + length - back) % length;
    const Instruction &instruction = kernel.code()[i];
    if (!(instruction.used & ResultUsed) || wanted.erase(instruction.result) == 0)
      continue;
    const Flow flow = kernel.flow(i).flow;
    if (flow == Flow::Load || flow == Flow::Atomic)
      return instruction.count == 1 ? std::optional(i) : std::nullopt;
    for (unsigned k = 0; k < 3; ++k)
      if (instruction.used >> k & 1)
        wanted.insert(instruction.operands[k]);
  }
  return std::nullopt;
}

/// Runs the program to where it is about to carry out an instruction of its loop.
bool goTo(Frame &frame, const LoopRange &loop, uint32_t instruction) {
  for (unsigned step = 0; step < MostSteps && frame.pc != instruction; ++step) {
    if (frame.pc < loop.begin || frame.pc >= loop.end)
      return false;
    const Instruction &next = frame.kernel.code()[frame.pc++];
    next.handler(frame, next);
    if (frame.state != FrameState::Running && frame.state != FrameState::Waiting)
      return false;
  }
  return frame.pc == instruction;
}

} // namespace

void noteWaitedFor(Frame &frame, const LoopRange &loop, Finding &finding) {
  const std::optional<uint32_t> access = decidingAccess(frame.kernel, loop);
  if (!access || !goTo(frame, loop, *access))
    return;
  const Instruction &instruction = frame.kernel.code()[*access];
  const ElementType element = frame.kernel.access(instruction.detail).element;
  const Address address = *frame.at<Address>(instruction.operands[0]);
  MemoryPort &memory = frame.worker->memory;
  const Extent extent = memory.find(address);
  if (!extent.holds(address, byteSize(element)))
    return;
  std::byte value[8] = {};
  Transfer(element).toSlot(memory.read(extent, address, byteSize(element)), value, 1);
  finding.origin = *access;
  finding.tensor = extent.id;
  finding.address = address;
  finding.bytes = byteSize(element);
  finding.values[0] = slotValue(value, element);
}

} // namespace tilescope::interp
