// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What elementwise operations do to numbers of one arithmetic type (float, double, int64_t): lambdas without
// captures, for elementFunction<>. Integers wrap. Formulas are PyTorch's (aten/src/ATen/native/cpu).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tilescope::host::functions {

template <typename C> constexpr bool IsWhole = std::is_integral_v<C>;

/// Unsigned where C is an integer, so that overflow wraps.
template <typename C> auto wrapping(C value) {
  if constexpr (IsWhole<C>)
    return static_cast<uint64_t>(value);
  else
    return value;
}

inline constexpr auto Add = [](auto a, auto b) { return wrapping(a) + wrapping(b); };
inline constexpr auto Subtract = [](auto a, auto b) { return wrapping(a) - wrapping(b); };
inline constexpr auto Multiply = [](auto a, auto b) { return wrapping(a) * wrapping(b); };
inline constexpr auto AddScaled = [](auto a, auto b, auto scale) {
  return wrapping(a) + wrapping(b) * wrapping(scale);
};
/// For integers the caller has excluded a divisor of 0, here and below.
inline constexpr auto Divide = [](auto a, auto b) { return a / b; };
inline constexpr auto DivideTruncating = [](auto a, auto b) {
  if constexpr (IsWhole<decltype(a)>)
    return b == -1 ? static_cast<int64_t>(-wrapping(a)) : a / b;
  else
    return std::trunc(a / b);
};

