// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice.
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Libdevice.h"

namespace tilescope::interp {

Flattener::Outcome Flattener::externFunction(tile::ExternOp op) {
  const LibdeviceFunction *function = findLibdevice(op.getSymbol());
  if (!function) {
    m_diagnostics.error("libdevice-unknown", spanOf(op.getLoc()), {op.getSymbol().str()});
    return Outcome::Failed;
  }
  std::vector<Operand> operands;
  uint32_t count = 1;
  for (mlir::Value operand : op.getOperands()) {
    operands.push_back(get(operand));
    count = std::max(count, operands.back().stored);
  }
  if (function->begin) {
    const Operand three = m_code.fresh(ElementType::Float64, count);
    m_code.emit(function->begin, three, {operands[0], operands[1], operands[2]}, count);
    operands = {three, operands[3]};
  }
  const Operand result = m_code.fresh(interp::elementTypeOf(op.getType()), count);
  switch (operands.size()) {
  case 1:
    m_code.emit(function->handler, result, {operands[0]}, count);
    break;
  case 2:
    m_code.emit(function->handler, result, {operands[0], operands[1]}, count);
    break;
  default:
    m_code.emit(function->handler, result, {operands[0], operands[1], operands[2]}, count);
  }
  set(op, result);
  return Outcome::Done;
}

} // namespace tilescope::interp
