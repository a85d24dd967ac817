// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's arithmetic on bool, int and float. What it says in doubt is CPython 3.11's Objects/longobject.c
// and floatobject.c.
#include "compiler/Value/Arithmetic.h"

#include <algorithm>
#include <cmath>

namespace tilescope::detail {

using syntax::BinaryOperator;

std::optional<Number> numberOf(const Value &value) {
  if (auto *number = value.asInt())
    return Number{false, *number, 0};
  if (auto *number = value.asFloat())
    return Number{true, {}, *number};
  if (auto *flag = value.asBool())
    return Number{false, Integer(*flag), 0};
  return std::nullopt;
}

Result<double> toDouble(const Number &number) {
  double value = number.isFloat ? number.real : number.whole.toDouble();
  if (!number.isFloat && std::isinf(value))
    return Error{"float-overflow", {}};
  return value;
}

std::partial_ordering order(const Number &left, const Number &right) {
  if (left.isFloat == right.isFloat)
    return left.isFloat ? left.real <=> right.real : std::partial_ordering(left.whole <=> right.whole);
  if (left.isFloat) {
    auto reversed = order(right, left);
    return reversed == std::partial_ordering::unordered ? reversed : 0 <=> reversed;
  }
  auto truncated = Integer::fromDouble(right.real);
  if (!truncated)
    return 0.0 <=> right.real;
  if (auto whole = left.whole <=> *truncated; whole != 0)
    return whole;
  return 0.0 <=> right.real - std::trunc(right.real);
}

namespace {

Error divisionByZero() { return {"division-by-zero", {}}; }

Error tooLarge(uint64_t limit) { return {"integer-too-large", {std::to_string(limit)}}; }

/// The correctly rounded quotient at scale 2^-shift of which `quotient` is the truncated one.
double roundQuotient(Integer quotient, bool exact, int64_t shift) {
  if (!exact)
    quotient = quotient | Integer(1);
  if (quotient.bitLength() > 55 || shift < 1076)
    return std::ldexp(quotient.toDouble(), static_cast<int>(-shift));
  // Subnormal: two bits below the last place of a double, the lower one sticky; half goes to even.
  int64_t bits = *quotient.toInt64();
  int64_t kept = bits >> 2, rest = bits & 3;
  kept += rest == 3 || (rest == 2 && (kept & 1));
  return std::ldexp(static_cast<double>(kept), -1074);
}

Result<Value> trueDivide(const Integer &a, const Integer &b) {
  constexpr int64_t Exact = int64_t(1) << 53;
  auto x = a.toInt64(), y = b.toInt64();
  if (x && y && std::abs(*x) <= Exact && std::abs(*y) <= Exact)
    return Value(static_cast<double>(*x) / static_cast<double>(*y));
  Integer top = a.isNegative() ? -a : a, bottom = b.isNegative() ? -b : b;
  int64_t difference = static_cast<int64_t>(bottom.bitLength()) - static_cast<int64_t>(top.bitLength());
  int64_t shift = std::min<int64_t>(difference + 66, 1076);
  if (shift >= 0)
    top = Integer::shiftLeft(top, static_cast<uint64_t>(shift));
  else
    bottom = Integer::shiftLeft(bottom, static_cast<uint64_t>(-shift));
  Integer quotient = Integer::floorDiv(top, bottom);
  bool exact = (top - quotient * bottom).isZero();
  double result = roundQuotient(std::move(quotient), exact, shift);
  if (std::isinf(result))
    return Error{"float-overflow", {}};
  return Value(a.isNegative() != b.isNegative() ? -result : result);
}

double floatMod(double a, double b) {
  double rest = std::fmod(a, b);
  if (rest == 0)
    return std::copysign(0.0, b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}

double floatFloorDiv(double a, double b) {
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / b);
  double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

Result<Value> floatPow(double base, double exponent) {
  if (base == 0 && exponent < 0)
    return divisionByZero();
  bool fractional = std::isfinite(exponent) && std::floor(exponent) != exponent;
  if (base < 0 && std::isfinite(base) && fractional)
    return Error{"complex-result", {}};
  double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent))
    return Error{"float-overflow", {}};
  return Value(result);
}

Result<Value> intPow(const Integer &base, const Integer &exponent) {
  if (exponent.isNegative()) {
    auto x = toDouble({false, base, 0}), y = toDouble({false, exponent, 0});
    if (!x || !y)
      return Error{"float-overflow", {}};
    return floatPow(*x, *y);
  }
  if (base.bitLength() <= 1) // -1, 0, 1
    return Value(Integer::pow(base, exponent.isZero() ? 0 : (exponent & Integer(1)).isZero() ? 2 : 1));
  auto times = exponent.toInt64();
  if (!times || static_cast<uint64_t>(*times) > MaxIntegerBits / (base.bitLength() - 1))
    return tooLarge(MaxIntegerBits);
  return Value(Integer::pow(base, static_cast<uint64_t>(*times)));
}

Result<Value> shift(bool left, const Integer &a, const Integer &b) {
  if (b.isNegative())
    return Error{"negative-shift", {}};
  auto bits = b.toInt64();
  if (!left)
    return Value(bits ? Integer::shiftRight(a, static_cast<uint64_t>(*bits))
                      : Integer(a.isNegative() ? -1 : 0));
  if (a.isZero())
    return Value(a);
  if (!bits || a.bitLength() + static_cast<uint64_t>(*bits) > MaxIntegerBits)
    return tooLarge(MaxIntegerBits);
  return Value(Integer::shiftLeft(a, static_cast<uint64_t>(*bits)));
}

Result<Value> multiply(const Integer &a, const Integer &b) {
  if (a.bitLength() + b.bitLength() > MaxIntegerBits)
    return tooLarge(MaxIntegerBits);
  return Value(a * b);
}

Result<Value> wholeArithmetic(BinaryOperator op, const Integer &a, const Integer &b) {
  bool divides = op == BinaryOperator::Div || op == BinaryOperator::FloorDiv || op == BinaryOperator::Mod;
  if (divides && b.isZero())
    return divisionByZero();
  switch (op) {
  case BinaryOperator::Add:
    return Value(a + b);
  case BinaryOperator::Sub:
    return Value(a - b);
  case BinaryOperator::Mult:
    return multiply(a, b);
  case BinaryOperator::Div:
    return trueDivide(a, b);
  case BinaryOperator::FloorDiv:
    return Value(Integer::floorDiv(a, b));
  case BinaryOperator::Mod:
    return Value(Integer::floorMod(a, b));
  case BinaryOperator::Pow:
    return intPow(a, b);
  case BinaryOperator::LShift:
    return shift(true, a, b);
  case BinaryOperator::RShift:
    return shift(false, a, b);
  case BinaryOperator::BitAnd:
    return Value(a & b);
  case BinaryOperator::BitOr:
    return Value(a | b);
  case BinaryOperator::BitXor:
    return Value(a ^ b);
  case BinaryOperator::MatMult:
    break;
  }
  return unsupportedOperands(syntax::spelling(op), Value(a), Value(b));
}

Result<Value> realArithmetic(BinaryOperator op, double a, double b) {
  bool divides = op == BinaryOperator::Div || op == BinaryOperator::FloorDiv || op == BinaryOperator::Mod;
  if (divides && b == 0)
    return divisionByZero();
  switch (op) {
  case BinaryOperator::Add:
    return Value(a + b);
  case BinaryOperator::Sub:
    return Value(a - b);
  case BinaryOperator::Mult:
    return Value(a * b);
  case BinaryOperator::Div:
    return Value(a / b);
  case BinaryOperator::FloorDiv:
    return Value(floatFloorDiv(a, b));
  case BinaryOperator::Mod:
    return Value(floatMod(a, b));
  case BinaryOperator::Pow:
    return floatPow(a, b);
  default:
    return unsupportedOperands(syntax::spelling(op), Value(a), Value(b));
  }
}

Value valueOf(const Number &number) { return number.isFloat ? Value(number.real) : Value(number.whole); }

bool isBitwise(BinaryOperator op) {
  return op == BinaryOperator::LShift || op == BinaryOperator::RShift || op == BinaryOperator::BitAnd ||
         op == BinaryOperator::BitOr || op == BinaryOperator::BitXor || op == BinaryOperator::MatMult;
}

} // namespace

Error unsupportedOperands(std::string_view op, const Value &left, const Value &right) {
  return {"unsupported-operands",
          {std::string(op), std::string(left.typeName()), std::string(right.typeName())}};
}

Result<Value> arithmetic(BinaryOperator op, const Number &left, const Number &right) {
  if (!left.isFloat && !right.isFloat)
    return wholeArithmetic(op, left.whole, right.whole);
  if (isBitwise(op))
    return unsupportedOperands(syntax::spelling(op), valueOf(left), valueOf(right));
  auto a = toDouble(left), b = toDouble(right);
  if (!a || !b)
    return a ? b.error() : a.error();
  return realArithmetic(op, *a, *b);
}

} // namespace tilescope::detail
