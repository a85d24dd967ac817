// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators on run-time values. On constants they are those of compiler/Value/Operators.h.
#include "compiler/Frontend/Semantics.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

#include <bit>

namespace tilescope::frontend {

namespace {

using syntax::BinaryOperator;
using syntax::CompareOperator;
using syntax::UnaryOperator;

enum class NumberKind { Boolean, Integer, Float };
NumberKind kindOf(mlir::Type element) {
  if (tile::isFloat(element))
    return NumberKind::Float;
  return tile::isBoolean(element) ? NumberKind::Boolean : NumberKind::Integer;
}

bool isRuntime(const Operand &operand) { return operand.term.value() != nullptr; }

Term folded(Emitter &emitter, Result<Value> result) {
  if (result)
    return *result;
  emitter.error(emitter.range(), result.error().id, result.error().arguments);
  return {};
}

/// The error that two operands do not go together, with both types.
void reportTypes(Emitter &emitter, const Operand &left, const Operand &right, std::string_view name) {
  emitter.error(emitter.range(), "operand-types",
                {std::string(name), describe(left.term), describe(right.term)});
}

mlir::Type elementOf(Emitter &emitter, const Operand &operand) {
  if (mlir::Value value = operand.term.value())
    return tile::elementTypeOf(value.getType());
  return typeOfNumber(emitter.context(), *operand.term.constant());
}

bool isUsable(const Operand &operand) { return isRuntime(operand) || operand.term.isNumber(); }

/// May this number take part in arithmetic of type `type`?
bool fits(Emitter &emitter, const Operand &operand, mlir::Type type) {
  const Integer *number = operand.term.constant() ? operand.term.constant()->asInt() : nullptr;
  if (!number || !tile::isInteger(type) || holds(type, *number))
    return true;
  emitter.error(operand.range,
                number->isNegative() && !tile::isSigned(type) ? "negative-for-unsigned"
                                                              : "number-out-of-range",
                {number->toString(), typeName(type)});
  return false;
}

/// An operand in the element type `type`; a number beside a tile becomes a tile at once.
mlir::Value operandAs(Emitter &emitter, const Operand &operand, const Operand &other, mlir::Type type) {
  if (mlir::Value value = operand.term.value())
    return castTo(emitter, value, type, operand.range);
  mlir::Value beside = other.term.value();
  return constantOf(emitter, beside ? tile::withElementType(beside.getType(), type) : type,
                    *operand.term.constant());
}

bool signednessDiffers(mlir::Type a, mlir::Type b) {
  return tile::isInteger(a) && tile::isInteger(b) && tile::isSigned(a) != tile::isSigned(b);
}

mlir::Type commonInteger(mlir::Type a, mlir::Type b) {
  unsigned left = tile::bitWidthOf(a), right = tile::bitWidthOf(b);
  if (tile::isSigned(a) == tile::isSigned(b))
    return left >= right ? a : b;
  if (tile::isSigned(a))
    return right >= left ? b : a;
  return left >= right ? a : b;
}

mlir::Type commonFloat(mlir::Type a, mlir::Type b, bool isDivision) {
  auto *context = a.getContext();
  auto either = [&](ElementType type) {
    return a == mlirType(context, type) || b == mlirType(context, type);
  };
  auto wide = mlirType(context, ElementType::Float32);
  if (either(ElementType::Float64))
    return mlirType(context, ElementType::Float64);
  if (isDivision || either(ElementType::Float32))
    return wide;
  if (either(ElementType::Float16))
    return mlirType(context, ElementType::Float16);
  if (either(ElementType::BFloat16))
    return a == b ? a : wide;
  if (isFloat8(a) && isFloat8(b))
    return a == b ? a : mlirType(context, ElementType::Float16);
  return {};
}

//===- Pointers -----------------------------------------------------------------------------------===//

bool isPointerOperand(const Operand &operand) {
  mlir::Value value = operand.term.value();
  return value && tile::isPointer(tile::elementTypeOf(value.getType()));
}

Term movePointer(Emitter &emitter, BinaryOperator op, const Operand &pointer, const Operand &offset) {
  mlir::Value base = pointer.term.value();
  mlir::Value distance = toTensor(emitter, offset);
  if (!distance)
    return {};
  if (!tile::isInteger(tile::elementTypeOf(distance.getType()))) {
    reportTypes(emitter, pointer, offset, spelling(op));
    return {};
  }
  if (op == BinaryOperator::Sub)
    distance = emitter.create<tile::NegOp>(distance);
  if (!broadcast(emitter, base, distance, pointer.range, offset.range))
    return {};
  return mlir::Value(emitter.create<tile::AddPtrOp>(base.getType(), base, distance));
}

Term pointerArithmetic(Emitter &emitter, BinaryOperator op, const Operand &left, const Operand &right) {
  bool leftIs = isPointerOperand(left), rightIs = isPointerOperand(right);
  if (op == BinaryOperator::Add && leftIs != rightIs)
    return leftIs ? movePointer(emitter, op, left, right) : movePointer(emitter, op, right, left);
  if (op == BinaryOperator::Sub && leftIs && !rightIs)
    return movePointer(emitter, op, left, right);
  reportTypes(emitter, left, right, spelling(op));
  return {};
}

//===- Arithmetic ---------------------------------------------------------------------------------===//

template <typename Op> mlir::Value make(Emitter &emitter, mlir::Value a, mlir::Value b) {
  return emitter.create<Op>(a.getType(), a, b);
}
template <> mlir::Value make<tile::DivOp>(Emitter &emitter, mlir::Value a, mlir::Value b) {
  return emitter.create<tile::DivOp>(a.getType(), a, b, /*precise=*/false);
}

enum class Domain { Number, Integer, Quotient };
struct OperatorRow {
  BinaryOperator op;
  Domain domain;
  bool isDivision;
  mlir::Value (*make)(Emitter &, mlir::Value, mlir::Value);
};
constexpr OperatorRow operatorRows[] = {
    {BinaryOperator::Add, Domain::Number, false, make<tile::AddOp>},
    {BinaryOperator::Sub, Domain::Number, false, make<tile::SubOp>},
    {BinaryOperator::Mult, Domain::Number, false, make<tile::MulOp>},
    {BinaryOperator::Div, Domain::Quotient, true, make<tile::DivOp>},
    {BinaryOperator::FloorDiv, Domain::Integer, true, make<tile::DivOp>},
    {BinaryOperator::Mod, Domain::Number, true, make<tile::RemOp>},
    {BinaryOperator::BitAnd, Domain::Integer, false, make<tile::AndOp>},
    {BinaryOperator::BitOr, Domain::Integer, false, make<tile::OrOp>},
    {BinaryOperator::BitXor, Domain::Integer, false, make<tile::XorOp>},
    {BinaryOperator::LShift, Domain::Integer, false, make<tile::ShlOp>},
    {BinaryOperator::RShift, Domain::Integer, false, make<tile::ShrOp>},
};

Term arithmetic(Emitter &emitter, const OperatorRow &row, const Operand &left, const Operand &right) {
  Pair pair = promote(emitter, left, right, spelling(row.op), row.isDivision);
  if (!pair)
    return {};
  mlir::Type element = tile::elementTypeOf(pair.left.getType());
  if (row.domain == Domain::Integer && !tile::isInteger(element)) {
    reportTypes(emitter, left, right, spelling(row.op));
    return {};
  }
  if (row.domain == Domain::Quotient && tile::isInteger(element)) {
    mlir::Type real = mlirType(emitter.context(), ElementType::Float32);
    pair.left = castTo(emitter, pair.left, real, left.range);
    pair.right = castTo(emitter, pair.right, real, right.range);
  }
  // A shift to the right fills by the sign that the left operand had before it was promoted.
  mlir::Type before =
      row.op == BinaryOperator::RShift && left.term.value() ? elementOf(emitter, left) : mlir::Type();
  if (before && tile::isSigned(before) && !tile::isSigned(element)) {
    static constexpr ElementType signedTypes[] = {ElementType::Int8, ElementType::Int16, ElementType::Int32,
                                                  ElementType::Int64};
    mlir::Type filled =
        mlirType(emitter.context(), signedTypes[std::countr_zero(tile::bitWidthOf(element)) - 3]);
    mlir::Value shifted = row.make(emitter, castTo(emitter, pair.left, filled, left.range),
                                   castTo(emitter, pair.right, filled, right.range));
    return castTo(emitter, shifted, element, left.range);
  }
  return row.make(emitter, pair.left, pair.right);
}

Term repeated(const TupleTerm &tuple, int64_t times) {
  std::vector<Term> items;
  for (int64_t i = 0; i < times; ++i)
    items.insert(items.end(), tuple.items.begin(), tuple.items.end());
  return makeTuple(std::move(items));
}

Term joined(const TupleTerm &left, const TupleTerm &right) {
  std::vector<Term> items = left.items;
  items.insert(items.end(), right.items.begin(), right.items.end());
  return makeTuple(std::move(items));
}

/// `a @ b` and `a ** b` have no meaning on run-time values; a named error says what to write.
Term unsupported(Emitter &emitter, BinaryOperator op, const Operand &left, const Operand &right) {
  if (op == BinaryOperator::MatMult) {
    auto text = [&](const Operand &o) {
      return std::string(emitter.frame()->function->module->file->text(o.range));
    };
    Diagnostic &error = emitter.error(emitter.range(), "matmul-operator");
    error.fix =
        DiagnosticFix{"use-dot", {}, emitter.range(), "tl.dot(" + text(left) + ", " + text(right) + ")"};
  } else {
    emitter.error(emitter.range(), "power-operator");
  }
  return {};
}

//===- Comparison ---------------------------------------------------------------------------------===//

std::optional<tile::Predicate> predicateOf(CompareOperator op) {
  switch (op) {
  case CompareOperator::Eq:
    return tile::Predicate::Eq;
  case CompareOperator::NotEq:
    return tile::Predicate::Ne;
  case CompareOperator::Lt:
    return tile::Predicate::Lt;
  case CompareOperator::LtE:
    return tile::Predicate::Le;
  case CompareOperator::Gt:
    return tile::Predicate::Gt;
  case CompareOperator::GtE:
    return tile::Predicate::Ge;
  default:
    return std::nullopt;
  }
}

/// `a == b`, `a is b` and `a in b` where nothing of it is a run-time value.
Term compareStatic(Emitter &emitter, CompareOperator op, const Operand &left, const Operand &right) {
  bool negated = op == CompareOperator::NotEq || op == CompareOperator::IsNot || op == CompareOperator::NotIn;
  if (op == CompareOperator::In || op == CompareOperator::NotIn) {
    if (const TupleTerm *tuple = right.term.tuple()) {
      bool found = llvm::any_of(tuple->items, [&](const Term &item) { return item.identical(left.term); });
      return Value(found != negated);
    }
  } else if (op <= CompareOperator::NotEq || op == CompareOperator::Is || op == CompareOperator::IsNot) {
    if (!left.term.isNumber() || !right.term.isNumber() || op >= CompareOperator::Is)
      return Value(left.term.identical(right.term) != negated);
  }
  if (!left.term.constant() || !right.term.constant()) {
    reportTypes(emitter, left, right, spelling(op));
    return {};
  }
  Result<bool> result = compare(op, *left.term.constant(), *right.term.constant());
  return folded(emitter, result ? Result<Value>(Value(*result)) : Result<Value>(result.error()));
}

} // namespace

mlir::Type commonType(mlir::Type left, bool leftIsNumber, mlir::Type right, bool rightIsNumber,
                      bool isDivision) {
  if (leftIsNumber != rightIsNumber) {
    mlir::Type number = leftIsNumber ? left : right, tensor = leftIsNumber ? right : left;
    if (kindOf(number) <= kindOf(tensor))
      left = right = tensor;
  }
  if (tile::isFloat(left) || tile::isFloat(right))
    return commonFloat(left, right, isDivision);
  return commonInteger(left, right);
}

Pair promote(Emitter &emitter, const Operand &left, const Operand &right, std::string_view name,
             bool isDivision) {
  if (left.term.isError() || right.term.isError())
    return {};
  if (!isUsable(left) || !isUsable(right) || isPointerOperand(left) || isPointerOperand(right)) {
    reportTypes(emitter, left, right, name);
    return {};
  }
  mlir::Type a = elementOf(emitter, left), b = elementOf(emitter, right);
  mlir::Type common =
      a && b ? commonType(a, !isRuntime(left), b, !isRuntime(right), isDivision) : mlir::Type();
  if (!common) {
    reportTypes(emitter, left, right, name);
    return {};
  }
  bool bothTensors = isRuntime(left) == isRuntime(right);
  if (isDivision && signednessDiffers(a, b) && tile::isInteger(common) &&
      (bothTensors || common != (isRuntime(left) ? a : b))) {
    emitter.error(emitter.range(), "mixed-signedness", {std::string(name), typeName(a), typeName(b)});
    return {};
  }
  if (!fits(emitter, left, common) || !fits(emitter, right, common))
    return {};
  Pair pair{operandAs(emitter, left, right, common), operandAs(emitter, right, left, common)};
  if (!pair || !broadcast(emitter, pair.left, pair.right, left.range, right.range))
    return {};
  return pair;
}

Triple promote(Emitter &emitter, const Operand &first, const Operand &second, const Operand &third,
               std::string_view name) {
  const Operand *operands[] = {&first, &second, &third};
  mlir::Type ofTiles, ofNumbers;
  for (const Operand *operand : operands) {
    if (operand->term.isError())
      return {};
    if (!isUsable(*operand) || isPointerOperand(*operand)) {
      emitter.error(operand->range, "operand-type", {std::string(name), describe(operand->term)});
      return {};
    }
    mlir::Type element = elementOf(emitter, *operand);
    mlir::Type &common = isRuntime(*operand) ? ofTiles : ofNumbers;
    common = common && element ? commonType(common, false, element, false, false) : element;
    if (!common) {
      reportTypes(emitter, first, second, name);
      return {};
    }
  }
  mlir::Type common = ofTiles && ofNumbers ? commonType(ofTiles, false, ofNumbers, true, false)
                      : ofTiles            ? ofTiles
                                           : ofNumbers;
  if (!common) {
    reportTypes(emitter, first, second, name);
    return {};
  }
  mlir::Value values[3];
  for (size_t i = 0; i < 3; ++i)
    if (!fits(emitter, *operands[i], common) ||
        !(values[i] = operandAs(emitter, *operands[i], *operands[i], common)))
      return {};
  for (size_t i : {1u, 2u, 1u})
    if (!broadcast(emitter, values[0], values[i], first.range, operands[i]->range))
      return {};
  return {values[0], values[1], values[2]};
}

Term binary(Emitter &emitter, BinaryOperator op, const Operand &left, const Operand &right) {
  if (left.term.isError() || right.term.isError())
    return {};
  if (left.term.tuple() && right.term.tuple() && op == BinaryOperator::Add)
    return joined(*left.term.tuple(), *right.term.tuple());
  if (const TupleTerm *tuple = left.term.tuple(); tuple && op == BinaryOperator::Mult)
    if (auto times = right.term.constant() ? right.term.constant()->index() : std::nullopt)
      return repeated(*tuple, std::min<int64_t>(*times, 1024));
  if (left.term.constant() && right.term.constant())
    return folded(emitter, binary(op, *left.term.constant(), *right.term.constant()));
  if (isPointerOperand(left) || isPointerOperand(right))
    return pointerArithmetic(emitter, op, left, right);
  for (const OperatorRow &row : operatorRows)
    if (row.op == op)
      return arithmetic(emitter, row, left, right);
  return unsupported(emitter, op, left, right);
}

Term unary(Emitter &emitter, UnaryOperator op, const Operand &operand) {
  if (operand.term.isError())
    return {};
  if (operand.term.constant())
    return folded(emitter, unary(op, *operand.term.constant()));
  if (op == UnaryOperator::Not && !operand.term.value() && !operand.term.type())
    return Value(!operand.term.tuple() || operand.term.tuple()->items.empty());
  mlir::Value value = operand.term.value();
  if (op == UnaryOperator::UAdd && value) {
    auto &file = *emitter.frame()->function->module->file;
    Diagnostic &error = emitter.error(emitter.range(), "unary-plus", {describe(operand.term)});
    error.fix = DiagnosticFix{"remove-plus", {}, emitter.range(), std::string(file.text(operand.range))};
    return {};
  }
  mlir::Type element = value ? tile::elementTypeOf(value.getType()) : mlir::Type();
  bool wanted = element && (op == UnaryOperator::Invert ? tile::isInteger(element)
                            : op == UnaryOperator::Not  ? tile::isBoolean(element)
                                                        : tile::isNumber(element));
  if (!wanted) {
    emitter.error(emitter.range(), op == UnaryOperator::Not && element ? "not-boolean" : "operand-type",
                  {std::string(spelling(op)), describe(operand.term)});
    return {};
  }
  switch (op) {
  case UnaryOperator::USub:
    return mlir::Value(emitter.create<tile::NegOp>(value.getType(), value));
  default:
    return mlir::Value(emitter.create<tile::NotOp>(value.getType(), value));
  }
}

Term compare(Emitter &emitter, CompareOperator op, const Operand &left, const Operand &right) {
  if (left.term.isError() || right.term.isError())
    return {};
  if (!isRuntime(left) && !isRuntime(right))
    return compareStatic(emitter, op, left, right);
  if (op == CompareOperator::Is || op == CompareOperator::IsNot)
    return Value((op == CompareOperator::Is) == left.term.identical(right.term));
  auto predicate = predicateOf(op);
  if (!predicate) {
    reportTypes(emitter, left, right, spelling(op));
    return {};
  }
  Pair pair = promote(emitter, left, right, spelling(op));
  if (!pair)
    return {};
  return mlir::Value(
      emitter.create<tile::CmpOp>(tile::booleanLike(pair.left.getType()), *predicate, pair.left, pair.right));
}

Term logical(Emitter &emitter, syntax::BoolOperator op, const Operand &left, const Operand &right) {
  std::string name = op == syntax::BoolOperator::And ? "and" : "or";
  for (const Operand &side : {left, right}) {
    mlir::Value value = side.term.value();
    if (!side.term.isError() && (!value || !tile::isBoolean(tile::elementTypeOf(value.getType())))) {
      emitter.error(side.range, "not-boolean", {name, describe(side.term)});
      return {};
    }
  }
  return binary(emitter, op == syntax::BoolOperator::And ? BinaryOperator::BitAnd : BinaryOperator::BitOr,
                left, right);
}

Term select(Emitter &emitter, const Operand &condition, const Operand &onTrue, const Operand &onFalse) {
  mlir::Value mask = toTensor(emitter, condition);
  if (!mask)
    return {};
  mask = castTo(emitter, mask, boolean(emitter.context()), condition.range);
  mlir::Value first, second;
  if (isPointerOperand(onTrue) && isPointerOperand(onFalse)) {
    first = onTrue.term.value(), second = onFalse.term.value();
    if (!broadcast(emitter, first, second, onTrue.range, onFalse.range))
      return {};
  } else {
    Pair pair = promote(emitter, onTrue, onFalse, "where");
    first = pair.left, second = pair.right;
  }
  if (!mask || !first || !second || !broadcast(emitter, mask, first, condition.range, onTrue.range))
    return {};
  if (!broadcast(emitter, mask, second, condition.range, onFalse.range))
    return {};
  return mlir::Value(emitter.create<tile::SelectOp>(first.getType(), mask, first, second));
}

} // namespace tilescope::frontend
