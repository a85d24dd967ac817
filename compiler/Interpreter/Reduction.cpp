// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans with a plain combiner, over [outer, length, inner]. The order is fixed: along
// contiguous elements, 16 running values, each of every 16th element, joined by halves at the end; across
// rows, one running row.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/NarrowFloat.h"
#include "compiler/Interpreter/Operations.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

namespace tilescope::interp {

namespace {

struct AddFunction {
  template <typename T> static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
};
struct MinFunction {
  template <typename T> static T apply(T a, T b) { return a < b ? a : b; }
};
struct MaxFunction {
  template <typename T> static T apply(T a, T b) { return a < b ? b : a; }
};
/// A NaN gives way to the other; -0 is less than +0. Without branches, so that loops vectorise: of equals
/// `bits` makes the result, which matters for zeros only.
template <typename T, typename Bits> T choose(bool takesLeft, T a, T b, Bits bits) {
  using Unsigned = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  const T chosen = takesLeft ? a : b, number = b != b ? a : chosen;
  const T equal = std::bit_cast<T>(bits(std::bit_cast<Unsigned>(a), std::bit_cast<Unsigned>(b)));
  return a == b ? equal : number;
}
struct FloatMinFunction {
  template <typename T> static T apply(T a, T b) { return choose(a < b, a, b, std::bit_or<>()); }
};
struct FloatMaxFunction {
  template <typename T> static T apply(T a, T b) { return choose(a > b, a, b, std::bit_and<>()); }
};
struct AndFunction {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(a & b); }
};
struct OrFunction {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(a | b); }
};
struct XorFunction {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};

constexpr uint32_t Lanes = 16;

/// One line of contiguous elements; its length is a power of two.
template <typename F, typename T> T reduceLine(const T *line, uint32_t length) {
  T running[Lanes];
  uint32_t lanes = std::min(length, Lanes);
  std::copy_n(line, lanes, running);
  for (uint32_t i = lanes; i < length; i += Lanes)
    for (uint32_t lane = 0; lane < Lanes; ++lane)
      running[lane] = F::apply(running[lane], line[i + lane]);
  for (lanes /= 2; lanes > 0; lanes /= 2)
    for (uint32_t lane = 0; lane < lanes; ++lane)
      running[lane] = F::apply(running[lane], running[lane + lanes]);
  return running[0];
}

template <typename F, typename T> void reduceLoop(Frame &frame, const Instruction &instruction) {
  const AxisDetail &axis = frame.kernel.axis(instruction.detail);
  const T *from = frame.at<T>(instruction.operands[0]);
  T *result = frame.at<T>(instruction.result);
  const size_t inner = axis.inner;
  if (inner == 1) {
    for (size_t outer = 0; outer < axis.outer; ++outer)
      result[outer] = reduceLine<F>(from + outer * axis.length, axis.length);
    return;
  }
  for (size_t outer = 0; outer < axis.outer; ++outer, from += axis.length * inner, result += inner) {
    std::copy_n(from, inner, result);
    for (size_t row = 1; row < axis.length; ++row) {
      const T *line = from + row * inner;
      TILESCOPE_INDEPENDENT
      for (size_t i = 0; i < inner; ++i)
        result[i] = F::apply(result[i], line[i]);
    }
  }
}

template <typename F, typename T> void scanLoop(Frame &frame, const Instruction &instruction) {
  const AxisDetail &axis = frame.kernel.axis(instruction.detail);
  const T *from = frame.at<T>(instruction.operands[0]);
  T *result = frame.at<T>(instruction.result);
  const int64_t inner = axis.inner, block = int64_t(axis.length) * inner;
  const int64_t first = axis.reverse ? block - inner : 0, step = axis.reverse ? -inner : inner;
  for (uint32_t outer = 0; outer < axis.outer; ++outer, from += block, result += block) {
    std::copy_n(from + first, inner, result + first);
    for (int64_t row = 1, at = first + step; row < axis.length; ++row, at += step)
      for (int64_t i = 0; i < inner; ++i)
        result[at + i] = F::apply(result[at - step + i], from[at + i]);
  }
}

/// i1 and the types without a sign of their own: bits only.
template <template <typename, typename> class Loop, typename F> Handler onBits(unsigned bytes) {
  switch (bytes) {
  case 1:
    return &Loop<F, uint8_t>::run;
  case 2:
    return &Loop<F, uint16_t>::run;
  case 4:
    return &Loop<F, uint32_t>::run;
  default:
    return &Loop<F, uint64_t>::run;
  }
}

template <typename F, typename T> struct Reduce {
  static void run(Frame &frame, const Instruction &instruction) { reduceLoop<F, T>(frame, instruction); }
};
template <typename F, typename T> struct Scan {
  static void run(Frame &frame, const Instruction &instruction) { scanLoop<F, T>(frame, instruction); }
};

template <template <typename, typename> class Loop, typename Integer, typename Floating> struct Ordered {
  template <typename T> struct Make {
    using F = std::conditional_t<std::is_floating_point_v<T>, Floating, Integer>;
    static Handler handler() {
      if constexpr (std::is_same_v<T, Bit>)
        return &Loop<F, uint8_t>::run;
      else
        return &Loop<F, T>::run;
    }
  };
  static Handler of(ElementType type) {
    const Handler integer = forInteger<Make>(type);
    return integer ? integer : forFloat<Make>(type);
  }
};

/// Only fp32 and fp64 here: a narrow float would have to round after each step.
template <template <typename, typename> class Loop> Handler table(Op op, ElementType type) {
  if (isNarrowFloat(type) && (op == Op::Add || op == Op::Mul))
    return nullptr;
  const ElementType slot = slotType(type);
  const bool isReal = isFloat(type);
  switch (op) {
  case Op::Add:
    if (type == ElementType::Bool)
      return &Loop<XorFunction, uint8_t>::run;
    return Ordered<Loop, AddFunction, AddFunction>::of(slot);
  case Op::Min:
    return Ordered<Loop, MinFunction, FloatMinFunction>::of(slot);
  case Op::Max:
    return Ordered<Loop, MaxFunction, FloatMaxFunction>::of(slot);
  case Op::And:
    return isReal ? nullptr : onBits<Loop, AndFunction>(slotBytes(type));
  case Op::Or:
    return isReal ? nullptr : onBits<Loop, OrFunction>(slotBytes(type));
  case Op::Xor:
    return isReal ? nullptr : onBits<Loop, XorFunction>(slotBytes(type));
  default:
    return nullptr;
  }
}

} // namespace

Handler reduction(Op op, ElementType type) { return table<Reduce>(op, type); }
Handler scan(Op op, ElementType type) { return table<Scan>(op, type); }

} // namespace tilescope::interp
