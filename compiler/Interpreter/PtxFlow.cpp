// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ports of inline PTX the values in others come from: one pass, as there are no branches.
#include "compiler/Interpreter/Ptx.h"

#include <algorithm>
#include <functional>

namespace tilescope::interp {

namespace {

using Ports = std::vector<bool>;

void add(Ports &to, const Ports &from) {
  std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::logical_or<>());
}

} // namespace

PtxFlow ptxFlow(const PtxProgram &program) {
  const Ports none(program.ports);
  std::vector<Ports> registers(program.image.size(), none);
  for (uint32_t port = 0; port < program.ports; ++port)
    registers[port][port] = true;
  for (const auto &[to, from] : program.ties)
    registers[to] = registers[from];
  PtxFlow flow{{}, none, none};
  for (const PtxStep &step : program.steps) {
    Ports made = none;
    for (uint16_t source : step.sources)
      add(made, registers[source]);
    if (step.guard >= 0)
      add(made, registers[static_cast<size_t>(step.guard)]);
    // What is guarded may be off where it means nothing.
    if (step.guard < 0 && (step.memory.loads || step.memory.stores))
      add(flow.addresses, registers[step.sources[0]]);
    if (step.guard < 0 && step.memory.stores)
      add(flow.stored, made);
    for (uint16_t result : step.results) {
      // A step that is guarded may leave what was there.
      if (step.guard >= 0)
        add(made, registers[result]);
      registers[result] = made;
    }
  }
  flow.ports.assign(registers.begin(), registers.begin() + program.ports);
  return flow;
}

} // namespace tilescope::interp
