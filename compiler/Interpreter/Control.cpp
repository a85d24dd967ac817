// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow, a program's place in the grid, and checks.
#include "compiler/Interpreter/Machine.h"

#include "compiler/Interpreter/Operations.h"

#include <cstring>

namespace tilescope::interp::control {

namespace {

using Wide = __int128;

/// An integer scalar of any type.
Wide read(Frame &frame, Slot slot, ElementType type) {
  const unsigned bits = 8 * byteSize(type);
  uint64_t raw = 0;
  std::memcpy(&raw, frame.at<std::byte>(slot), byteSize(type));
  if (isSignedInt(type))
    return static_cast<int64_t>(raw << (64 - bits)) >> (64 - bits);
  return raw;
}

void write(Frame &frame, Slot slot, ElementType type, Wide value) {
  const uint64_t raw = static_cast<uint64_t>(value);
  std::memcpy(frame.at<std::byte>(slot), &raw, byteSize(type));
}

/// Trips of range(lower, upper, step), step not 0.
uint64_t tripsOf(Wide lower, Wide upper, Wide step) {
  const Wide distance = step > 0 ? upper - lower : lower - upper, stride = step > 0 ? step : -step;
  return distance <= 0 ? 0 : static_cast<uint64_t>((distance + stride - 1) / stride);
}

void fail(Frame &frame, FindingKind kind, uint64_t element = 0) {
  Finding finding;
  finding.element = element;
  frame.found(kind, finding);
  frame.leave(FrameState::Failed);
}

} // namespace

void jump(Frame &frame, const Instruction &instruction) { frame.pc = instruction.detail; }

void jumpUnless(Frame &frame, const Instruction &instruction) {
  if (*frame.at<uint8_t>(instruction.operands[0]) == 0)
    frame.pc = instruction.detail;
}

void waitingJump(Frame &frame, const Instruction &instruction) {
  frame.pc = instruction.detail;
  if (++frame.turns < TripsBeforeGivingWay)
    return;
  frame.turns = 0;
  frame.giveWay();
}

void loopBegin(Frame &frame, const Instruction &instruction) {
  const LoopDetail &loop = frame.kernel.loop(instruction.detail);
  const Wide lower = read(frame, instruction.operands[0], loop.type);
  const Wide upper = read(frame, instruction.operands[1], loop.type);
  const Wide step = read(frame, instruction.operands[2], loop.type);
  if (step == 0)
    return fail(frame, FindingKind::ZeroStep);
  const uint64_t trips = tripsOf(lower, upper, step);
  if (trips == 0) {
    frame.pc = loop.target;
    return;
  }
  *frame.at<uint64_t>(loop.trips) = trips;
  frame.shadow.clean(loop.induction); // which may stand where an element that is followed stood
  write(frame, loop.induction, loop.type, lower);
}

void loopEnd(Frame &frame, const Instruction &instruction) {
  const LoopDetail &loop = frame.kernel.loop(instruction.detail);
  if (--*frame.at<uint64_t>(loop.trips) == 0)
    return;
  const Wide next = read(frame, loop.induction, loop.type) + read(frame, loop.step, loop.type);
  write(frame, loop.induction, loop.type, next);
  frame.pc = loop.target;
}

void finish(Frame &frame, const Instruction &) { frame.leave(FrameState::Finished); }

void programId(Frame &frame, const Instruction &instruction) {
  *frame.at<uint32_t>(instruction.result) =
      frame.worker->launch.coordinates(frame.program)[instruction.detail];
}

void numPrograms(Frame &frame, const Instruction &instruction) {
  *frame.at<uint32_t>(instruction.result) = frame.worker->launch.grid[instruction.detail];
}

void check(Frame &frame, const Instruction &instruction) {
  const uint8_t *condition = frame.at<uint8_t>(instruction.operands[0]);
  const uint8_t *mask = instruction.used & 2 ? frame.at<uint8_t>(instruction.operands[1]) : nullptr;
  const size_t conditionStride = !(instruction.single & 1), maskStride = !(instruction.single & 2);
  for (size_t i = 0; i < instruction.count; ++i)
    if (!condition[i * conditionStride] && (!mask || mask[i * maskStride]))
      return fail(frame, FindingKind::AssertionFailed, i);
}

void assume(Frame &frame, const Instruction &instruction) {
  if (*frame.at<uint8_t>(instruction.operands[0]) == 0)
    frame.found(FindingKind::AssumptionBroken, {});
}

void nothing(Frame &, const Instruction &) {}

void checkDivisor(Frame &frame, const Instruction &instruction) {
  uint64_t value = 0;
  std::memcpy(&value, frame.at<std::byte>(instruction.operands[0]), instruction.detail);
  if (value == 0)
    frame.found(FindingKind::DivisionByZero, {});
}

} // namespace tilescope::interp::control
