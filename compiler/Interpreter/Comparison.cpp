// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons to i1, and selection by i1.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

namespace {

template <typename T> auto number(T value) { return value; }
uint8_t number(Bit bit) { return bit.value; }

struct EqFunction {
  template <typename T> static Bit apply(T a, T b) { return {number(a) == number(b)}; }
};
struct NeFunction {
  template <typename T> static Bit apply(T a, T b) { return {number(a) != number(b)}; }
};
struct LtFunction {
  template <typename T> static Bit apply(T a, T b) { return {number(a) < number(b)}; }
};
struct LeFunction {
  template <typename T> static Bit apply(T a, T b) { return {number(a) <= number(b)}; }
};
struct GtFunction {
  template <typename T> static Bit apply(T a, T b) { return {number(a) > number(b)}; }
};
struct GeFunction {
  template <typename T> static Bit apply(T a, T b) { return {number(a) >= number(b)}; }
};

template <typename F> struct Compare {
  template <typename T> struct Make {
    static Handler handler() { return &binaryLoop<F, Bit, T, T>; }
  };
};

template <typename F> Handler compare(ElementType type) {
  const Handler integer = forInteger<Compare<F>::template Make>(type);
  return integer ? integer : forFloat<Compare<F>::template Make>(type);
}

struct SelectFunction {
  template <typename T> static T apply(Bit condition, T onTrue, T onFalse) {
    return condition.value ? onTrue : onFalse;
  }
};
template <typename T> constexpr Handler Select = &ternaryLoop<SelectFunction, T, Bit, T, T>;

} // namespace

Handler comparison(Op op, ElementType type) {
  switch (op) {
  case Op::Eq:
    return compare<EqFunction>(type);
  case Op::Ne:
    return compare<NeFunction>(type);
  case Op::Lt:
    return compare<LtFunction>(type);
  case Op::Le:
    return compare<LeFunction>(type);
  case Op::Gt:
    return compare<GtFunction>(type);
  case Op::Ge:
    return compare<GeFunction>(type);
  default:
    return nullptr;
  }
}

Handler select(unsigned bytes) {
  switch (bytes) {
  case 1:
    return Select<uint8_t>;
  case 2:
    return Select<uint16_t>;
  case 4:
    return Select<uint32_t>;
  default:
    return Select<uint64_t>;
  }
}

} // namespace tilescope::interp
