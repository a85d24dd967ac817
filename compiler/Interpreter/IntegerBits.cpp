// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitwise operations and shifts. A shift by the width of the type or more moves every bit out, as PTX shl and
// shr have it; the amount counts as unsigned.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

namespace {

struct AndFunction {
  template <typename T> static T of(T a, T b) { return static_cast<T>(a & b); }
};
struct OrFunction {
  template <typename T> static T of(T a, T b) { return static_cast<T>(a | b); }
};
struct XorFunction {
  template <typename T> static T of(T a, T b) { return static_cast<T>(a ^ b); }
};
struct NotFunction {
  template <typename T> static T of(T a) { return static_cast<T>(~a); }
};

template <typename T> struct ShlFunction {
  static T apply(T a, T b) {
    using U = std::make_unsigned_t<T>;
    constexpr U Width = 8 * sizeof(T);
    using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    const U amount = static_cast<U>(b);
    return amount >= Width ? T(0)
                           : static_cast<T>(static_cast<Wide>(static_cast<U>(a)) << (amount & (Width - 1)));
  }
};
template <typename T> struct ShrFunction {
  static T apply(T a, T b) {
    using U = std::make_unsigned_t<T>;
    constexpr U Width = 8 * sizeof(T);
    const U amount = static_cast<U>(b) < Width ? static_cast<U>(b) : Width - 1;
    const T shifted = static_cast<T>(a >> amount);
    return std::is_signed_v<T> || static_cast<U>(b) < Width ? shifted : T(0);
  }
};
/// Of one bit: shifted by 0 it stays, else it is out.
struct ShiftBit {
  static Bit apply(Bit a, Bit b) { return {static_cast<uint8_t>(a.value & (b.value ^ 1))}; }
};

template <typename F> struct Two {
  template <typename T> struct Make {
    static Handler handler() { return binary<OnIntegers<F, T>, T>(); }
  };
};
template <typename T> struct MakeNot {
  static Handler handler() { return unary<OnIntegers<NotFunction, T>, T>(); }
};
template <template <typename> class F> struct Shift {
  template <typename T> struct Make {
    using Function = std::conditional_t<std::is_same_v<T, Bit>, ShiftBit, F<T>>;
    static Handler handler() { return binary<Function, T>(); }
  };
};

} // namespace

Handler integerBits(Op op, ElementType type) {
  switch (op) {
  case Op::And:
    return forInteger<Two<AndFunction>::Make>(type);
  case Op::Or:
    return forInteger<Two<OrFunction>::Make>(type);
  case Op::Xor:
    return forInteger<Two<XorFunction>::Make>(type);
  case Op::Not:
    return forInteger<MakeNot>(type);
  case Op::Shl:
    return forInteger<Shift<ShlFunction>::Make>(type);
  case Op::Shr:
    return forInteger<Shift<ShrFunction>::Make>(type);
  default:
    return nullptr;
  }
}

} // namespace tilescope::interp
