// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division of integers towards zero, and what it leaves. By zero a division gives all bits set and the
// remainder is the dividend, as on the GPU; the least integer by -1 gives itself and leaves 0.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

namespace {

template <typename T> bool isMinusOne(T value) { return std::is_signed_v<T> && value == static_cast<T>(-1); }

struct DivFunction {
  template <typename T> static T of(T a, T b) {
    using Unsigned = std::make_unsigned_t<T>;
    if (b == 0)
      return static_cast<T>(-1);
    return isMinusOne(b) ? static_cast<T>(Unsigned(0) - static_cast<Unsigned>(a)) : static_cast<T>(a / b);
  }
};
struct RemFunction {
  template <typename T> static T of(T a, T b) {
    if (b == 0)
      return a;
    return isMinusOne(b) ? T(0) : static_cast<T>(a % b);
  }
};

template <typename F> struct Two {
  template <typename T> struct Make {
    static Handler handler() { return binary<OnIntegers<F, T>, T>(); }
  };
};

} // namespace

Handler integerDivision(Op op, ElementType type) {
  switch (op) {
  case Op::Div:
    return forInteger<Two<DivFunction>::Make>(type);
  case Op::Rem:
    return forInteger<Two<RemFunction>::Make>(type);
  default:
    return nullptr;
  }
}

} // namespace tilescope::interp
