// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a tile's elements, as templates over the function of an element. A result may stand in the slot
// of an operand, but only at the same place, so that the loops vectorise.
#pragma once

#include "compiler/Interpreter/Machine.h"

#include <type_traits>

#if defined(__clang__)
#define TILESCOPE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TILESCOPE_INDEPENDENT _Pragma("GCC ivdep")
#endif

/// Compiles a function twice, for AVX2 too, and picks one when the program starts. AVX2 has no fused
/// multiply-add, so that results are the same.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define TILESCOPE_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define TILESCOPE_WIDE_VECTORS
#endif

namespace tilescope::interp {

/// i1 in a slot: a byte of 0 or 1, apart from uint8_t as a type.
struct Bit {
  uint8_t value = 0;
};

template <typename F, typename R, typename A> void unaryLoop(Frame &frame, const Instruction &instruction) {
  R *result = frame.at<R>(instruction.result);
  const A *a = frame.at<A>(instruction.operands[0]);
  const uint32_t count = instruction.count;
  TILESCOPE_INDEPENDENT
  for (uint32_t i = 0; i < count; ++i)
    result[i] = F::apply(a[i]);
}

template <typename F, typename R, typename A, typename B>
void binaryLoop(Frame &frame, const Instruction &instruction) {
  R *result = frame.at<R>(instruction.result);
  const A *a = frame.at<A>(instruction.operands[0]);
  const B *b = frame.at<B>(instruction.operands[1]);
  const uint32_t count = instruction.count;
  if (instruction.single == 2) {
    const B right = *b;
    TILESCOPE_INDEPENDENT
    for (uint32_t i = 0; i < count; ++i)
      result[i] = F::apply(a[i], right);
  } else if (instruction.single == 1) {
    const A left = *a;
    TILESCOPE_INDEPENDENT
    for (uint32_t i = 0; i < count; ++i)
      result[i] = F::apply(left, b[i]);
  } else {
    TILESCOPE_INDEPENDENT
    for (uint32_t i = 0; i < count; ++i)
      result[i] = F::apply(a[i], b[i]);
  }
}

/// Three operands, each with a stride of 0 or 1.
template <typename F, typename R, typename A, typename B, typename C>
void ternaryLoop(Frame &frame, const Instruction &instruction) {
  R *result = frame.at<R>(instruction.result);
  const A *a = frame.at<A>(instruction.operands[0]);
  const B *b = frame.at<B>(instruction.operands[1]);
  const C *c = frame.at<C>(instruction.operands[2]);
  const uint32_t count = instruction.count;
  if (instruction.single == 0) {
    TILESCOPE_INDEPENDENT
    for (uint32_t i = 0; i < count; ++i)
      result[i] = F::apply(a[i], b[i], c[i]);
    return;
  }
  const size_t da = !(instruction.single & 1), db = !(instruction.single & 2), dc = !(instruction.single & 4);
  TILESCOPE_INDEPENDENT
  for (uint32_t i = 0; i < count; ++i)
    result[i] = F::apply(a[i * da], b[i * db], c[i * dc]);
}

template <typename F, typename T> Handler unary() { return &unaryLoop<F, T, T>; }
template <typename F, typename T> Handler binary() { return &binaryLoop<F, T, T, T>; }

/// The instance of `Make<T>::handler()` for an integer type or i1; null for floats.
template <template <typename> class Make> Handler forInteger(ElementType type) {
  switch (type) {
  case ElementType::Bool:
    return Make<Bit>::handler();
  case ElementType::Int8:
    return Make<int8_t>::handler();
  case ElementType::Int16:
    return Make<int16_t>::handler();
  case ElementType::Int32:
    return Make<int32_t>::handler();
  case ElementType::Int64:
    return Make<int64_t>::handler();
  case ElementType::UInt8:
    return Make<uint8_t>::handler();
  case ElementType::UInt16:
    return Make<uint16_t>::handler();
  case ElementType::UInt32:
    return Make<uint32_t>::handler();
  case ElementType::UInt64:
    return Make<uint64_t>::handler();
  default:
    return nullptr;
  }
}

/// The same for fp32 and fp64.
template <template <typename> class Make> Handler forFloat(ElementType type) {
  switch (type) {
  case ElementType::Float32:
    return Make<float>::handler();
  case ElementType::Float64:
    return Make<double>::handler();
  default:
    return nullptr;
  }
}

/// An integer function on T's unsigned type, or on i1's bit: F::of(unsigned…) in a type of its width,
/// wrapped.
template <typename F, typename T> struct OnIntegers {
  template <typename... Args> static T apply(Args... args) { return static_cast<T>(F::of(args...)); }
};
template <typename F> struct OnIntegers<F, Bit> {
  template <typename... Args> static Bit apply(Args... args) {
    return {static_cast<uint8_t>(F::of(args.value...) & 1)};
  }
};

} // namespace tilescope::interp
