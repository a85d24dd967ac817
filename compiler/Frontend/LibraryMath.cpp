// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise functions.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

bool isWideFloat(mlir::Type element) { return tile::isFloat(element) && tile::bitWidthOf(element) >= 32; }

/// Error "dtype-not-supported" unless the element type is one that the function takes.
bool check(LibraryCall &call, const Operand &operand, mlir::Value value, bool ok, std::string_view wanted) {
  if (!ok)
    call.emitter.error(
        operand.range, "dtype-not-supported",
        {std::string(lastPart(call.function.name)), std::string(wanted), typeName(value.getType())});
  return ok;
}

/// exp, log, sin …: fp32 and fp64 only, as in Triton.
template <typename Op> Term wideFloatOp(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  if (!value || !check(call, call[0], value, isWideFloat(tile::elementTypeOf(value.getType())), "fp32, fp64"))
    return {};
  return mlir::Value(call.emitter.create<Op>(value.getType(), value));
}

Term squareRoot(LibraryCall &call, bool precise) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  if (!value || !check(call, call[0], value, isWideFloat(tile::elementTypeOf(value.getType())), "fp32, fp64"))
    return {};
  return mlir::Value(call.emitter.create<tile::SqrtOp>(value.getType(), value, precise));
}
Term sqrtOp(LibraryCall &call) { return squareRoot(call, false); }
Term sqrtRn(LibraryCall &call) { return squareRoot(call, true); }

Term absOp(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  if (!value ||
      !check(call, call[0], value, tile::isNumber(tile::elementTypeOf(value.getType())), "int, float"))
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
  Pair pair = promote(call.emitter, call[0], call[1], "div_rn", /*isDivision=*/true);
  if (!pair ||
      !check(call, call[0], pair.left, isWideFloat(tile::elementTypeOf(pair.left.getType())), "fp32, fp64"))
    return {};
  return mlir::Value(
      call.emitter.create<tile::DivOp>(pair.left.getType(), pair.left, pair.right, /*precise=*/true));
}

Term fdiv(LibraryCall &call) { return binary(call.emitter, syntax::BinaryOperator::Div, call[0], call[1]); }

/// The whole-number and bitwise operators by their function names.
template <syntax::BinaryOperator Operator> Term operatorCall(LibraryCall &call) {
  return binary(call.emitter, Operator, call[0], call[1]);
}

Term mulHigh(LibraryCall &call) {
  Pair pair = promote(call.emitter, call[0], call[1], "umulhi");
  if (!pair)
    return {};
  mlir::Type element = tile::elementTypeOf(pair.left.getType());
  if (!check(call, call[0], pair.left, tile::isWideInteger(element) && tile::bitWidthOf(element) >= 32,
             "int32, int64, uint32, uint64"))
    return {};
  return mlir::Value(call.emitter.create<tile::MulHiOp>(pair.left.getType(), pair.left, pair.right));
}

/// Three operands in one type and shape.
bool promoteThree(LibraryCall &call, mlir::Value (&values)[3]) {
  Pair first = promote(call.emitter, call[0], call[1], lastPart(call.function.name));
  if (!first)
    return false;
  Pair second = promote(call.emitter, {first.left, call[0].range}, call[2], lastPart(call.function.name));
  if (!second)
    return false;
  mlir::Type element = tile::elementTypeOf(second.left.getType());
  values[0] = second.left;
  values[1] = castTo(call.emitter, first.right, element, call[1].range);
  values[2] = second.right;
  return values[1] && broadcast(call.emitter, values[0], values[1], call[0].range, call[1].range) &&
         broadcast(call.emitter, values[2], values[1], call[2].range, call[1].range);
}

Term fma(LibraryCall &call) {
  mlir::Value v[3];
  if (!promoteThree(call, v) ||
      !check(call, call[0], v[0], tile::isFloat(tile::elementTypeOf(v[0].getType())), "float"))
    return {};
  return mlir::Value(call.emitter.create<tile::FmaOp>(v[0].getType(), v[0], v[1], v[2]));
}

Term clamp(LibraryCall &call) {
  auto propagate = propagates(call, call[3]);
  mlir::Value v[3];
  if (!propagate || !promoteThree(call, v))
    return {};
  if (tile::isFloat(tile::elementTypeOf(v[0].getType())))
    return mlir::Value(call.emitter.create<tile::ClampOp>(v[0].getType(), v[0], v[1], v[2], *propagate));
  mlir::Value atLeast = call.emitter.create<tile::MaxOp>(v[0].getType(), v[0], v[1], false);
  return mlir::Value(call.emitter.create<tile::MinOp>(v[0].getType(), atLeast, v[2], false));
}

Term where(LibraryCall &call) { return select(call.emitter, call[0], call[1], call[2]); }

using syntax::BinaryOperator;
constexpr std::string_view unarySignature = "x";
constexpr std::string_view binarySignature = "x, y";
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
    {"triton.language.fdiv", "x, y, ieee_rounding=False", fdiv},
    {"triton.language.umulhi", binarySignature, mulHigh},
    {"triton.language.add", binarySignature, operatorCall<BinaryOperator::Add>},
    {"triton.language.sub", binarySignature, operatorCall<BinaryOperator::Sub>},
    {"triton.language.mul", binarySignature, operatorCall<BinaryOperator::Mult>},
    {"triton.language.fma", "x, y, z", fma},
    {"triton.language.clamp", "x, min, max, propagate_nan=None", clamp},
    {"triton.language.where", "condition, x, y", where},
    {"triton.language.extra.libdevice.tanh", unarySignature, wideFloatOp<tile::TanhOp>},
    {"triton.language.extra.libdevice.trunc", unarySignature, wideFloatOp<tile::TruncOp>},
    {"triton.language.extra.libdevice.rint", unarySignature, wideFloatOp<tile::RoundOp>},
    {"triton.language.extra.libdevice.fabs", unarySignature, absOp},
};

} // namespace

std::span<const LibraryFunction> mathRows() { return rows; }

} // namespace tilescope::frontend
