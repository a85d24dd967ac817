// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one element of each type lies in memory, and its exact value. Arithmetic is done in one of three types:
// int64_t for integers and bool (results wrap when stored), double for float64, float for all shorter floats,
// rounded to nearest even when stored, as PyTorch does on the CPU.
#pragma once

#include "compiler/Value/ElementType.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tilescope::host {

struct Flag {
  uint8_t bits;
};
struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};
/// The formats of 8 bits: `Finite` has no infinity, `Unsigned0` (FNUZ) no negative zero: its code is the NaN.
template <int Exponent, int Mantissa, bool Finite, bool Unsigned0> struct Float8 {
  static constexpr int ExponentBits = Exponent, MantissaBits = Mantissa;
  static constexpr int Bias = (1 << (Exponent - 1)) - (Unsigned0 ? 0 : 1);
  static constexpr bool HasInfinity = !Finite, HasNegativeZero = !Unsigned0;
  uint8_t bits;
};
using Float8E4M3FN = Float8<4, 3, true, false>;
using Float8E5M2 = Float8<5, 2, false, false>;
using Float8E4M3FNUZ = Float8<4, 3, true, true>;
using Float8E5M2FNUZ = Float8<5, 2, true, true>;

/// Calls f(std::type_identity<T>{}) with the memory type of `type`.
template <typename F> decltype(auto) withElement(ElementType type, F f) {
  switch (type) {
  case ElementType::Bool:
    return f(std::type_identity<Flag>{});
  case ElementType::Int8:
    return f(std::type_identity<int8_t>{});
  case ElementType::Int16:
    return f(std::type_identity<int16_t>{});
  case ElementType::Int32:
    return f(std::type_identity<int32_t>{});
  case ElementType::Int64:
    return f(std::type_identity<int64_t>{});
  case ElementType::UInt8:
    return f(std::type_identity<uint8_t>{});
  case ElementType::UInt16:
    return f(std::type_identity<uint16_t>{});
  case ElementType::UInt32:
    return f(std::type_identity<uint32_t>{});
  case ElementType::UInt64:
    return f(std::type_identity<uint64_t>{});
  case ElementType::Float8E4M3FN:
    return f(std::type_identity<Float8E4M3FN>{});
  case ElementType::Float8E5M2:
    return f(std::type_identity<Float8E5M2>{});
  case ElementType::Float8E4M3FNUZ:
    return f(std::type_identity<Float8E4M3FNUZ>{});
  case ElementType::Float8E5M2FNUZ:
    return f(std::type_identity<Float8E5M2FNUZ>{});
  case ElementType::BFloat16:
    return f(std::type_identity<BFloat>{});
  case ElementType::Float16:
    return f(std::type_identity<Half>{});
  case ElementType::Float32:
    return f(std::type_identity<float>{});
  case ElementType::Float64:
    break;
  }
  return f(std::type_identity<double>{});
}

inline float toFloat(Half half) {
  const uint32_t sign = uint32_t(half.bits & 0x8000) << 16, rest = uint32_t(half.bits & 0x7fff) << 13;
  const uint32_t special = rest >= 0x0f80'0000 ? 0x7f80'0000 : 0; // infinity and NaN
  return std::bit_cast<float>(std::bit_cast<uint32_t>(std::bit_cast<float>(rest) * 0x1p112f) | special |
                              sign);
}

inline float toFloat(BFloat value) { return std::bit_cast<float>(uint32_t(value.bits) << 16); }

template <int E, int M, bool F, bool U> float toFloat(Float8<E, M, F, U> value) {
  using Format = Float8<E, M, F, U>;
  const int exponent = (value.bits & 0x7f) >> M, mantissa = value.bits & ((1 << M) - 1);
  const bool negative = value.bits & 0x80;
  constexpr int Top = (1 << E) - 1;
  const bool nan = U ? value.bits == 0x80 : exponent == Top && (F ? mantissa == (1 << M) - 1 : mantissa != 0);
  if (nan)
    return std::numeric_limits<float>::quiet_NaN();
  float magnitude = exponent == 0 ? std::ldexp(float(mantissa), 1 - Format::Bias - M)
                                  : std::ldexp(float(mantissa | (1 << M)), exponent - Format::Bias - M);
  if (Format::HasInfinity && exponent == Top)
    magnitude = std::numeric_limits<float>::infinity();
  return negative ? -magnitude : magnitude;
}

