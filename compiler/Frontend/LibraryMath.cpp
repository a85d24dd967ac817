// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise functions.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"

#include <algorithm>

namespace tilescope::frontend {

namespace {

using Accepts = bool (*)(mlir::Type element);
bool isFp32(mlir::Type element) { return element.isF32(); }
bool isWideFloat(mlir::Type element) { return element.isF32() || element.isF64(); }
bool isNumber(mlir::Type element) { return tile::isNumber(element); }
bool isFloat(mlir::Type element) { return tile::isFloat(element); }
bool isWideInteger(mlir::Type element) {
  return tile::isWideInteger(element) && tile::bitWidthOf(element) >= 32;
}

/// As the message says it.
std::string_view wordsOf(Accepts accepts) {
  static constexpr std::pair<Accepts, std::string_view> words[] = {
      {isFp32, "fp32"},
      {isWideFloat, "fp32, fp64"},
      {isNumber, "int, float"},
      {isFloat, "float"},
      {isWideInteger, "int32, int64, uint32, uint64"}};
  return std::ranges::find(words, accepts, &std::pair<Accepts, std::string_view>::first)->second;
}

/// Error "dtype-not-supported" unless the element type is one that the function takes.
bool check(LibraryCall &call, const Operand &operand, mlir::Value value, Accepts accepts) {
  if (accepts(tile::elementTypeOf(value.getType())))
    return true;
  call.emitter.error(
      operand.range, "dtype-not-supported",
      {std::string(lastPart(call.function.name)), std::string(wordsOf(accepts)), typeName(value.getType())});
  return false;
}

/// The run-time values among the first `count` arguments as they were given, before they are promoted.
bool checkGiven(LibraryCall &call, size_t count, Accepts accepts) {
  for (size_t i = 0; i < count; ++i)
    if (mlir::Value value = call[i].term.value(); value && !check(call, call[i], value, accepts))
      return false;
  return true;
}

/// exp, log, sin …: fp32 and fp64 only, as in Triton.
template <typename Op> Term wideFloatOp(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  if (!value || !check(call, call[0], value, isWideFloat))
    return {};
  return mlir::Value(call.emitter.create<Op>(value.getType(), value));
}

Term squareRoot(LibraryCall &call, bool precise) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  if (!value || !check(call, call[0], value, precise ? isFp32 : isWideFloat))
    return {};
  return mlir::Value(call.emitter.create<tile::SqrtOp>(value.getType(), value, precise));
}
Term sqrtOp(LibraryCall &call) { return squareRoot(call, false); }
Term sqrtRn(LibraryCall &call) { return squareRoot(call, true); }

Term absOp(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  if (!value || !check(call, call[0], value, isNumber))
    return {};
  return mlir::Value(call.emitter.create<tile::AbsOp>(value.getType(), value));
}

std::optional<bool> propagates(LibraryCall &call, const Operand &operand) {
  static constexpr Option<bool> options[] = {{"none", false}, {"all", true}};
  if (operand.term.isNone())
    return false;
  if (auto symbol = operand.term.symbol()) // tl.PropagateNan.ALL
    return lastPart(*symbol) == "ALL";
  return choose(call.emitter, operand, options);
}

template <typename Op> Term extremum(LibraryCall &call) {
  auto propagate = propagates(call, call[2]);
  Pair pair = promote(call.emitter, call[0], call[1], lastPart(call.function.name));
  if (!pair || !propagate)
    return {};
  return mlir::Value(call.emitter.create<Op>(pair.left.getType(), pair.left, pair.right, *propagate));
}

Term divRn(LibraryCall &call) {
  if (!checkGiven(call, 2, isFp32))
    return {};
  Pair pair = promote(call.emitter, call[0], call[1], "div_rn");
  if (!pair || !check(call, call[0], pair.left, isFp32))
    return {};
  return mlir::Value(
      call.emitter.create<tile::DivOp>(pair.left.getType(), pair.left, pair.right, /*precise=*/true));
}

/// `approx` allows the GPU to be less exact; the quotient itself is the same.
Term fdiv(LibraryCall &call) {
  auto precise = constantBool(call.emitter, call[2]), approximate = constantBool(call.emitter, call[3]);
  if (!precise || !approximate)
    return {};
  if (*precise && *approximate) {
    call.emitter.error(call[3].range, "approximate-and-precise");
    return {};
  }
  Pair pair = promote(call.emitter, call[0], call[1], "fdiv", /*isDivision=*/true);
  if (!pair || !check(call, call[0], pair.left, *approximate ? isFp32 : isFloat))
    return {};
  return mlir::Value(call.emitter.create<tile::DivOp>(pair.left.getType(), pair.left, pair.right, *precise));
}

/// The whole-number and bitwise operators by their function names.
template <syntax::BinaryOperator Operator> Term operatorCall(LibraryCall &call) {
  return binary(call.emitter, Operator, call[0], call[1]);
}

/// x.logical_and(y), element by element.
template <syntax::BoolOperator Operator> Term logicalCall(LibraryCall &call) {
  mlir::Value x = toTensor(call.emitter, call[0]), y = toTensor(call.emitter, call[1]);
  return x && y ? logical(call.emitter, Operator, {x, call[0].range}, {y, call[1].range}) : Term();
}

/// Of the bits as unsigned numbers, whatever the sign of the type: so Triton has it.
Term mulHigh(LibraryCall &call) {
  if (!checkGiven(call, 2, isWideInteger))
    return {};
  Pair pair = promote(call.emitter, call[0], call[1], "umulhi");
  if (!pair || !check(call, call[0], pair.left, isWideInteger))
    return {};
  mlir::Type element = tile::elementTypeOf(pair.left.getType());
  mlir::Type bits =
      mlir::IntegerType::get(call.emitter.context(), tile::bitWidthOf(element), mlir::IntegerType::Unsigned);
  mlir::Value left = bitcast(call.emitter, pair.left, bits, call[0].range);
  mlir::Value right = bitcast(call.emitter, pair.right, bits, call[1].range);
  return bitcast(call.emitter, call.emitter.create<tile::MulHiOp>(left.getType(), left, right), element,
                 call.range);
}

Term fma(LibraryCall &call) {
  Triple v = promote(call.emitter, call[0], call[1], call[2], "fma");
  if (!v || !check(call, call[0], v.first, isFloat))
    return {};
  return mlir::Value(call.emitter.create<tile::FmaOp>(v.first.getType(), v.first, v.second, v.third));
}

Term clamp(LibraryCall &call) {
  auto propagate = propagates(call, call[3]);
  Triple v = promote(call.emitter, call[0], call[1], call[2], "clamp");
  if (!propagate || !v)
    return {};
  mlir::Type type = v.first.getType();
  if (tile::isFloat(tile::elementTypeOf(type)))
    return mlir::Value(call.emitter.create<tile::ClampOp>(type, v.first, v.second, v.third, *propagate));
  mlir::Value atLeast = call.emitter.create<tile::MaxOp>(type, v.first, v.second, false);
  return mlir::Value(call.emitter.create<tile::MinOp>(type, atLeast, v.third, false));
}

Term where(LibraryCall &call) { return select(call.emitter, call[0], call[1], call[2]); }

using syntax::BinaryOperator;
constexpr std::string_view unarySignature = "x";
constexpr std::string_view binarySignature = "x, y";
constexpr std::string_view overflowSignature = "x, y, sanitize_overflow=True"; // no check is made: ints wrap
constexpr std::string_view extremumSignature = "x, y, propagate_nan=None";

constexpr LibraryFunction rows[] = {
    {"triton.language.exp", unarySignature, wideFloatOp<tile::ExpOp>, true},
    {"triton.language.exp2", unarySignature, wideFloatOp<tile::Exp2Op>, true},
    {"triton.language.log", unarySignature, wideFloatOp<tile::LogOp>, true},
    {"triton.language.log2", unarySignature, wideFloatOp<tile::Log2Op>, true},
    {"triton.language.sin", unarySignature, wideFloatOp<tile::SinOp>, true},
    {"triton.language.cos", unarySignature, wideFloatOp<tile::CosOp>, true},
    {"triton.language.erf", unarySignature, wideFloatOp<tile::ErfOp>, true},
    {"triton.language.floor", unarySignature, wideFloatOp<tile::FloorOp>, true},
    {"triton.language.ceil", unarySignature, wideFloatOp<tile::CeilOp>, true},
    {"triton.language.rsqrt", unarySignature, wideFloatOp<tile::RsqrtOp>, true},
    {"triton.language.sqrt", unarySignature, sqrtOp, true},
    {"triton.language.sqrt_rn", unarySignature, sqrtRn, true},
    {"triton.language.abs", unarySignature, absOp, true},
    {"triton.language.maximum", extremumSignature, extremum<tile::MaxOp>},
    {"triton.language.minimum", extremumSignature, extremum<tile::MinOp>},
    {"triton.language.div_rn", binarySignature, divRn},
    {"triton.language.fdiv", "x, y, ieee_rounding=False, approx=False", fdiv},
    {"triton.language.umulhi", binarySignature, mulHigh},
    {"triton.language.add", overflowSignature, operatorCall<BinaryOperator::Add>},
    {"triton.language.sub", overflowSignature, operatorCall<BinaryOperator::Sub>},
    {"triton.language.mul", overflowSignature, operatorCall<BinaryOperator::Mult>},
    {"triton.language.tensor.logical_and", "input, other", logicalCall<syntax::BoolOperator::And>, true},
    {"triton.language.tensor.logical_or", "input, other", logicalCall<syntax::BoolOperator::Or>, true},
    {"triton.language.fma", "x, y, z", fma},
    {"triton.language.clamp", "x, min, max, propagate_nan=None", clamp},
    {"triton.language.where", "condition, x, y", where},
};

} // namespace

std::span<const LibraryFunction> mathRows() { return rows; }

} // namespace tilescope::frontend
