// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators, subscripts and conversions where a tensor is involved.
#include "compiler/Host/OperationsElementwise.h"
#include "compiler/Host/PrintTensor.h"
#include "compiler/Host/TensorIndex.h"
#include "compiler/Host/TensorMatmul.h"
#include "compiler/Host/TensorViews.h"
#include "compiler/Value/Operators.h"

namespace tilescope::host {

namespace {

using syntax::BinaryOperator;
using syntax::CompareOperator;
using syntax::UnaryOperator;

struct OperatorRow {
  std::string_view symbol;   ///< for messages
  std::string_view name;     ///< of the operation, for its cost
  BinaryFunction function{}; ///< but for MatMult
};

/// By BinaryOperator.
constexpr OperatorRow Operators[] = {
    {"+", "add", BinaryFunction::Add},
    {"-", "sub", BinaryFunction::Subtract},
    {"*", "mul", BinaryFunction::Multiply},
    {"@", "matmul"},
    {"/", "div", BinaryFunction::Divide},
    {"%", "remainder", BinaryFunction::Modulo},
    {"**", "pow", BinaryFunction::Power},
    {"<<", "bitwise_left_shift", BinaryFunction::ShiftLeft},
    {">>", "bitwise_right_shift", BinaryFunction::ShiftRight},
    {"|", "bitwise_or", BinaryFunction::BitOr},
    {"^", "bitwise_xor", BinaryFunction::BitXor},
    {"&", "bitwise_and", BinaryFunction::BitAnd},
    {"//", "floor_divide", BinaryFunction::FloorDivide},
};
static_assert(std::size(Operators) == size_t(BinaryOperator::FloorDiv) + 1);

/// By CompareOperator.
constexpr OperatorRow Comparisons[] = {
    {"==", "eq", BinaryFunction::Equal},  {"!=", "ne", BinaryFunction::NotEqual},
    {"<", "lt", BinaryFunction::Less},    {"<=", "le", BinaryFunction::LessEqual},
    {">", "gt", BinaryFunction::Greater}, {">=", "ge", BinaryFunction::GreaterEqual},
};

std::optional<Operand> operandOf(const Value &value) {
  if (auto tensor = tensorOf(value))
    return Operand{tensor, {}};
  if (auto number = numberOf(value))
    return Operand{nullptr, *number};
  return std::nullopt;
}

Error unsupported(std::string_view symbol, const Value &left, const Value &right) {
  return {"unsupported-operands",
          {std::string(symbol), std::string(left.typeName()), std::string(right.typeName())}};
}

Result<Value> apply(OperationContext &context, const OperatorRow &row, const Value &left, const Value &right,
                    const TensorPtr &destination = nullptr) {
  auto a = operandOf(left), b = operandOf(right);
  if (!a || !b)
    return unsupported(row.symbol, left, right);
  return valueOf(binaryElementwise(context, row.name, row.function, *a, *b, destination));
}

Result<Value> product(OperationContext &context, const Value &left, const Value &right) {
  auto a = tensorOf(left), b = tensorOf(right);
  return a && b ? valueOf(matmul(context, "matmul", a, b)) : Result<Value>(unsupported("@", left, right));
}

/// The only element, settled; `unknown` while checking.
Result<std::optional<Number>> onlyElement(OperationContext &context, const Value &value) {
  auto tensor = tensorOf(value);
  if (tensor->elements() != 1)
    return Error{"not-one-element", {shapeText(tensor->shape)}};
  if (context.checking())
    return std::optional<Number>();
  if (!context.settle())
    return stopped();
  return std::optional(elementAt(*tensor, 0));
}

template <typename F> Result<Value> convert(OperationContext &context, const Value &tensor, F f) {
  auto number = onlyElement(context, tensor);
  if (!number)
    return number.error();
  return *number ? f(**number) : Result<Value>(unknown());
}

} // namespace

Result<Value> tensorBinary(OperationContext &context, BinaryOperator op, const Value &left,
                           const Value &right) {
  if (op == BinaryOperator::MatMult)
    return product(context, left, right);
  return apply(context, Operators[size_t(op)], left, right);
}

Result<Value> tensorInPlace(OperationContext &context, BinaryOperator op, const Value &left,
                            const Value &right) {
  if (op == BinaryOperator::MatMult)
    return product(context, left, right); // torch has no in-place product: the name is bound to a new tensor
  auto result = apply(context, Operators[size_t(op)], left, right, tensorOf(left));
  return result ? Result<Value>(left) : result;
}

Result<Value> tensorUnary(OperationContext &context, UnaryOperator op, const Value &operand) {
  auto tensor = tensorOf(operand);
  switch (op) {
  case UnaryOperator::UAdd:
    return operand;
  case UnaryOperator::USub:
    return valueOf(negated(context, tensor));
  case UnaryOperator::Invert:
    return valueOf(inverted(context, tensor));
  case UnaryOperator::Not:
    break;
  }
  auto truth = tensorTruth(context, operand);
  return truth && truth->asBool() ? Result<Value>(Value(!*truth->asBool())) : truth;
}

Result<Value> tensorCompare(OperationContext &context, CompareOperator op, const Value &left,
                            const Value &right) {
  const auto index = static_cast<size_t>(op);
  if (index >= std::size(Comparisons))
    return unsupported(op == CompareOperator::In ? "in" : "not in", left, right);
  if (!operandOf(left) || !operandOf(right)) {
    if (op == CompareOperator::Eq || op == CompareOperator::NotEq)
      return Value(op == CompareOperator::NotEq); // a tensor equals nothing that is no number
    return unsupported(Comparisons[index].symbol, left, right);
  }
  return apply(context, Comparisons[index], left, right);
}

Result<Value> tensorSubscript(OperationContext &context, const Value &tensor, const Value &index) {
  auto place = indexed(context, tensorOf(tensor), index);
  if (!place)
    return place.error();
  if (!*place)
    return unknown();
  if (!(*place)->pickedShape)
    return valueOf((*place)->view);
  auto result = gather(context, **place);
  if (result && !context.checking()) {
    const Operand read{*result, {}}; // as many elements are read as come out
    charge(context, "index", {&read, 1}, {&*result, 1});
  }
  return valueOf(result);
}

Result<Value> tensorSetItem(OperationContext &context, const Value &tensor, const Value &index,
                            const Value &value) {
  auto place = indexed(context, tensorOf(tensor), index);
  if (!place)
    return place.error();
  auto source = operandOf(value);
  if (!source)
    return Error{"operation-argument-type", {"[]=", "value", "Tensor", std::string(value.typeName())}};
  if (!*place)
    return Value();
  const IndexedPlace &where = **place;
  TensorPtr from = source->tensor;
  if (from) {
    auto shape = broadcastShape(where.resultShape(), from->shape);
    if (!shape || *shape != where.resultShape())
      return Error{"shape-mismatch-in-place", {shapeText(from->shape), shapeText(where.resultShape())}};
  }
  if (context.checking())
    return Value();
  if (!context.settle())
    return stopped();
  if (!from ||
      from->storage == where.view->storage) { // a number, or what may overlap: by way of a new tensor
    auto made = newTensor(context, from ? from->shape : Dims(), where.view->type, where.view->onGpu);
    if (!made)
      return made.error();
    if (!(from ? copyElements(context, *from, **made) : fillElements(context, **made, source->number)))
      return stopped();
    from = *made;
  }
  const bool done =
      where.pickedShape ? scatter(context, where, *from) : copyElements(context, *from, *where.view);
  if (!done)
    return stopped();
  charge(context, "index_put", {&*source, 1}, {&where.view, 1});
  return Value();
}

Result<Value> tensorSetAttribute(OperationContext &, const Value &tensor, std::string_view name,
                                 const Value &value) {
  auto target = tensorOf(tensor);
  if (name == "requires_grad" || name == "grad")
    return Value(); // nothing is differentiated
  auto source = tensorOf(value);
  if (name != "data" || !source)
    return Error{"no-attribute", {"Tensor", std::string(name)}};
  target->storage = source->storage;
  target->type = source->type;
  target->shape = source->shape;
  target->strides = source->strides;
  target->offset = source->offset;
  target->onGpu = source->onGpu;
  return Value();
}

Result<Value> tensorTruth(OperationContext &context, const Value &tensor) {
  if (tensorOf(tensor)->elements() != 1)
    return Error{"ambiguous-truth", {shapeText(tensorOf(tensor)->shape)}};
  return convert(context, tensor,
                 [](Number n) -> Result<Value> { return Value(n.real != 0 || n.integer != 0); });
}

Result<Value> tensorToInt(OperationContext &context, const Value &tensor) {
  return convert(context, tensor, [](Number n) -> Result<Value> {
    if (n.kind != Number::Kind::Float)
      return Value(n.integer);
    auto whole = Integer::fromDouble(n.real);
    return whole ? Result<Value>(Value(*whole)) : Error{"not-a-number", {repr(Value(n.real))}};
  });
}

Result<Value> tensorToFloat(OperationContext &context, const Value &tensor) {
  return convert(context, tensor, [](Number n) -> Result<Value> { return Value(n.real); });
}

Result<Value> tensorLength(OperationContext &, const Value &tensor) {
  auto object = tensorOf(tensor);
  if (object->shape.empty())
    return Error{"no-length", {}};
  return Value(object->shape[0]);
}

Result<std::vector<Value>> tensorElements(OperationContext &, const Value &tensor) {
  auto object = tensorOf(tensor);
  if (object->shape.empty())
    return Error{"no-length", {}};
  if (object->shape[0] > MaxItems)
    return Error{"tensor-too-large", {shapeText(object->shape)}};
  std::vector<Value> rows;
  rows.reserve(static_cast<size_t>(object->shape[0]));
  for (int64_t i = 0; i < object->shape[0]; ++i)
    rows.push_back(valueOf(selected(*object, 0, i)));
  return rows;
}

Result<Value> tensorText(OperationContext &context, const Value &tensor) {
  if (context.checking())
    return unknown();
  if (!context.settle())
    return stopped();
  return Value(printTensor(*tensorOf(tensor)));
}

/// As in torch: a tensor of no dimension is formatted as its number, any other takes no format.
Result<Value> tensorFormat(OperationContext &context, const Value &tensor, std::string_view spec) {
  auto object = tensorOf(tensor);
  if (!object->shape.empty()) {
    if (spec.empty())
      return tensorText(context, tensor);
    return Error{"format-of-tensor", {std::string(spec), shapeText(object->shape)}};
  }
  return convert(context, tensor, [&](Number n) -> Result<Value> {
    auto text = format(pythonValue(object->type, n), spec);
    return text ? Result<Value>(Value(*text)) : Result<Value>(text.error());
  });
}

} // namespace tilescope::host
