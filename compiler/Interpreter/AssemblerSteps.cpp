// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the Assembler that notes steps (Steps.h).
#include "compiler/Interpreter/Assembler.h"

#include <algorithm>

namespace tilescope::interp {

uint32_t Assembler::beginStep(std::string operation, bool isHidden) {
  Step step;
  step.operation = std::move(operation);
  step.place = m_place;
  step.begin = step.made = position();
  step.isHidden = isHidden;
  m_kernel->m_steps.steps.push_back(std::move(step));
  return nextStep() - 1;
}

void Assembler::endStep(uint32_t index) {
  auto &[steps, values, parameters, landings] = m_kernel->m_steps;
  const auto isVariable = [&](uint32_t value) { return !values[value].name.empty(); };
  const Step &step = steps[index];
  if (index + 1 == steps.size() && step.begin == position() &&
      std::none_of(step.results.begin(), step.results.end(), isVariable))
    steps.pop_back();
}

/// A variable that is another name for an older value keeps that value until here.
uint32_t Assembler::note(NotedValue value, const Operand &operand) {
  value.place = m_place;
  value.element = operand.type;
  value.slot = operand.value;
  value.stored = operand.stored;
  value.provenance = operand.provenance;
  value.isKept = !value.name.empty();
  if (value.isKept && position() > 0) {
    keep(operand);
    if (operand.provenance.kind == Provenance::Kind::Slot)
      keep({.value = operand.provenance.index});
  }
  return add(m_kernel->m_steps.values, std::move(value));
}

} // namespace tilescope::interp
