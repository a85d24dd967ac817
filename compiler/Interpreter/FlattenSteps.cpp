// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes which instructions an operation became and where its results stand, for those who step through a
// program (Steps.h).
#include "compiler/Interpreter/Flattener.h"

#include <llvm/ADT/TypeSwitch.h>

namespace tilescope::interp {

namespace {

std::string variableOf(mlir::Location location) {
  auto named = llvm::dyn_cast<mlir::NameLoc>(location);
  return named ? named.getName().str() : std::string();
}

mlir::Value maskOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, mlir::Value>(op)
      .Case<tile::LoadOp, tile::StoreOp, tile::AtomicRmwOp>([](auto access) { return access.getMask(); })
      .Default([](mlir::Operation *) { return mlir::Value(); });
}

/// A value before it was broadcast, and its shape as far as it is as long as the whole or 1.
std::pair<mlir::Value, std::vector<int64_t>> beforeBroadcast(mlir::Value value) {
  const llvm::ArrayRef<int64_t> whole = tile::shapeOf(value.getType());
  std::vector<int64_t> shape(whole.begin(), whole.end());
  bool isReshaped = false;
  for (mlir::Operation *op = value.getDefiningOp(); op; op = value.getDefiningOp()) {
    if (llvm::isa<tile::BroadcastOp>(op) && !isReshaped) {
      const llvm::ArrayRef<int64_t> narrow = tile::shapeOf(op->getOperand(0).getType());
      shape.assign(narrow.begin(), narrow.end());
    } else if (llvm::isa<tile::SplatOp>(op)) {
      shape.assign(shape.size(), 1);
    } else if (llvm::isa<tile::ExpandDimsOp, tile::ReshapeOp>(op)) {
      isReshaped = true;
    } else if (!llvm::isa<tile::BitcastOp>(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  return {value, shape};
}

} // namespace

NotedValue Flattener::valueOf(mlir::Type type, std::string name) {
  NotedValue value;
  value.name = std::move(name);
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(type);
  value.shape.assign(shape.begin(), shape.end());
  value.isPointer = interp::isPointer(type);
  if (value.isPointer)
    value.pointee =
        interp::elementTypeOf(llvm::cast<tile::PointerType>(tile::elementTypeOf(type)).getPointee());
  return value;
}

/// The operands of an `&` of masks and of those within; false if one of them was not noted.
bool Flattener::addConjuncts(tile::AndOp op, std::vector<Conjunct> &conjuncts) {
  for (mlir::Value operand : op->getOperands()) {
    if (auto inner = operand.getDefiningOp<tile::AndOp>()) {
      if (!addConjuncts(inner, conjuncts))
        return false;
      continue;
    }
    const auto [value, shape] = beforeBroadcast(operand);
    const auto noted = m_noted.find(value);
    if (noted == m_noted.end())
      return false;
    conjuncts.push_back({noted->second, shape});
  }
  return true;
}

void Flattener::noteResults(mlir::Operation *op) {
  if (m_step == NoStep)
    return;
  m_code.stepMade(m_step);
  const std::string variable = op->getNumResults() == 1 ? variableOf(op->getLoc()) : std::string();
  StepTable &table = m_code.steps();
  if (table.steps[m_step].begin == m_code.position() && variable.empty())
    return;
  for (mlir::Value result : op->getResults()) {
    if (!m_values.contains(result) || llvm::isa<tile::BufferType, tile::TokenType>(result.getType()))
      continue;
    NotedValue value = valueOf(result.getType(), variable);
    auto conjunction = llvm::dyn_cast<tile::AndOp>(op);
    if (conjunction && value.shape.size() > 0 &&
        interp::elementTypeOf(result.getType()) == ElementType::Bool &&
        addConjuncts(conjunction, value.conjuncts))
      for (const Conjunct &conjunct : value.conjuncts)
        table.values[conjunct.value].isKept = true;
    else
      value.conjuncts.clear();
    const uint32_t index = m_code.note(std::move(value), get(result));
    table.steps[m_step].results.push_back(index);
    m_noted[result] = index;
  }
  if (const mlir::Value mask = maskOf(op))
    if (const auto noted = m_noted.find(beforeBroadcast(mask).first); noted != m_noted.end()) {
      table.steps[m_step].mask = static_cast<int32_t>(noted->second);
      table.values[noted->second].isKept = true;
    }
}

/// After its own instructions; what follows belongs to other steps.
void Flattener::closeStep() {
  if (m_step != NoStep)
    m_code.endStep(m_step);
  m_step = NoStep;
}

/// The variable of a loop is made anew by this step.
void Flattener::noteInduction(uint32_t step, mlir::Value induction) {
  if (step == NoStep)
    return;
  const uint32_t index =
      m_code.note(valueOf(induction.getType(), variableOf(induction.getLoc())), get(induction));
  m_code.steps().steps[step].results.push_back(index);
  m_code.stepMade(step);
}

void Flattener::noteParameter(mlir::Value parameter, std::string name) {
  m_code.steps().parameters.push_back(
      m_code.note(valueOf(parameter.getType(), std::move(name)), get(parameter)));
}

} // namespace tilescope::interp
