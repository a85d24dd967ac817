// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products and extrema of integers. Results wrap; i1 is an unsigned integer of one bit.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

namespace {

/// As an unsigned type of at least the width of int, in which arithmetic wraps without undefined behaviour.
template <typename T> auto wide(T value) {
  if constexpr (sizeof(T) == 8)
    return static_cast<uint64_t>(value);
  else
    return static_cast<uint32_t>(value);
}

struct AddFunction {
  template <typename T> static auto of(T a, T b) { return wide(a) + wide(b); }
};
struct SubFunction {
  template <typename T> static auto of(T a, T b) { return wide(a) - wide(b); }
};
struct MulFunction {
  template <typename T> static auto of(T a, T b) { return wide(a) * wide(b); }
};
struct MulHiFunction {
  template <typename T> static T of(T a, T b) {
    using Product = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((Product(a) * Product(b)) >> (8 * sizeof(T)));
  }
};
struct MinFunction {
  template <typename T> static T of(T a, T b) { return a < b ? a : b; }
};
struct MaxFunction {
  template <typename T> static T of(T a, T b) { return a < b ? b : a; }
};
struct NegFunction {
  template <typename T> static auto of(T a) { return 0 - wide(a); }
};
struct AbsFunction {
  template <typename T> static auto of(T a) { return a < T(0) ? 0 - wide(a) : wide(a); }
};

template <typename F> struct Two {
  template <typename T> struct Make {
    static Handler handler() { return binary<OnIntegers<F, T>, T>(); }
  };
};
template <typename F> struct One {
  template <typename T> struct Make {
    static Handler handler() { return unary<OnIntegers<F, T>, T>(); }
  };
};

/// The upper half of a product of two single bits is 0.
struct ZeroBit {
  static Bit apply(Bit, Bit) { return {0}; }
};

} // namespace

Handler integerArithmetic(Op op, ElementType type) {
  switch (op) {
  case Op::Add:
    return forInteger<Two<AddFunction>::Make>(type);
  case Op::Sub:
    return forInteger<Two<SubFunction>::Make>(type);
  case Op::Mul:
    return forInteger<Two<MulFunction>::Make>(type);
  case Op::MulHi:
    return type == ElementType::Bool ? binary<ZeroBit, Bit>() : forInteger<Two<MulHiFunction>::Make>(type);
  case Op::Min:
  case Op::MinNan:
    return forInteger<Two<MinFunction>::Make>(type);
  case Op::Max:
  case Op::MaxNan:
    return forInteger<Two<MaxFunction>::Make>(type);
  case Op::Neg:
    return forInteger<One<NegFunction>::Make>(type);
  case Op::Abs:
    return forInteger<One<AbsFunction>::Make>(type);
  default:
    return nullptr;
  }
}

} // namespace tilescope::interp