inline constexpr auto Modulo = [](auto a, auto b) {
  using C = decltype(a);
  C rest;
  if constexpr (IsWhole<C>)
    rest = b == -1 ? 0 : a % b;
  else
    rest = std::fmod(a, b);
  return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
};
inline constexpr auto FloatModulo = [](auto a, auto b) {
  if constexpr (IsWhole<decltype(a)>)
    return b == -1 ? int64_t(0) : a % b;
  else
    return std::fmod(a, b);
};
inline constexpr auto FloorDivide = [](auto a, auto b) {
  using C = decltype(a);
  if constexpr (IsWhole<C>) {
    if (b == -1)
      return static_cast<int64_t>(-wrapping(a));
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  } else {
    if (b == 0)
      return a / b;
    const C rest = std::fmod(a, b);
    C quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0))
      quotient -= 1;
    if (quotient == 0)
      return std::copysign(C(0), a / b);
    const C floored = std::floor(quotient);
    return quotient - floored > C(0.5) ? floored + 1 : floored;
  }
};
inline constexpr auto Power = [](auto a, auto b) {
  if constexpr (IsWhole<decltype(a)>) {
    if (b < 0)
      return static_cast<int64_t>(a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
    uint64_t result = 1, base = wrapping(a);
    for (auto rest = wrapping(b); rest > 0; rest >>= 1, base *= base)
      result *= rest & 1 ? base : 1;
    return static_cast<int64_t>(result);
  } else {
    return std::pow(a, b);
  }
};

inline constexpr auto Equal = [](auto a, auto b) { return a == b; };
inline constexpr auto NotEqual = [](auto a, auto b) { return a != b; };
inline constexpr auto Less = [](auto a, auto b) { return a < b; };
inline constexpr auto LessEqual = [](auto a, auto b) { return a <= b; };
inline constexpr auto Greater = [](auto a, auto b) { return a > b; };
inline constexpr auto GreaterEqual = [](auto a, auto b) { return a >= b; };
inline constexpr auto LogicalAnd = [](auto a, auto b) { return a != 0 && b != 0; };
inline constexpr auto LogicalOr = [](auto a, auto b) { return a != 0 || b != 0; };
inline constexpr auto LogicalXor = [](auto a, auto b) { return (a != 0) != (b != 0); };
inline constexpr auto LogicalNot = [](auto a) { return a == 0; };

inline constexpr auto Maximum = [](auto a, auto b) { return a != a ? a : b != b ? b : a > b ? a : b; };
inline constexpr auto Minimum = [](auto a, auto b) { return a != a ? a : b != b ? b : a < b ? a : b; };
/// Of a value, a lower and an upper bound, as clamp has it: the upper one wins, a NaN stays.
inline constexpr auto Clamp = [](auto a, auto low, auto high) {
  const auto raised = a < low ? low : a;
  return raised > high ? high : raised;
};
inline constexpr auto Where = [](auto condition, auto a, auto b) { return condition != 0 ? a : b; };
inline constexpr auto ArcTangent2 = [](auto a, auto b) { return std::atan2(a, b); };

/// Operators on bits: only for integers; the caller has excluded floats.
template <typename F> constexpr auto onBits(F f) {
  return [](auto a, auto b) {
    return static_cast<decltype(a)>(F{}(static_cast<int64_t>(a), static_cast<int64_t>(b)));
  };
}
inline constexpr auto BitAnd = onBits([](int64_t a, int64_t b) { return a & b; });
inline constexpr auto BitOr = onBits([](int64_t a, int64_t b) { return a | b; });
inline constexpr auto BitXor = onBits([](int64_t a, int64_t b) { return a ^ b; });
inline constexpr auto ShiftLeft =
    onBits([](int64_t a, int64_t b) { return b < 0 || b > 63 ? 0 : static_cast<int64_t>(wrapping(a) << b); });
inline constexpr auto ShiftRight =
    onBits([](int64_t a, int64_t b) { return b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b; });
inline constexpr auto BitNot = [](auto a) { return static_cast<decltype(a)>(~static_cast<int64_t>(a)); };

inline constexpr auto Exp = [](auto a) { return std::exp(a); };
inline constexpr auto Exp2 = [](auto a) { return std::exp2(a); };
inline constexpr auto Expm1 = [](auto a) { return std::expm1(a); };
inline constexpr auto Log = [](auto a) { return std::log(a); };
inline constexpr auto Log2 = [](auto a) { return std::log2(a); };
inline constexpr auto Log10 = [](auto a) { return std::log10(a); };
inline constexpr auto Log1p = [](auto a) { return std::log1p(a); };
inline constexpr auto Sqrt = [](auto a) { return std::sqrt(a); };
inline constexpr auto Rsqrt = [](auto a) { return 1 / std::sqrt(a); };
inline constexpr auto Reciprocal = [](auto a) {
  if constexpr (IsWhole<decltype(a)>)
    return 1 / double(a);
  else
    return 1 / a;
};
inline constexpr auto Sin = [](auto a) { return std::sin(a); };
inline constexpr auto Cos = [](auto a) { return std::cos(a); };
inline constexpr auto Tan = [](auto a) { return std::tan(a); };
inline constexpr auto Asin = [](auto a) { return std::asin(a); };
inline constexpr auto Acos = [](auto a) { return std::acos(a); };
inline constexpr auto Atan = [](auto a) { return std::atan(a); };
inline constexpr auto Sinh = [](auto a) { return std::sinh(a); };
inline constexpr auto Cosh = [](auto a) { return std::cosh(a); };
inline constexpr auto Tanh = [](auto a) { return std::tanh(a); };
inline constexpr auto Erf = [](auto a) { return std::erf(a); };
inline constexpr auto Erfc = [](auto a) { return std::erfc(a); };
inline constexpr auto Sigmoid = [](auto a) { return 1 / (1 + std::exp(-a)); };

inline constexpr auto Identity = [](auto a) { return a; };
inline constexpr auto Negate = [](auto a) {
  if constexpr (IsWhole<decltype(a)>)
    return -wrapping(a);
  else
    return -a;
};
inline constexpr auto Absolute = [](auto a) {
  if constexpr (IsWhole<decltype(a)>)
    return a < 0 ? -wrapping(a) : wrapping(a);
  else
    return std::fabs(a);
};
inline constexpr auto Square = [](auto a) { return wrapping(a) * wrapping(a); };
inline constexpr auto Cube = [](auto a) { return wrapping(a) * wrapping(a) * wrapping(a); };
/// NaN stays NaN.
inline constexpr auto Relu = [](auto a) { return a < 0 ? decltype(a)(0) : a; };
inline constexpr auto Sign = [](auto a) { return decltype(a)((a > 0) - (a < 0)); };

/// Roundings leave integers as they are.
template <typename F> constexpr auto rounding(F) {
  return [](auto a) {
    if constexpr (IsWhole<decltype(a)>)
      return a;
    else
      return F{}(a);
  };
}
inline constexpr auto Floor = rounding([](auto a) { return std::floor(a); });
inline constexpr auto Ceil = rounding([](auto a) { return std::ceil(a); });
inline constexpr auto Trunc = rounding([](auto a) { return std::trunc(a); });
inline constexpr auto Round = rounding([](auto a) { return std::nearbyint(a); }); // halves to even

inline constexpr auto IsNan = [](auto a) { return a != a; };
inline constexpr auto IsInfinite = [](auto a) { return !IsWhole<decltype(a)> && std::isinf(double(a)); };
inline constexpr auto IsFinite = [](auto a) { return IsWhole<decltype(a)> || std::isfinite(double(a)); };

inline constexpr auto Silu = [](auto a) { return a / (1 + std::exp(-a)); };
inline constexpr auto Gelu = [](auto a) {
  using C = decltype(a);
  return static_cast<C>(a * C(0.5) * (1 + std::erf(a * C(M_SQRT1_2))));
};
inline constexpr auto GeluTanh = [](auto a) {
  using C = decltype(a);
  const C inner = static_cast<C>(C(M_SQRT2 * M_2_SQRTPI * 0.5) * (a + C(0.044715) * a * a * a));
  return static_cast<C>(C(0.5) * a * (1 + std::tanh(inner)));
};
inline constexpr auto LeakyRelu = [](auto a, auto slope) { return a > 0 ? a : a * slope; };
/// Linear where a * beta is beyond the threshold of 20.
inline constexpr auto Softplus = [](auto a, auto beta) {
  using C = decltype(a);
  return a * beta > 20 ? a : static_cast<C>(std::log1p(std::exp(a * beta)) / beta);
};

} // namespace tilescope::host::functions
