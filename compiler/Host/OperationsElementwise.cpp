// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the operations that work element by element. Each is one kernel in eager PyTorch.
#include "compiler/Host/OperationsElementwise.h"

#include "compiler/Host/OperationsRows.h"
#include "compiler/Host/TensorFunctions.h"

namespace tilescope::host {

using namespace functions;
using Op = BinaryFunction;

Result<bool> holdsZero(OperationContext &context, const Operand &operand) {
  if (!operand.tensor)
    return operand.number.integer == 0;
  if (context.checking())
    return false;
  if (!context.settle())
    return stopped();
  auto load = chunkLoader<int64_t>(operand.tensor->type);
  StridedLoop loop(operand.tensor->shape, {loopOperand(*operand.tensor, operand.tensor->shape)});
  return !loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    int64_t chunk[ChunkElements];
    const int64_t stride = loop.innerStride(0);
    for (int64_t i = 0; i < length; i += ChunkElements) {
      const int64_t count = std::min(ChunkElements, length - i);
      load(at[0] + i * stride * byteSize(operand.tensor->type), stride, count, chunk);
      if (std::find(chunk, chunk + count, 0) != chunk + count)
        return false;
    }
    return true;
  });
}

namespace {

constexpr ElementFunction functionFor(BinaryFunction function) {
  switch (function) {
  case Op::Add:
    return elementFunction<Add, 2>;
  case Op::Subtract:
    return elementFunction<Subtract, 2>;
  case Op::Multiply:
    return elementFunction<Multiply, 2>;
  case Op::Divide:
    return {elementFunction<Divide, 2>.single, elementFunction<Divide, 2>.real, nullptr};
  case Op::DivideTruncating:
    return elementFunction<DivideTruncating, 2>;
  case Op::FloorDivide:
    return elementFunction<FloorDivide, 2>;
  case Op::Modulo:
    return elementFunction<Modulo, 2>;
  case Op::FloatModulo:
    return elementFunction<FloatModulo, 2>;
  case Op::Power:
    return elementFunction<Power, 2>;
  case Op::BitAnd:
    return elementFunction<BitAnd, 2>;
  case Op::BitOr:
    return elementFunction<BitOr, 2>;
  case Op::BitXor:
    return elementFunction<BitXor, 2>;
  case Op::ShiftLeft:
    return elementFunction<ShiftLeft, 2>;
  case Op::ShiftRight:
    return elementFunction<ShiftRight, 2>;
  case Op::Equal:
    return elementFunction<Equal, 2>;
  case Op::NotEqual:
    return elementFunction<NotEqual, 2>;
  case Op::Less:
    return elementFunction<Less, 2>;
  case Op::LessEqual:
    return elementFunction<LessEqual, 2>;
  case Op::Greater:
    return elementFunction<Greater, 2>;
  case Op::GreaterEqual:
    return elementFunction<GreaterEqual, 2>;
  case Op::LogicalAnd:
    return elementFunction<LogicalAnd, 2>;
  case Op::LogicalOr:
    return elementFunction<LogicalOr, 2>;
  case Op::LogicalXor:
    return elementFunction<LogicalXor, 2>;
  case Op::Maximum:
    return elementFunction<Maximum, 2>;
  case Op::Minimum:
    return elementFunction<Minimum, 2>;
  case Op::ArcTangent2:
    break;
  }
  return elementFunction<ArcTangent2, 2>;
}

bool isComparison(BinaryFunction f) { return f >= Op::Equal && f <= Op::LogicalXor; }
bool isBitwise(BinaryFunction f) { return f >= Op::BitAnd && f <= Op::ShiftRight; }
bool dividesWhole(BinaryFunction f) { return f >= Op::DivideTruncating && f <= Op::FloatModulo; }

ResultRule ruleOf(BinaryFunction f) {
  if (isComparison(f))
    return ResultRule::Boolean;
  return f == Op::Divide || f == Op::ArcTangent2 ? ResultRule::Floating : ResultRule::Promoted;
}

/// What torch refuses before it looks at shapes.
std::optional<Error> refusal(OperationContext &context, std::string_view name, BinaryFunction function,
                             const std::array<Operand, 2> &operands) {
  const ElementType common = resultType(operands);
  if (function == Op::Subtract && common == ElementType::Bool)
    return Error{"subtract-bool", {}};
  if (isBitwise(function) && isFloat(common))
    return Error{"bits-of-float", {std::string(name), typeText(common)}};
  if (dividesWhole(function) && !isFloat(common)) {
    auto zero = holdsZero(context, operands[1]);
    if (!zero)
      return zero.error();
    if (*zero)
      return Error{"division-by-zero", {}};
  }
  if (function == Op::Power && !isFloat(common) && !operands[1].tensor && operands[1].number.integer < 0)
    return Error{"negative-exponent", {}};
  return std::nullopt;
}

/// Powers that torch works out by multiplication or square root.
std::optional<ElementFunction> shortPower(const Operand &exponent) {
  if (exponent.tensor)
    return std::nullopt;
  const double e = exponent.number.real;
  if (e == 2)
    return elementFunction<Square, 1>;
  if (e == 3)
    return elementFunction<Cube, 1>;
  if (e == 0.5 && exponent.number.kind == Number::Kind::Float)
    return elementFunction<Sqrt, 1>;
  return std::nullopt;
}

template <BinaryFunction F> Result<Value> binaryBody(Call &call) {
  const std::array operands{call.operand("input"), call.operand("other")};
  auto out = call.destination();
  if (call.failed())
    return call.error();
  if (!operands[0].tensor && !operands[1].tensor)
    return call.fail(
        {"operation-argument-type",
         {std::string(call.name()), "input", "Tensor", std::string(call.value("input").typeName())}},
        "input");
  return valueOf(binaryElementwise(call.context, call.name(), F, operands[0], operands[1], out));
}

template <BinaryFunction F> Result<Value> scaledBody(Call &call) {
  const Number alpha = call.number("alpha");
  if (alpha.real == 1 || call.failed())
    return binaryBody<F>(call);
  Number scale = alpha;
  if (F == Op::Subtract)
    scale = {alpha.kind, -alpha.integer, -alpha.real};
  const std::vector<Operand> operands{call.operand("input"), call.operand("other"), {nullptr, scale}};
  auto out = call.destination();
  if (call.failed())
    return call.error();
  return valueOf(elementwise(call.context, {call.name(), elementFunction<AddScaled, 3>}, operands, out));
}

Result<Value> divideBody(Call &call) {
  if (call.isNone("rounding_mode"))
    return binaryBody<Op::Divide>(call);
  const std::string mode = call.text("rounding_mode");
  if (mode == "floor")
    return binaryBody<Op::FloorDivide>(call);
  if (mode == "trunc")
    return binaryBody<Op::DivideTruncating>(call);
  return call.fail({"operation-argument-value", {"rounding_mode", mode}}, "rounding_mode");
}

template <auto F, ResultRule Rule> Result<Value> unaryBody(Call &call) {
  auto input = call.tensor("input");
  auto out = call.destination();
  if (call.failed())
    return call.error();
  return valueOf(elementwise(call.context, {call.name(), elementFunction<F, 1>, Rule}, {{input, {}}}, out));
}
template <auto F> constexpr auto floating = unaryBody<F, ResultRule::Floating>;
template <auto F> constexpr auto same = unaryBody<F, ResultRule::Promoted>;
template <auto F> constexpr auto boolean = unaryBody<F, ResultRule::Boolean>;

/// ~ of bool is its negation, of an integer all its bits.
Result<Value> bitNotBody(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  if (isFloat(input->type))
    return call.fail({"bits-of-float", {std::string(call.name()), typeText(input->type)}}, "input");
  return input->type == ElementType::Bool ? same<LogicalNot>(call) : same<BitNot>(call);
}

Result<Value> geluBody(Call &call) {
  const std::string form = call.text("approximate");
  if (!call.failed() && form != "none" && form != "tanh")
    return call.fail({"operation-argument-value", {"approximate", form}}, "approximate");
  return form == "tanh" ? floating<GeluTanh>(call) : floating<Gelu>(call);
}

template <auto F> Result<Value> parameterBody(Call &call, std::string_view parameter) {
  auto input = call.tensor("input");
  const Number number = call.number(parameter);
  if (call.failed())
    return call.error();
  return valueOf(elementwise(call.context, {call.name(), elementFunction<F, 2>, ResultRule::Floating},
                             {{input, {}}, {nullptr, number}}, call.destination()));
}

/// A bound that is missing lets everything through.
Operand boundOf(Call &call, std::string_view parameter, double otherwise) {
  if (!call.isNone(parameter))
    return call.operand(parameter);
  return {nullptr, {Number::Kind::Bool, loadAs<int64_t>(otherwise), otherwise}};
}

Result<Value> clampBody(Call &call) {
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  auto input = call.tensor("input");
  Operand low = boundOf(call, "min", -Infinity), high = boundOf(call, "max", Infinity);
  if (call.isNone("max"))
    high.number.integer = std::numeric_limits<int64_t>::max();
  auto out = call.destination();
  if (call.failed())
    return call.error();
  if (call.isNone("min") && call.isNone("max"))
    return call.fail({"clamp-without-bounds", {}});
  return valueOf(
      elementwise(call.context, {"clamp", elementFunction<Clamp, 3>}, {{input, {}}, low, high}, out));
}

Result<TensorPtr> choose(Call &call, const TensorPtr &condition, const Operand &yes, const Operand &no,
                         ElementType type, const TensorPtr &out) {
  if (condition->type != ElementType::Bool)
    return call.fail({"condition-type", {typeText(condition->type)}},
                     call.has("mask") ? "mask" : "condition");
  return elementwiseAs(call.context, {call.name(), elementFunction<Where, 3>}, {{condition, {}}, yes, no},
                       type, type, out);
}

Result<Value> whereBody(Call &call) {
  auto condition = call.tensor("condition");
  const std::array operands{call.operand("input"), call.operand("other")};
  if (call.failed())
    return call.error();
  return call.finish(choose(call, condition, operands[0], operands[1], resultType(operands), nullptr));
}

Result<Value> maskedFillBody(Call &call) {
  auto input = call.tensor("input"), mask = call.tensor("mask");
  const Operand value{nullptr, call.number("value")};
  if (call.failed())
    return call.error();
  return call.finish(choose(call, mask, value, {input, {}}, input->type, call.destination()));
}

constexpr std::string_view One = "input, *, out=None";
constexpr std::string_view Two = "input, other, *, out=None";

constexpr OperationRow Rows[] = {
    {"add", Everywhere, "input, other, *, alpha=1, out=None", scaledBody<Op::Add>},
    {"sub subtract", Everywhere, "input, other, *, alpha=1, out=None", scaledBody<Op::Subtract>},
    {"mul multiply", Everywhere, Two, binaryBody<Op::Multiply>},
    {"div divide true_divide", Everywhere, "input, other, *, rounding_mode=None, out=None", divideBody},
    {"floor_divide", Everywhere, Two, binaryBody<Op::FloorDivide>},
    {"remainder", Everywhere, Two, binaryBody<Op::Modulo>},
    {"fmod", Everywhere, Two, binaryBody<Op::FloatModulo>},
    {"pow", Everywhere, "input, exponent, *, out=None",
     [](Call &call) -> Result<Value> {
       const Operand base = call.operand("input"), exponent = call.operand("exponent");
       auto out = call.destination();
       if (call.failed())
         return call.error();
       return valueOf(binaryElementwise(call.context, "pow", Op::Power, base, exponent, out));
     }},
    {"bitwise_and", Everywhere, Two, binaryBody<Op::BitAnd>},
    {"bitwise_or", Everywhere, Two, binaryBody<Op::BitOr>},
    {"bitwise_xor", Everywhere, Two, binaryBody<Op::BitXor>},
    {"bitwise_left_shift", Everywhere, Two, binaryBody<Op::ShiftLeft>},
    {"bitwise_right_shift", Everywhere, Two, binaryBody<Op::ShiftRight>},
    {"bitwise_not", Everywhere, One, bitNotBody},
    {"eq", Torch | Method, Two, binaryBody<Op::Equal>},
    {"ne not_equal", Torch | Method, Two, binaryBody<Op::NotEqual>},
    {"lt less", Torch | Method, Two, binaryBody<Op::Less>},
    {"le less_equal", Torch | Method, Two, binaryBody<Op::LessEqual>},
    {"gt greater", Torch | Method, Two, binaryBody<Op::Greater>},
    {"ge greater_equal", Torch | Method, Two, binaryBody<Op::GreaterEqual>},
    {"logical_and", Torch | Method, Two, binaryBody<Op::LogicalAnd>},
    {"logical_or", Torch | Method, Two, binaryBody<Op::LogicalOr>},
    {"logical_xor", Torch | Method, Two, binaryBody<Op::LogicalXor>},
    {"logical_not", Torch | Method, One, boolean<LogicalNot>},
    {"maximum", Torch | Method, Two, binaryBody<Op::Maximum>},
    {"minimum", Torch | Method, Two, binaryBody<Op::Minimum>},
    {"atan2 arctan2", Everywhere, Two, binaryBody<Op::ArcTangent2>},
    {"exp", Everywhere, One, floating<Exp>},
    {"exp2", Everywhere, One, floating<Exp2>},
    {"expm1", Everywhere, One, floating<Expm1>},
    {"log", Everywhere, One, floating<Log>},
    {"log2", Everywhere, One, floating<Log2>},
    {"log10", Everywhere, One, floating<Log10>},
    {"log1p", Everywhere, One, floating<Log1p>},
    {"sqrt", Everywhere, One, floating<Sqrt>},
    {"rsqrt", Everywhere, One, floating<Rsqrt>},
    {"reciprocal", Everywhere, One, floating<Reciprocal>},
    {"sin", Everywhere, One, floating<Sin>},
    {"cos", Everywhere, One, floating<Cos>},
    {"tan", Everywhere, One, floating<Tan>},
    {"asin arcsin", Everywhere, One, floating<Asin>},
    {"acos arccos", Everywhere, One, floating<Acos>},
    {"atan arctan", Everywhere, One, floating<Atan>},
    {"sinh", Everywhere, One, floating<Sinh>},
    {"cosh", Everywhere, One, floating<Cosh>},
    {"tanh", Everywhere | Functional, One, floating<Tanh>},
    {"sigmoid", Everywhere | Functional, One, floating<Sigmoid>},
    {"erf", Everywhere, One, floating<Erf>},
    {"erfc", Everywhere, One, floating<Erfc>},
    {"abs absolute", Everywhere, One, same<Absolute>},
    {"neg negative", Everywhere, One, same<Negate>},
    {"square", Everywhere, One, same<Square>},
    {"sign", Everywhere, One, same<Sign>},
    {"floor", Everywhere, One, same<Floor>},
    {"ceil", Everywhere, One, same<Ceil>},
    {"trunc fix", Everywhere, One, same<Trunc>},
    {"round", Everywhere, One, same<Round>},
    {"isnan", Torch | Method, "input", boolean<IsNan>},
    {"isinf", Torch | Method, "input", boolean<IsInfinite>},
    {"isfinite", Torch | Method, "input", boolean<IsFinite>},
    {"relu", Everywhere, "input", same<Relu>},
    {"relu", Functional, "input, inplace=False", same<Relu>},
    {"silu", Functional, "input, inplace=False", floating<Silu>},
    {"gelu", Functional, "input, *, approximate='none'", geluBody},
    {"leaky_relu", Functional, "input, negative_slope=0.01, inplace=False",
     [](Call &call) -> Result<Value> { return parameterBody<LeakyRelu>(call, "negative_slope"); }},
    {"softplus", Functional, "input, beta=1, threshold=20",
     [](Call &call) -> Result<Value> { return parameterBody<Softplus>(call, "beta"); }},
    {"clamp clip", Everywhere, "input, min=None, max=None, *, out=None", clampBody},
    {"where", Torch, "condition, input, other", whereBody},
    {"where", Method, "input, condition, other", whereBody},
    {"masked_fill", Everywhere, "input, mask, value", maskedFillBody},
};

} // namespace