inline Half toHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), magnitude = bits & 0x7fff'ffff;
  // Below 2^-14 adding 0.5 rounds to a multiple of 2^-24, the step of subnormal halves.
  const uint32_t tiny = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f00'0000;
  const uint32_t normal = (magnitude + 0xc800'0fff + ((magnitude >> 13) & 1)) >> 13;
  const uint32_t special = magnitude > 0x7f80'0000 ? 0x7e00 : 0x7c00;
  const uint32_t finite = magnitude < 0x3880'0000 ? tiny : normal;
  return {static_cast<uint16_t>((magnitude >= 0x4780'0000 ? special : finite) | ((bits >> 16) & 0x8000))};
}

inline BFloat toBFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return {static_cast<uint16_t>(value != value ? 0x7fc0 : rounded)};
}

/// Values beyond the largest become NaN where there is no infinity, as in PyTorch.
template <typename Format> Format toFloat8(float value) {
  constexpr int M = Format::MantissaBits;
  constexpr uint8_t Top = 0x7f, Infinity = Top & ~((1 << M) - 1);
  constexpr uint8_t Nan = Format::HasNegativeZero ? Top : 0x80;
  // The largest finite code: below the infinity, below the NaN, or the very last.
  constexpr uint8_t Largest = Format::HasInfinity ? Infinity - 1 : Format::HasNegativeZero ? Top - 1 : Top;
  if (value != value)
    return {Nan};
  const uint8_t sign = std::signbit(value) ? 0x80 : 0;
  const float magnitude = std::fabs(value);
  const uint8_t beyond = Format::HasInfinity ? Infinity | sign : Format::HasNegativeZero ? Nan | sign : Nan;
  if (std::isinf(magnitude))
    return {beyond};
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int least = 1 - Format::Bias; // exponent of the smallest normal number
  exponent = magnitude == 0 ? least : std::max(exponent - 1, least);
  // Multiples of the step are whole numbers of codes above the first code of this exponent.
  const auto steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, M - exponent)));
  const int code = ((exponent - least) << M) + steps;
  if (code > Largest)
    return {beyond};
  return {static_cast<uint8_t>(code == 0 && !Format::HasNegativeZero ? 0 : code | sign)};
}

/// The value of an element in an arithmetic type.
template <typename C, typename T> C loadAs(T element) {
  if constexpr (std::is_same_v<T, Flag>)
    return C(element.bits != 0);
  else if constexpr (std::is_arithmetic_v<T> && std::is_same_v<C, int64_t> && std::is_floating_point_v<T>)
    // Outside the range the processor's "integer indefinite", as in PyTorch on x86.
    return element >= T(-0x1p63) && element < T(0x1p63) ? static_cast<int64_t>(element)
                                                        : std::numeric_limits<int64_t>::min();
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<C>(element);
  else
    return loadAs<C>(toFloat(element));
}

/// The element nearest to a value.
template <typename T, typename C> T storeAs(C value) {
  if constexpr (std::is_same_v<T, Flag>)
    return {value != C(0)};
  else if constexpr (std::is_arithmetic_v<T>)
    return std::is_integral_v<T> ? static_cast<T>(loadAs<int64_t>(value)) : static_cast<T>(value);
  else if constexpr (std::is_same_v<T, Half>)
    return toHalf(static_cast<float>(value));
  else if constexpr (std::is_same_v<T, BFloat>)
    return toBFloat(static_cast<float>(value));
  else
    return toFloat8<T>(static_cast<float>(value));
}

} // namespace tilescope::host
