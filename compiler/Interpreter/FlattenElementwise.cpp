// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on elements at the same place, casts, and what a program starts from.
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Machine.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/TypeSwitch.h>

#include <bit>

namespace tilescope::interp {

namespace {

/// Operations that are one handler on all their operands.
std::optional<Op> plainOperation(llvm::StringRef name) {
  static const llvm::StringMap<Op> operations = {
      {"add", Op::Add},     {"sub", Op::Sub},     {"mul", Op::Mul},     {"mulhi", Op::MulHi},
      {"div", Op::Div},     {"rem", Op::Rem},     {"and", Op::And},     {"or", Op::Or},
      {"xor", Op::Xor},     {"shl", Op::Shl},     {"shr", Op::Shr},     {"min", Op::Min},
      {"max", Op::Max},     {"neg", Op::Neg},     {"not", Op::Not},     {"abs", Op::Abs},
      {"floor", Op::Floor}, {"ceil", Op::Ceil},   {"trunc", Op::Trunc}, {"round", Op::Round},
      {"sqrt", Op::Sqrt},   {"rsqrt", Op::Rsqrt}, {"exp", Op::Exp},     {"exp2", Op::Exp2},
      {"log", Op::Log},     {"log2", Op::Log2},   {"sin", Op::Sin},     {"cos", Op::Cos},
      {"tanh", Op::Tanh},   {"erf", Op::Erf},     {"fma", Op::Fma},     {"clamp", Op::Clamp}};
  const auto found = operations.find(name);
  return found == operations.end() ? std::nullopt : std::optional(found->second);
}

Op withNan(Op op) {
  return op == Op::Min ? Op::MinNan : op == Op::Max ? Op::MaxNan : op == Op::Clamp ? Op::ClampNan : op;
}

Op comparisonOf(tile::Predicate predicate) {
  switch (predicate) {
  case tile::Predicate::Eq:
    return Op::Eq;
  case tile::Predicate::Ne:
    return Op::Ne;
  case tile::Predicate::Lt:
    return Op::Lt;
  case tile::Predicate::Le:
    return Op::Le;
  case tile::Predicate::Gt:
    return Op::Gt;
  case tile::Predicate::Ge:
    return Op::Ge;
  }
  return Op::Eq;
}

/// The slot's form of a constant; its low bits for an integer.
uint64_t slotBits(mlir::TypedAttr value) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(value))
    return integer.getValue().getZExtValue();
  llvm::APFloat number = llvm::cast<mlir::FloatAttr>(value).getValue();
  const bool isDouble = number.getSizeInBits(number.getSemantics()) == 64;
  bool inexact;
  number.convert(isDouble ? llvm::APFloat::IEEEdouble() : llvm::APFloat::IEEEsingle(),
                 llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.bitcastToAPInt().getZExtValue();
}

} // namespace

void Flattener::constant(tile::ConstantOp op) {
  set(op, m_code.constant(interp::elementTypeOf(op.getType()), slotBits(op.getValue())));
}

/// Only of a divisor that is the same for all elements: in a tile, elements that are masked off may be 0.
void Flattener::checkDivisor(mlir::Operation *op) {
  const Operand divisor = get(op->getOperand(1));
  auto constant = op->getOperand(1).getDefiningOp<tile::ConstantOp>();
  if (divisor.stored != 1 || isFloat(divisor.type) || (constant && slotBits(constant.getValue()) != 0))
    return;
  m_code.emit(&control::checkDivisor, {divisor}, 1, divisor.slotBytes());
}

void Flattener::arithmetic(mlir::Operation *op, Op code) {
  if (code == Op::Div || code == Op::Rem)
    checkDivisor(op);
  const auto operand = [&](unsigned index) { return get(op->getOperand(index)); };
  switch (op->getNumOperands()) {
  case 1:
    return set(op->getResult(0), m_code.elementwise(code, {operand(0)}));
  case 2:
    return set(op->getResult(0), m_code.elementwise(code, {operand(0), operand(1)}));
  default:
    return set(op->getResult(0), m_code.elementwise(code, {operand(0), operand(1), operand(2)}));
  }
}

Flattener::Outcome Flattener::elementwise(mlir::Operation *op) {
  if (auto exchange = llvm::dyn_cast<tile::XorOp>(op); exchange && swap(exchange))
    return Outcome::Done;
  if (auto code = plainOperation(op->getName().stripDialect())) {
    const Op wanted = op->hasAttr("propagate_nan") ? withNan(*code) : *code;
    if (!m_code.has(wanted, interp::elementTypeOf(op->getOperand(0).getType())))
      return Outcome::NotMine;
    arithmetic(op, wanted);
    return Outcome::Done;
  }
  return llvm::TypeSwitch<mlir::Operation *, Outcome>(op)
      .Case([&](tile::ConstantOp op) {
        constant(op);
        return Outcome::Done;
      })
      .Case([&](tile::MakeRangeOp op) {
        set(op, m_code.range(op.getStart(), op.getEnd()));
        return Outcome::Done;
      })
      .Case([&](tile::ProgramIdOp op) {
        const Operand result = m_code.fresh(ElementType::Int32, 1);
        m_code.emit(&control::programId, result, {}, 1, uint32_t(op.getAxis()));
        set(op, result);
        return Outcome::Done;
      })
      .Case([&](tile::NumProgramsOp op) {
        const Operand result = m_code.fresh(ElementType::Int32, 1);
        m_code.emit(&control::numPrograms, result, {}, 1, uint32_t(op.getAxis()));
        set(op, result);
        return Outcome::Done;
      })
      .Case([&](tile::CmpOp op) {
        set(op, m_code.elementwise(comparisonOf(op.getPredicate()), {get(op.getLhs()), get(op.getRhs())}));
        return Outcome::Done;
      })
      .Case([&](tile::SelectOp op) {
        set(op, m_code.select(get(op.getCondition()), get(op.getOnTrue()), get(op.getOnFalse())));
        return Outcome::Done;
      })
      .Case([&](tile::CastOp op) {
        set(op, m_code.cast(get(op.getOperand()), interp::elementTypeOf(op.getType()),
                            op.getRounding() == tile::Rounding::TowardZero, op.getSaturate()));
        return Outcome::Done;
      })
      .Case([&](tile::BitcastOp op) {
        set(op, m_code.bitcast(get(op.getOperand()), interp::elementTypeOf(op.getType())));
        return Outcome::Done;
      })
      .Case<tile::IntToPtrOp, tile::PtrToIntOp>([&](auto op) {
        Operand result = get(op.getOperand());
        result.type = interp::elementTypeOf(op.getType());
        result.provenance = {};
        set(op, result);
        return Outcome::Done;
      })
      .Case([&](tile::AddPtrOp op) {
        const mlir::Type pointee =
            llvm::cast<tile::PointerType>(tile::elementTypeOf(op.getPointer().getType())).getPointee();
        set(op, m_code.addPointer(get(op.getPointer()), get(op.getOffset()), tile::byteSizeOf(pointee)));
        return Outcome::Done;
      })
      .Case([&](tile::ExternOp op) { return externFunction(op); })
      .Default([](mlir::Operation *) { return Outcome::NotMine; });
}

} // namespace tilescope::interp
