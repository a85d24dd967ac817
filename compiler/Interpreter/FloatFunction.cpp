// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roundings to whole numbers, fused multiply-add and transcendental functions of fp32 and fp64, by the C++
// library in the type itself. A GPU's differ from them by a stated tolerance (compiler/docs/interpreter.md).
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"
#include "compiler/Interpreter/PowerOfTwo.h"

#include <cmath>
#include <numbers>

namespace tilescope::interp {

namespace {

#define TILESCOPE_FUNCTION(Name, expression)                                                                 \
  struct Name##Function {                                                                                    \
    template <typename T> static T apply(T x) { return expression; }                                         \
  };
TILESCOPE_FUNCTION(Floor, std::floor(x))
TILESCOPE_FUNCTION(Ceil, std::ceil(x))
TILESCOPE_FUNCTION(Trunc, std::trunc(x))
TILESCOPE_FUNCTION(Round, std::nearbyint(x))
TILESCOPE_FUNCTION(Rsqrt, T(1) / std::sqrt(x))
TILESCOPE_FUNCTION(Exp2, std::exp2(x)) // fp64
TILESCOPE_FUNCTION(Log, std::log(x))
TILESCOPE_FUNCTION(Log2, std::log2(x))
TILESCOPE_FUNCTION(Sin, std::sin(x))
TILESCOPE_FUNCTION(Cos, std::cos(x))
TILESCOPE_FUNCTION(Tanh, std::tanh(x))
TILESCOPE_FUNCTION(Erf, std::erf(x))
#undef TILESCOPE_FUNCTION

struct ExpFunction {
  static double apply(double x) { return std::exp(x); }
};

void exp2Loop(Frame &frame, const Instruction &instruction) {
  powersOfTwo(frame.at<float>(instruction.operands[0]), frame.at<float>(instruction.result), instruction.count);
}

/// By the power of two of a rounded product, as Triton has it for GPUs: 45 units in the last place off near the ends of the
/// range.
void expLoop(Frame &frame, const Instruction &instruction) {
  const float *x = frame.at<float>(instruction.operands[0]);
  float *result = frame.at<float>(instruction.result);
  TILESCOPE_INDEPENDENT
  for (uint32_t i = 0; i < instruction.count; ++i)
    result[i] = x[i] * std::numbers::log2e_v<float>;
  powersOfTwo(result, result, instruction.count);
}

struct FmaFunction {
  template <typename T> static T apply(T x, T y, T z) { return std::fma(x, y, z); }
};

template <typename F> struct One {
  template <typename T> struct Make {
    static Handler handler() { return unary<F, T>(); }
  };
};
/// A loop for fp32, a function for fp64.
template <Handler Loop, typename F> struct MakePower {
  template <typename T> struct Make {
    static Handler handler() { return std::is_same_v<T, float> ? Loop : unary<F, double>(); }
  };
};
template <typename T> struct MakeFma {
  static Handler handler() { return &ternaryLoop<FmaFunction, T, T, T, T>; }
};

} // namespace

Handler floatFunction(Op op, ElementType type) {
  switch (op) {
  case Op::Floor:
    return forFloat<One<FloorFunction>::Make>(type);
  case Op::Ceil:
    return forFloat<One<CeilFunction>::Make>(type);
  case Op::Trunc:
    return forFloat<One<TruncFunction>::Make>(type);
  case Op::Round:
    return forFloat<One<RoundFunction>::Make>(type);
  case Op::Rsqrt:
    return forFloat<One<RsqrtFunction>::Make>(type);
  case Op::Exp:
    return forFloat<MakePower<&expLoop, ExpFunction>::Make>(type);
  case Op::Exp2:
    return forFloat<MakePower<&exp2Loop, Exp2Function>::Make>(type);
  case Op::Log:
    return forFloat<One<LogFunction>::Make>(type);
  case Op::Log2:
    return forFloat<One<Log2Function>::Make>(type);
  case Op::Sin:
    return forFloat<One<SinFunction>::Make>(type);
  case Op::Cos:
    return forFloat<One<CosFunction>::Make>(type);
  case Op::Tanh:
    return forFloat<One<TanhFunction>::Make>(type);
  case Op::Erf:
    return forFloat<One<ErfFunction>::Make>(type);
  case Op::Fma:
    return forFloat<MakeFma>(type);
  default:
    return nullptr;
  }
}

} // namespace tilescope::interp
