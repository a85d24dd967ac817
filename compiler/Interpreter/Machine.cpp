// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Machine.h"

#include "compiler/Interpreter/WaitedFor.h"

#include <algorithm>
#include <cstring>

namespace tilescope::interp {

namespace {

constexpr size_t FrameAlignment = 64;

std::byte *allocateFrame(size_t bytes) {
  const size_t rounded =
      std::max(FrameAlignment, (bytes + FrameAlignment - 1) / FrameAlignment * FrameAlignment);
  return static_cast<std::byte *>(std::aligned_alloc(FrameAlignment, rounded));
}

} // namespace

Frame::Frame(const Kernel &kernel) : memory(allocateFrame(kernel.frameBytes())), kernel(kernel) {
  std::copy(kernel.image().begin(), kernel.image().end(), memory.get());
}

void Frame::start(Worker &newWorker, uint64_t newProgram) {
  worker = &newWorker;
  program = newProgram;
  pc = 0;
  turns = 0;
  credit = 0;
  spent = 0;
  reported.clear();
  clock = {};
  log.clear();
  copies.clear();
  shadow.start(kernel, newWorker.launch.options.checking);
  const auto &parameters = kernel.parameters();
  for (size_t i = 0; i < parameters.size(); ++i)
    putArgument(parameters[i].slot, newWorker.launch.arguments[i]);
}

void Frame::putArgument(Slot slot, const Argument &argument) {
  std::memcpy(at<std::byte>(slot), &argument.bits, sizeof(argument.bits));
  std::memcpy(at<std::byte>(slot) + sizeof(argument.bits), &argument.allocation, sizeof(argument.allocation));
}

void Frame::run(Worker &newWorker) {
  worker = &newWorker;
  state = FrameState::Running;
  const Instruction *code = kernel.code().data();
  while (credit > 0 || checkpoint()) {
    const Instruction &instruction = code[pc++];
    credit -= instruction.cost;
    if (shadow.active()) [[unlikely]]
      shadow.follow(*this, instruction);
    instruction.handler(*this, instruction);
  }
}

/// False when the program does not go on now. Otherwise gives new credit.
bool Frame::checkpoint() {
  if (state != FrameState::Running)
    return false;
  Launch &launch = worker->launch;
  spent -= credit; // what the last instruction took beyond its credit
  credit = 0;
  if (launch.options.stop && launch.options.stop->load(std::memory_order_relaxed))
    launch.stopped = true;
  if (launch.stopped.load(std::memory_order_relaxed) ||
      launch.failed.load(std::memory_order_relaxed) < program) {
    state = FrameState::Abandoned;
  } else if (uint64_t(spent) >= launch.options.operationLimit) {
    foundLimit();
    state = FrameState::Failed;
  } else {
    credit =
        int64_t(std::min<uint64_t>(OperationsBetweenChecks, launch.options.operationLimit - uint64_t(spent)));
    spent += credit;
  }
  return state == FrameState::Running;
}

/// At the innermost `while` that the program is in; if there is none, at its outermost loop.
void Frame::foundLimit() {
  uint32_t place = kernel.placeOf(pc > 0 ? pc - 1 : 0);
  Finding finding;
  finding.instruction = pc > 0 ? pc - 1 : 0;
  for (const LoopRange &loop : kernel.loopRanges()) {
    if (pc < loop.begin || pc > loop.end)
      continue;
    place = loop.place;
    if (!loop.waits)
      continue;
    noteWaitedFor(*this, loop, finding);
    break;
  }
  count({FindingKind::OperationLimit, place}, finding);
}

void Frame::found(FindingKind kind, Finding finding, uint32_t cause) {
  foundAt(kind, pc - 1, std::move(finding), cause);
}

void Frame::foundAt(FindingKind kind, uint32_t instruction, Finding finding, uint32_t cause) {
  finding.instruction = instruction;
  count({kind, kernel.placeOf(instruction), cause}, std::move(finding));
}

void Frame::count(Findings::Key key, Finding finding) {
  if (std::find(reported.begin(), reported.end(), key) != reported.end())
    return;
  reported.push_back(key);
  worker->findings.count(key, program, std::move(finding));
}

} // namespace tilescope::interp
