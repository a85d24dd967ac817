// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/NonFinite.h"

#include "compiler/Interpreter/Operations.h"

#include <cmath>
#include <cstring>

namespace tilescope::interp {

namespace {

/// Instructions after which nobody looks any longer.
constexpr uint64_t MostSteps = uint64_t(1) << 22;

/// The elements of a slot of floats.
class Elements {
public:
  Elements(Frame &frame, Slot slot, ElementType type, size_t count)
      : m_bytes(frame.at<std::byte>(slot), frame.at<std::byte>(slot) + count * slotBytes(type)),
        m_double(slotType(type) == ElementType::Float64) {}

  size_t size() const { return m_bytes.size() / (m_double ? 8 : 4); }
  double operator[](size_t i) const {
    double wide;
    float narrow;
    if (m_double)
      std::memcpy(&wide, m_bytes.data() + i * 8, 8);
    else
      std::memcpy(&narrow, m_bytes.data() + i * 4, 4);
    return m_double ? wide : double(narrow);
  }

private:
  std::vector<std::byte> m_bytes;
  bool m_double;
};

/// Is what an instruction made new, given the operand elements that it depends on?
bool isNew(double made, const std::vector<Elements> &operands, size_t i, bool byPlace, size_t count) {
  for (const Elements &operand : operands) {
    const bool one = byPlace && operand.size() == count;
    for (size_t k = one ? i : 0; k < (one ? i + 1 : operand.size()); ++k)
      if (std::isnan(made) ? std::isnan(operand[k]) : !std::isfinite(operand[k]))
        return false;
  }
  return !operands.empty();
}

std::vector<Elements> operandsOf(Frame &frame, const Instruction &instruction, const FlowDetail &flow) {
  std::vector<Elements> operands;
  for (unsigned k = 0; k < 3; ++k)
    if ((instruction.used >> k & 1) && isFloat(flow.operandTypes[k]))
      operands.emplace_back(frame, instruction.operands[k], flow.operandTypes[k], flow.operands[k]);
  return operands;
}

/// Does the instruction compute floats, so that a new value can arise in it?
bool computes(const Instruction &instruction, const FlowDetail &flow) {
  const bool moves = flow.flow == Flow::Load || flow.flow == Flow::Atomic || flow.flow == Flow::Move ||
                     flow.flow == Flow::Select || flow.flow == Flow::Gather || flow.flow == Flow::Pick ||
                     flow.flow == Flow::Put;
  return (instruction.used & ResultUsed) && isFloat(flow.resultType) && !moves;
}

} // namespace

std::optional<NonFiniteOrigin> findNonFinite(const Launch &launch, AddressSpace &memory, uint32_t version,
                                             uint64_t program, bool nan) {
  if (launch.log && !launch.log->complete())
    return std::nullopt;
  Overlay overlay(memory, version);
  RunOptions options;
  Launch again{launch.kernel, launch.grid, launch.arguments, options, launch.extents};
  Worker worker(again, MemoryPort(memory, &overlay));
  worker.replays = true;
  Frame frame(launch.kernel);
  frame.start(worker, program);
  if (const ProgramLog *log = launch.log ? launch.log->find(program) : nullptr)
    frame.log.replay(*log);
  std::optional<NonFiniteOrigin> infinity;
  for (uint64_t step = 0; step < MostSteps; ++step) {
    const uint32_t index = frame.pc++;
    const Instruction &instruction = launch.kernel.code()[index];
    const FlowDetail &flow = launch.kernel.flow(index);
    const bool looks = computes(instruction, flow);
    const std::vector<Elements> operands =
        looks ? operandsOf(frame, instruction, flow) : std::vector<Elements>{};
    instruction.handler(frame, instruction);
    if (frame.state == FrameState::Waiting)
      frame.state = FrameState::Running;
    if (frame.state != FrameState::Running)
      break;
    if (!looks)
      continue;
    const Elements made(frame, instruction.result, flow.resultType, flow.result);
    const bool byPlace = flow.flow == Flow::Elementwise || flow.flow == Flow::Keep;
    for (size_t i = 0; i < made.size(); ++i) {
      if (std::isfinite(made[i]) || !isNew(made[i], operands, i, byPlace, flow.result))
        continue;
      if (std::isnan(made[i]) == nan)
        return NonFiniteOrigin{index, i, made[i]};
      if (!infinity)
        infinity = NonFiniteOrigin{index, i, made[i]};
    }
  }
  return infinity;
}

} // namespace tilescope::interp
