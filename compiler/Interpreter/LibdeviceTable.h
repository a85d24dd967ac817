// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rows of Libdevice.h are written down: a symbol, its types as those of a C++ function, the function
// as a lambda without captures, the tolerance.
#pragma once

#include "compiler/Interpreter/Libdevice.h"
#include "compiler/Interpreter/Machine.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

namespace tilescope::interp {

/// A function applied to each element. Operands that hold one element for all have a stride of 0.
template <typename F, typename Signature> struct EachElement;
template <typename F, typename R, typename... A> struct EachElement<F, R(A...)> {
  static void run(Frame &frame, const Instruction &instruction) {
    run(frame, instruction, std::index_sequence_for<A...>());
  }
  template <size_t... I>
  static void run(Frame &frame, const Instruction &instruction, std::index_sequence<I...>) {
    const std::tuple<const A *...> from{frame.at<A>(instruction.operands[I])...};
    const size_t stride[] = {size_t(!(instruction.single >> I & 1))...};
    R *result = frame.at<R>(instruction.result);
    for (uint32_t i = 0; i < instruction.count; ++i)
      result[i] = static_cast<R>(F{}(std::get<I>(from)[i * stride[I]]...));
  }
};

/// With fp32 numbers below the normal ones taken and given as zero, as PTX's .ftz has it.
inline float flushed(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}
template <typename T> T flushed(T x) { return x; }

template <typename F> struct Flushed {
  template <typename... A> float operator()(A... x) const {
    return flushed(static_cast<float>(F{}(flushed(x)...)));
  }
};

class LibdeviceTable {
public:
  template <typename Signature, typename F>
  LibdeviceFunction &add(std::string symbol, F, Tolerance tolerance = {}) {
    LibdeviceFunction &row = m_rows["__nv_" + std::move(symbol)];
    row = {&EachElement<F, Signature>::run, nullptr, tolerance};
    return row;
  }

  /// For fp32 (`name` and an f), flushed, and for fp64.
  template <size_t Arity = 1, typename F>
  void both(const std::string &name, F, Tolerance single, Tolerance wide) {
    addAll<float, Flushed<F>>(name + "f", single, std::make_index_sequence<Arity>());
    addAll<double, F>(name, wide, std::make_index_sequence<Arity>());
  }
  /// The same where fp32 is taken as it is.
  template <size_t Arity = 1, typename F>
  void bothUnflushed(const std::string &name, F, Tolerance single, Tolerance wide) {
    addAll<float, F>(name + "f", single, std::make_index_sequence<Arity>());
    addAll<double, F>(name, wide, std::make_index_sequence<Arity>());
  }
  /// The tolerances in units in the last place. What is too small for a normal fp32 number counts as 0.
  template <size_t Arity = 1, typename F>
  void both(const std::string &name, F function, double singleUlps, double wideUlps) {
    both<Arity>(name, function, Tolerance{singleUlps, std::numeric_limits<float>::min()},
                Tolerance{wideUlps});
  }

  const LibdeviceFunction *find(std::string_view symbol) const {
    const auto row = m_rows.find(std::string(symbol));
    return row == m_rows.end() ? nullptr : &row->second;
  }

private:
  template <typename T, size_t> using Repeated = T;
  template <typename T, typename F, size_t... I>
  void addAll(const std::string &symbol, Tolerance tolerance, std::index_sequence<I...>) {
    add<T(Repeated<T, I>...)>(symbol, F{}, tolerance);
  }

  std::unordered_map<std::string, LibdeviceFunction> m_rows;
};

/// The groups, each in a file of its own.
void addBits(LibdeviceTable &table); ///< LibdeviceBits.cpp: integers, patterns, questions about a number
void addRoundings(
    LibdeviceTable &table); ///< LibdeviceRounding.cpp: arithmetic and conversions in four directions
void addElementary(LibdeviceTable &table); ///< LibdeviceElementary.cpp: what the C++ library has
void addSpecial(LibdeviceTable &table);    ///< LibdeviceSpecial.cpp: error functions, Bessel, gamma

} // namespace tilescope::interp
