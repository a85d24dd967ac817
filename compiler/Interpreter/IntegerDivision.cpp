// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division of integers towards zero, and what it leaves. By zero both give all bits set, as an H200 does, where a
// 64-bit dividend whose upper half is 0 sets the lower half only; the least integer by -1 gives itself and leaves 0.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

namespace {

template <typename T> bool isMinusOne(T value) { return std::is_signed_v<T> && value == static_cast<T>(-1); }

template <typename T> T byZero(T dividend) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(static_cast<uint64_t>(dividend) >> 32 ? ~uint64_t(0) : uint64_t(0xffffffff));
  return static_cast<T>(-1);
}

struct DivFunction {
  template <typename T> static T of(T a, T b) {
    using Unsigned = std::make_unsigned_t<T>;
    if (b == 0)
      return byZero(a);
    return isMinusOne(b) ? static_cast<T>(Unsigned(0) - static_cast<Unsigned>(a)) : static_cast<T>(a / b);
  }
};
struct RemFunction {
  template <typename T> static T of(T a, T b) {
    if (b == 0)
      return byZero(a);
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
