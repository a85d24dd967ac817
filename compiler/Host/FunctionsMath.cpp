// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's math module.
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

#include <array>
#include <cmath>
#include <numbers>

namespace tilescope::host {
namespace {

Result<Value> checked(double value, double argument) {
  if (std::isnan(value) && !std::isnan(argument))
    return Error{"math-domain", {}};
  if (std::isinf(value) && std::isfinite(argument))
    return Error{"float-overflow", {}};
  return Value(value);
}

template <double (*Function)(double)> Result<Value> real(NativeCall &call) {
  auto x = call.real(0);
  return x ? checked(Function(*x), *x) : x.error();
}

template <double (*Function)(double, double)> Result<Value> realPair(NativeCall &call) {
  auto x = call.real(0), y = call.real(1);
  if (!x || !y)
    return x ? y.error() : x.error();
  double result = Function(*x, *y);
  bool domain = std::isnan(result) && !std::isnan(*x) && !std::isnan(*y);
  bool overflow = std::isinf(result) && std::isfinite(*x) && std::isfinite(*y);
  return domain     ? Error{"math-domain", {}}
         : overflow ? Error{"float-overflow", {}}
                    : Result<Value>(Value(result));
}

template <bool (*Test)(double)> Result<Value> test(NativeCall &call) {
  auto x = call.real(0);
  return x ? Result<Value>(Value(Test(*x))) : x.error();
}

bool isNan(double x) { return std::isnan(x); }
bool isInf(double x) { return std::isinf(x); }
bool isFinite(double x) { return std::isfinite(x); }
double degrees(double x) { return x * (180.0 / std::numbers::pi); }
double radians(double x) { return x * (std::numbers::pi / 180.0); }

/// log of an int of any size, as CPython does it: of x = m·2^e with 0.5 <= m < 1 where x is beyond a double.
Result<double> logarithm(NativeCall &call, size_t i, double (*log)(double)) {
  auto x = call.real(i);
  if (!x)
    return x;
  if (*x <= 0)
    return call.blame(i, {"math-domain", {}});
  auto *whole = call[i].asInt();
  if (!whole || std::isfinite(*x))
    return log(*x);
  uint64_t bits = whole->bitLength();
  double mantissa = std::ldexp(Integer::shiftRight(*whole, bits - 64).toDouble(), -64);
  return log(mantissa) + log(2.0) * static_cast<double>(bits);
}

Result<Value> logOf(NativeCall &call, double (*log)(double)) {
  auto value = logarithm(call, 0, log);
  return value ? Result<Value>(Value(*value)) : value.error();
}
Result<Value> log2(NativeCall &call) { return logOf(call, std::log2); }
Result<Value> log10(NativeCall &call) { return logOf(call, std::log10); }
Result<Value> log(NativeCall &call) {
  if (call.count() == 1)
    return logOf(call, std::log);
  auto value = logarithm(call, 0, std::log), base = logarithm(call, 1, std::log);
  if (!value || !base)
    return value ? base.error() : value.error();
  return *base == 0 ? Result<Value>(Error{"division-by-zero", {}}) : Value(*value / *base);
}

template <double (*Round)(double)> Result<Value> rounded(NativeCall &call) {
  if (call[0].asInt())
    return call[0];
  auto x = call.real(0);
  if (!x)
    return x.error();
  auto whole = Integer::fromDouble(Round(*x));
  return whole ? Result<Value>(Value(*whole)) : call.blame(0, {"not-finite", {repr(call[0])}});
}

Result<Integer> whole(NativeCall &call, size_t i) {
  if (auto *number = call[i].asInt())
    return *number;
  return call[i].asBool() ? Result<Integer>(Integer(*call[i].asBool())) : call.wrongType(i, "int");
}

Integer gcdOf(Integer a, Integer b) {
  while (!b.isZero()) {
    Integer rest = Integer::floorMod(a, b);
    a = std::move(b);
    b = std::move(rest);
  }
  return a.isNegative() ? -a : a;
}

Result<Value> gcd(NativeCall &call) {
  Integer result(0);
  for (size_t i = 0; i < call.count(); ++i) {
    auto number = whole(call, i);
    if (!number)
      return number.error();
    result = gcdOf(std::move(result), *number);
  }
  return Value(result);
}

Result<Value> lcm(NativeCall &call) {
  Integer result(1);
  for (size_t i = 0; i < call.count(); ++i) {
    auto number = whole(call, i);
    if (!number)
      return number.error();
    Integer divisor = gcdOf(result, *number);
    if (divisor.isZero() || number->isZero())
      return Value(0);
    result = Integer::floorDiv(result, divisor) * (number->isNegative() ? -*number : *number);
    if (result.bitLength() > MaxIntegerBits)
      return Error{"integer-too-large", {std::to_string(MaxIntegerBits)}};
  }
  return Value(result);
}

/// Products of consecutive ints, with the run's limits.
Result<Integer> productUpTo(NativeCall &call, int64_t first, int64_t last) {
  Integer result(1);
  for (int64_t i = first; i <= last; ++i) {
    if (!call.evaluation.step())
      return Evaluation::raisedAlready();
    result = result * Integer(i);
    if (result.bitLength() > MaxIntegerBits)
      return Error{"integer-too-large", {std::to_string(MaxIntegerBits)}};
  }
  return result;
}

Result<Value> factorial(NativeCall &call) {
  auto n = call.integer(0);
  if (!n || *n < 0)
    return n ? call.blame(0, {"math-domain", {}}) : n.error();
  auto product = productUpTo(call, 2, *n);
  return product ? Result<Value>(Value(*product)) : product.error();
}

Result<Value> comb(NativeCall &call) {
  auto n = call.integer(0), k = call.integer(1);
  if (!n || !k || *n < 0 || *k < 0)
    return !n ? n.error() : !k ? k.error() : Error{"math-domain", {}};
  if (*k > *n)
    return Value(0);
  int64_t few = std::min(*k, *n - *k);
  auto top = productUpTo(call, *n - few + 1, *n), bottom = productUpTo(call, 2, few);
  if (!top || !bottom)
    return top ? bottom.error() : top.error();
  return Value(Integer::floorDiv(*top, *bottom));
}

Result<Value> isqrt(NativeCall &call) {
  auto n = whole(call, 0);
  if (!n || n->isNegative())
    return n ? call.blame(0, {"math-domain", {}}) : n.error();
  Integer root = Integer::shiftLeft(1, n->bitLength() / 2 + 1);
  while (true) { // Newton from above
    Integer better = Integer::shiftRight(root + Integer::floorDiv(*n, root), 1);
    if (better >= root)
      return Value(root);
    root = std::move(better);
  }
}

Result<Value> isClose(NativeCall &call) {
  auto a = call.real(0), b = call.real(1);
  if (!a || !b)
    return a ? b.error() : a.error();
  auto option = [&call](std::string_view name, double otherwise) {
    auto *value = call.keyword(name);
    return value && value->asFloat() ? *value->asFloat() : otherwise;
  };
  if (*a == *b)
    return Value(true);
  double difference = std::abs(*a - *b);
  double largest = std::max(std::abs(*a), std::abs(*b));
  bool close = difference <= std::max(option("rel_tol", 1e-9) * largest, option("abs_tol", 0.0));
  return Value(std::isfinite(*a) && std::isfinite(*b) && close);
}

Result<Value> prod(NativeCall &call) {
  auto items = call.evaluation.elementsOf(call[0]);
  if (!items)
    return call.blame(0, items.error());
  auto *start = call.keyword("start");
  Value result = start ? *start : Value(1);
  for (const Value &item : *items) {
    auto next = call.evaluation.binaryOf(syntax::BinaryOperator::Mult, result, item);
    if (!next)
      return next;
    result = std::move(*next);
  }
  return result;
}

constexpr NativeFunction Rows[] = {
    {"math.sqrt", 1, 1, "", real<std::sqrt>},
    {"math.exp", 1, 1, "", real<std::exp>},
    {"math.expm1", 1, 1, "", real<std::expm1>},
    {"math.log1p", 1, 1, "", real<std::log1p>},
    {"math.sin", 1, 1, "", real<std::sin>},
    {"math.cos", 1, 1, "", real<std::cos>},
    {"math.tan", 1, 1, "", real<std::tan>},
    {"math.asin", 1, 1, "", real<std::asin>},
    {"math.acos", 1, 1, "", real<std::acos>},
    {"math.atan", 1, 1, "", real<std::atan>},
    {"math.sinh", 1, 1, "", real<std::sinh>},
    {"math.cosh", 1, 1, "", real<std::cosh>},
    {"math.tanh", 1, 1, "", real<std::tanh>},
    {"math.erf", 1, 1, "", real<std::erf>},
    {"math.erfc", 1, 1, "", real<std::erfc>},
    {"math.gamma", 1, 1, "", real<std::tgamma>},
    {"math.lgamma", 1, 1, "", real<std::lgamma>},
    {"math.fabs", 1, 1, "", real<std::fabs>},
    {"math.degrees", 1, 1, "", real<degrees>},
    {"math.radians", 1, 1, "", real<radians>},
    {"math.pow", 2, 2, "", realPair<std::pow>},
    {"math.fmod", 2, 2, "", realPair<std::fmod>},
    {"math.hypot", 2, 2, "", realPair<std::hypot>},
    {"math.atan2", 2, 2, "", realPair<std::atan2>},
    {"math.copysign", 2, 2, "", realPair<std::copysign>},
    {"math.isnan", 1, 1, "", test<isNan>},
    {"math.isinf", 1, 1, "", test<isInf>},
    {"math.isfinite", 1, 1, "", test<isFinite>},
    {"math.log", 1, 2, "", log},
    {"math.log2", 1, 1, "", log2},
    {"math.log10", 1, 1, "", log10},
    {"math.ceil", 1, 1, "", rounded<std::ceil>},
    {"math.floor", 1, 1, "", rounded<std::floor>},
    {"math.trunc", 1, 1, "", rounded<std::trunc>},
    {"math.gcd", 0, AnyNumber, "", gcd},
    {"math.lcm", 0, AnyNumber, "", lcm},
    {"math.factorial", 1, 1, "", factorial},
    {"math.comb", 2, 2, "", comb},
    {"math.isqrt", 1, 1, "", isqrt},
    {"math.isclose", 2, 2, "rel_tol abs_tol ", isClose},
    {"math.prod", 1, 1, "start ", prod},
};

} // namespace

NativeTable mathFunctions() { return Rows; }

} // namespace tilescope::host
