// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: which ports its operands and results have, and its program.
#include "compiler/Interpreter/Flattener.h"

namespace tilescope::interp {

namespace {

ElementType unsignedOf(unsigned bytes) {
  return bytes == 1   ? ElementType::UInt8
         : bytes == 2 ? ElementType::UInt16
         : bytes == 4 ? ElementType::UInt32
                      : ElementType::UInt64;
}

/// Elements narrower than a register of 32 bits share one, as many as `pack` allows.
PortDetail portOf(ElementType type, uint32_t pack, uint32_t &next) {
  PortDetail port{.first = next, .pack = pack, .bytes = byteSize(type)};
  port.perPort = port.bytes < 4 ? std::min(4 / port.bytes, pack) : 1;
  next += (pack + port.perPort - 1) / port.perPort;
  return port;
}

} // namespace

/// Each ld and st is an access, of a tensor that is found by its address.
void Flattener::noteAccesses(tile::InlineAsmOp op, PtxProgram &program) {
  for (PtxStep &step : program.steps) {
    PtxMemory &memory = step.memory;
    if (!memory.loads && !memory.stores)
      continue;
    if (memory.stores || memory.isStrong)
      m_code.runInProgramOrder();
    AccessDetail access;
    access.element = unsignedOf(step.source.bits * step.source.lanes / 8u);
    access.isVolatile = memory.isStrong;
    access.acquires = memory.acquires;
    access.releases = memory.releases;
    access.site = m_code.site(
        {memory.loads ? AccessKind::Load : AccessKind::Store, spanOf(op.getLoc()), access.element, {}, -1});
    memory.access = m_code.detail(access);
  }
}

/// Results have the first ports, then come the operands.
void Flattener::inlineAssembly(tile::InlineAsmOp op) {
  const uint32_t pack = op.getPack(), count = elementsOf(op.getResult(0).getType()), groups = count / pack;
  uint32_t ports = 0;
  std::vector<PortDetail> resultPorts, operandPorts;
  for (mlir::Value result : op.getResults())
    resultPorts.push_back(portOf(interp::elementTypeOf(result.getType()), pack, ports));
  for (mlir::Value operand : op.getOperands())
    operandPorts.push_back(portOf(interp::elementTypeOf(operand.getType()), pack, ports));
  auto program = parsePtx(op.getAssembly().str(), op.getConstraints().str(), ports);
  const Operand registers = m_code.fresh(ElementType::UInt64, groups * ports);
  if (!program)
    m_code.emit(refuseAssembly(), registers, {}, 1,
                m_code.detail(MessageDetail{program.error().arguments[0], {}}));
  for (auto [operand, port] : llvm::zip_equal(op.getOperands(), operandPorts)) {
    port.ports = ports;
    const Operand elements = full(operand);
    const Operand bits = m_code.bitcast(elements, unsignedOf(byteSize(elements.type)));
    m_code.emit(toPorts(), registers, {bits}, groups, m_code.detail(port));
  }
  if (program) {
    const auto steps = static_cast<uint32_t>(program->steps.size());
    noteAccesses(op, *program);
    program->flow = ptxFlow(*program);
    m_code.emit(assembly(), registers, {registers}, groups, m_code.detail(std::move(*program))).cost =
        std::max(groups * steps, 16u);
    m_code.flow(Flow::Assembly, {groups, ports});
  }
  for (auto [result, port] : llvm::zip_equal(op.getResults(), resultPorts)) {
    port.ports = ports;
    const ElementType type = interp::elementTypeOf(result.getType());
    const Operand bits = m_code.fresh(unsignedOf(byteSize(type)), count);
    m_code.emit(fromPorts(), bits, {registers}, groups, m_code.detail(port));
    set(result, m_code.bitcast(bits, type));
  }
}

} // namespace tilescope::interp
