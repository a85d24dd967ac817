// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts between slot types, with the arithmetic of PTX cvt; and the steps of casts to and from narrow floats,
// whose slots hold fp32.
#include "compiler/Interpreter/Clamp.h"
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/NarrowFloat.h"
#include "compiler/Interpreter/Operations.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tilescope::interp {

namespace {

template <typename T> constexpr bool IsBit = std::is_same_v<T, Bit>;
template <typename T> constexpr bool IsFloat = std::is_floating_point_v<T>;

/// Float to integer: cvt.rzi, to 8 bits the low ones of 16.
template <typename To, typename From> To floatToInteger(From value) {
  using Wide =
      std::conditional_t<sizeof(To) != 1, To, std::conditional_t<std::is_signed_v<To>, int16_t, uint16_t>>;
  return static_cast<To>(clampedTo<Wide>(value));
}

template <typename From, typename To> struct CastFunction {
  static To apply(From value) {
    if constexpr (IsBit<From> && IsBit<To>)
      return value;
    else if constexpr (IsBit<From>)
      return static_cast<To>(value.value);
    else if constexpr (IsBit<To>)
      return {static_cast<uint8_t>(value != From(0))};
    else if constexpr (IsFloat<From> && !IsFloat<To>)
      return floatToInteger<To>(value);
    else
      return static_cast<To>(value);
  }
};

/// To an integer type, to the nearest end of its range.
template <typename From, typename To> struct SaturatingFunction {
  static To apply(From value) {
    if constexpr (IsBit<From> || IsBit<To>)
      return CastFunction<From, To>::apply(value);
    else if constexpr (IsFloat<From>)
      return clampedTo<To>(value);
    else if (std::cmp_less(value, std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    else
      return std::cmp_greater(value, std::numeric_limits<To>::max()) ? std::numeric_limits<To>::max()
                                                                     : static_cast<To>(value);
  }
};

/// To fp32 towards zero, and whether that lost anything.
template <typename From> float truncated(From value, bool &inexact) {
  float nearest = static_cast<float>(value);
  const long double exact = value, rounded = nearest;
  inexact = exact == exact && exact != rounded;
  if (inexact && std::fabs(rounded) > std::fabs(exact))
    nearest = std::nextafter(nearest, 0.0f);
  return nearest;
}

template <typename From> struct OddFunction {
  static float apply(From value) {
    bool inexact;
    const float cut = truncated(value, inexact);
    return inexact ? std::bit_cast<float>(std::bit_cast<uint32_t>(cut) | 1) : cut;
  }
};

struct TowardZeroFunction {
  static float apply(double value) {
    bool inexact;
    return truncated(value, inexact);
  }
};

template <typename From, template <typename, typename> class F> struct CastFrom {
  template <typename To> struct Make {
    static Handler handler() { return &unaryLoop<F<From, To>, To, From>; }
  };
};
template <template <typename, typename> class F> struct ToInteger {
  ElementType to;
  template <typename From> Handler from() const { return forInteger<CastFrom<From, F>::template Make>(to); }
};
struct ToAny {
  ElementType to;
  template <typename From> Handler from() const {
    const Handler integer = forInteger<CastFrom<From, CastFunction>::template Make>(to);
    return integer ? integer : forFloat<CastFrom<From, CastFunction>::template Make>(to);
  }
};

template <typename Casts> Handler castFrom(ElementType from, Casts casts) {
  switch (from) {
  case ElementType::Bool:
    return casts.template from<Bit>();
  case ElementType::Int8:
    return casts.template from<int8_t>();
  case ElementType::Int16:
    return casts.template from<int16_t>();
  case ElementType::Int32:
    return casts.template from<int32_t>();
  case ElementType::Int64:
    return casts.template from<int64_t>();
  case ElementType::UInt8:
    return casts.template from<uint8_t>();
  case ElementType::UInt16:
    return casts.template from<uint16_t>();
  case ElementType::UInt32:
    return casts.template from<uint32_t>();
  case ElementType::UInt64:
    return casts.template from<uint64_t>();
  case ElementType::Float32:
    return casts.template from<float>();
  case ElementType::Float64:
    return casts.template from<double>();
  default:
    return nullptr;
  }
}

void roundLoop(Frame &frame, const Instruction &instruction) {
  const RoundMode mode = RoundMode::unpack(instruction.detail);
  roundTo(FloatFormat::of(mode.format), mode.towardZero, mode.saturate,
          frame.at<float>(instruction.operands[0]), frame.at<float>(instruction.result), instruction.count);
}
void toBitsLoop(Frame &frame, const Instruction &instruction) {
  encode(FloatFormat::of(ElementType(instruction.detail)), frame.at<float>(instruction.operands[0]),
         frame.at<std::byte>(instruction.result), instruction.count);
}
void fromBitsLoop(Frame &frame, const Instruction &instruction) {
  decode(FloatFormat::of(ElementType(instruction.detail)), frame.at<std::byte>(instruction.operands[0]),
         frame.at<float>(instruction.result), instruction.count);
}

} // namespace

Handler cast(ElementType from, ElementType to) { return castFrom(from, ToAny{to}); }
Handler castSaturated(ElementType from, ElementType to) {
  return castFrom(from, ToInteger<SaturatingFunction>{to});
}

Handler castOdd(ElementType from) {
  switch (from) {
  case ElementType::Int32:
    return &unaryLoop<OddFunction<int32_t>, float, int32_t>;
  case ElementType::UInt32:
    return &unaryLoop<OddFunction<uint32_t>, float, uint32_t>;
  case ElementType::Int64:
    return &unaryLoop<OddFunction<int64_t>, float, int64_t>;
  case ElementType::UInt64:
    return &unaryLoop<OddFunction<uint64_t>, float, uint64_t>;
  case ElementType::Float64:
    return &unaryLoop<OddFunction<double>, float, double>;
  default:
    return cast(from, ElementType::Float32); // exact
  }
}

Handler castTowardZero() { return &unaryLoop<TowardZeroFunction, float, double>; }
Handler roundNarrow() { return &roundLoop; }
Handler toBits() { return &toBitsLoop; }
Handler fromBits() { return &fromBitsLoop; }

} // namespace tilescope::interp
