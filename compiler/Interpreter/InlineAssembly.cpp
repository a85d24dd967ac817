// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX over tiles. Each group of elements has its ports, registers of 64 bits, in a slot: operands are
// spread over them, the program runs on them group by group, and results are taken from them.
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Operations.h"

#include <algorithm>
#include <cstring>

namespace tilescope::interp {

namespace {

/// Calls `each(port, shift, element)` for every element of an operand: its bits stand in the port, so far up.
template <typename Each>
void forEachPort(const PortDetail &detail, uint64_t *ports, size_t groups, Each each) {
  for (size_t group = 0, element = 0; group < groups; ++group, ports += detail.ports)
    for (uint32_t i = 0; i < detail.pack; ++i, ++element)
      each(ports[detail.first + i / detail.perPort], i % detail.perPort * detail.bytes * 8, element);
}

void toPortsLoop(Frame &frame, const Instruction &instruction) {
  const PortDetail &detail = frame.kernel.port(instruction.detail);
  const std::byte *from = frame.at<std::byte>(instruction.operands[0]);
  forEachPort(detail, frame.at<uint64_t>(instruction.result), instruction.count,
              [&](uint64_t &port, uint32_t shift, size_t element) {
                uint64_t bits = 0;
                std::memcpy(&bits, from + element * detail.bytes, detail.bytes);
                port = shift == 0 ? bits : port | bits << shift;
              });
}

void fromPortsLoop(Frame &frame, const Instruction &instruction) {
  const PortDetail &detail = frame.kernel.port(instruction.detail);
  std::byte *to = frame.at<std::byte>(instruction.result);
  forEachPort(detail, frame.at<uint64_t>(instruction.operands[0]), instruction.count,
              [&](uint64_t &port, uint32_t shift, size_t element) {
                const uint64_t bits = port >> shift;
                std::memcpy(to + element * detail.bytes, &bits, detail.bytes);
              });
}

uint64_t valueOf(PtxSpecial special, const Frame &frame) {
  const auto block = frame.worker->launch.coordinates(frame.program);
  const auto &grid = frame.worker->launch.grid;
  switch (special) {
  case PtxSpecial::Zero:
    return 0;
  case PtxSpecial::One:
    return 1;
  case PtxSpecial::BlockX:
  case PtxSpecial::BlockY:
  case PtxSpecial::BlockZ:
    return block[size_t(special) - size_t(PtxSpecial::BlockX)];
  case PtxSpecial::BlocksX:
  case PtxSpecial::BlocksY:
  case PtxSpecial::BlocksZ:
    return grid[size_t(special) - size_t(PtxSpecial::BlocksX)];
  case PtxSpecial::Clock:
    return static_cast<uint64_t>(frame.spent - frame.credit);
  }
  return 0;
}

void assemblyLoop(Frame &frame, const Instruction &instruction) {
  const PtxProgram &program = frame.kernel.assembly(instruction.detail);
  uint64_t *ports = frame.at<uint64_t>(instruction.result);
  std::vector<uint64_t> registers = program.image;
  for (const auto &[place, special] : program.specials)
    registers[place] = valueOf(special, frame);
  for (uint32_t group = 0; group < instruction.count; ++group, ports += program.ports) {
    std::copy_n(ports, program.ports, registers.begin());
    if (!runPtx(program, registers.data(), frame))
      return;
    std::copy_n(registers.begin(), program.ports, ports);
  }
}

void refuseLoop(Frame &frame, const Instruction &) {
  frame.found(FindingKind::AssemblyRefused, {});
  frame.leave(FrameState::Failed);
}

} // namespace

Handler toPorts() { return &toPortsLoop; }
Handler fromPorts() { return &fromPortsLoop; }
Handler assembly() { return &assemblyLoop; }
Handler refuseAssembly() { return &refuseLoop; }

} // namespace tilescope::interp
