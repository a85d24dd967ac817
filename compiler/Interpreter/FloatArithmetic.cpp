// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products, quotients and extrema of fp32 and fp64: IEEE, rounded once each (this file must not be
// compiled with contraction). Narrow floats pass through here as fp32 and are rounded again, which for these
// operations gives what one rounding gives, since fp32 has more than twice their digits.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

#include <cmath>

namespace tilescope::interp {

namespace {

struct AddFunction {
  template <typename T> static T apply(T a, T b) { return a + b; }
};
struct SubFunction {
  template <typename T> static T apply(T a, T b) { return a - b; }
};
struct MulFunction {
  template <typename T> static T apply(T a, T b) { return a * b; }
};
struct DivFunction {
  template <typename T> static T apply(T a, T b) { return a / b; }
};
/// What LLVM makes of a remainder for NVPTX: exact while x / y is a whole number of the type, and
/// far off past that.
struct RemFunction {
  template <typename T> static T apply(T a, T b) {
    return std::isinf(b) ? a : std::fma(-std::trunc(a / b), b, a);
  }
};

/// -0 is less than +0, as IEEE 754-2019 minimumNumber and PTX min have it.
template <typename T> T lesser(T a, T b) { return a < b || (a == b && std::signbit(a)) ? a : b; }
template <typename T> T greater(T a, T b) { return a > b || (a == b && !std::signbit(a)) ? a : b; }

struct MinFunction {
  template <typename T> static T apply(T a, T b) { return a != a ? b : b != b ? a : lesser(a, b); }
};
struct MaxFunction {
  template <typename T> static T apply(T a, T b) { return a != a ? b : b != b ? a : greater(a, b); }
};
struct MinNanFunction {
  template <typename T> static T apply(T a, T b) { return a != a ? a : b != b ? b : lesser(a, b); }
};
struct MaxNanFunction {
  template <typename T> static T apply(T a, T b) { return a != a ? a : b != b ? b : greater(a, b); }
};
struct NegFunction {
  template <typename T> static T apply(T a) { return -a; }
};
struct AbsFunction {
  template <typename T> static T apply(T a) { return std::fabs(a); }
};
struct SqrtFunction {
  template <typename T> static T apply(T a) { return std::sqrt(a); }
};
struct ClampFunction {
  template <typename T> static T apply(T x, T low, T high) {
    return MinFunction::apply(MaxFunction::apply(x, low), high);
  }
};
struct ClampNanFunction {
  template <typename T> static T apply(T x, T low, T high) {
    return x != x ? x : ClampFunction::apply(x, low, high);
  }
};

template <typename F> struct One {
  template <typename T> struct Make {
    static Handler handler() { return unary<F, T>(); }
  };
};
template <typename F> struct Two {
  template <typename T> struct Make {
    static Handler handler() { return binary<F, T>(); }
  };
};
template <typename F> struct Three {
  template <typename T> struct Make {
    static Handler handler() { return &ternaryLoop<F, T, T, T, T>; }
  };
};

} // namespace

Handler floatArithmetic(Op op, ElementType type) {
  switch (op) {
  case Op::Add:
    return forFloat<Two<AddFunction>::Make>(type);
  case Op::Sub:
    return forFloat<Two<SubFunction>::Make>(type);
  case Op::Mul:
    return forFloat<Two<MulFunction>::Make>(type);
  case Op::Div:
    return forFloat<Two<DivFunction>::Make>(type);
  case Op::Rem:
    return forFloat<Two<RemFunction>::Make>(type);
  case Op::Min:
    return forFloat<Two<MinFunction>::Make>(type);
  case Op::Max:
    return forFloat<Two<MaxFunction>::Make>(type);
  case Op::MinNan:
    return forFloat<Two<MinNanFunction>::Make>(type);
  case Op::MaxNan:
    return forFloat<Two<MaxNanFunction>::Make>(type);
  case Op::Neg:
    return forFloat<One<NegFunction>::Make>(type);
  case Op::Abs:
    return forFloat<One<AbsFunction>::Make>(type);
  case Op::Sqrt:
    return forFloat<One<SqrtFunction>::Make>(type);
  case Op::Clamp:
    return forFloat<Three<ClampFunction>::Make>(type);
  case Op::ClampNan:
    return forFloat<Three<ClampNanFunction>::Make>(type);
  default:
    return nullptr;
  }
}

} // namespace tilescope::interp