Result<TensorPtr> binaryElementwise(OperationContext &context, std::string_view name, BinaryFunction function,
                                    const Operand &left, const Operand &right, const TensorPtr &destination) {
  const std::array operands{left, right};
  if (auto error = refusal(context, name, function, operands))
    return *error;
  if (function == Op::Power && left.tensor)
    if (auto power = shortPower(right)) {
      const ElementType type = resultType(operands);
      return elementwiseAs(context, {name, *power}, {left}, type, type, destination);
    }
  return elementwise(context, {name, functionFor(function), ruleOf(function)}, {left, right}, destination);
}

Result<TensorPtr> negated(OperationContext &context, const TensorPtr &tensor) {
  return elementwise(context, {"neg", elementFunction<Negate, 1>}, {{tensor, {}}});
}

Result<TensorPtr> inverted(OperationContext &context, const TensorPtr &tensor) {
  if (isFloat(tensor->type))
    return Error{"bits-of-float", {"~", typeText(tensor->type)}};
  const bool flag = tensor->type == ElementType::Bool;
  return elementwise(context,
                     {"bitwise_not", flag ? elementFunction<LogicalNot, 1> : elementFunction<BitNot, 1>},
                     {{tensor, {}}});
}

std::span<const OperationRow> elementwiseRows() { return Rows; }

} // namespace tilescope::host
