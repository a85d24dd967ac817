// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and conversions rounded to nearest, towards zero, down or up: exact, by the processor's own
// rounding modes. This file is compiled so that they are kept in mind (-frounding-math).
#include "compiler/Interpreter/Clamp.h"
#include "compiler/Interpreter/LibdeviceTable.h"

#include <cfenv>
#include <concepts>

namespace tilescope::interp {

namespace {

/// While it lives, results are rounded in this direction.
class Rounding {
public:
  explicit Rounding(int direction) : m_before(std::fegetround()) { std::fesetround(direction); }
  ~Rounding() { std::fesetround(m_before); }
  Rounding(const Rounding &) = delete;
  Rounding &operator=(const Rounding &) = delete;

private:
  int m_before;
};

/// F with its fp32 operands and result flushed, rounded in one direction.
template <int Direction, typename F, typename Signature> struct Directed;
template <int Direction, typename F, typename R, typename... A> struct Directed<Direction, F, R(A...)> {
  R operator()(A... x) const { return flushed(static_cast<R>(F{}(flushed(x)...))); }
  /// The whole loop in that direction, for changing it takes longer than adding.
  static void run(Frame &frame, const Instruction &instruction) {
    const Rounding rounding(Direction);
    EachElement<Directed, R(A...)>::run(frame, instruction);
  }
};

/// Signature in all four directions: `name` and _rn, _rz, _rd, _ru.
template <typename Signature, typename F>
void addDirected(LibdeviceTable &table, const std::string &name, F function) {
  table.add<Signature>(name + "_rn", function).handler = &Directed<FE_TONEAREST, F, Signature>::run;
  table.add<Signature>(name + "_rz", function).handler = &Directed<FE_TOWARDZERO, F, Signature>::run;
  table.add<Signature>(name + "_rd", function).handler = &Directed<FE_DOWNWARD, F, Signature>::run;
  table.add<Signature>(name + "_ru", function).handler = &Directed<FE_UPWARD, F, Signature>::run;
}

/// "f" or "d" and the name, as libdevice calls arithmetic.
template <typename F, typename Single, typename Wide>
void addArithmetic(LibdeviceTable &table, const std::string &name, F function) {
  addDirected<Single>(table, "f" + name, function);
  addDirected<Wide>(table, "d" + name, function);
}

/// A float to an integer of T's range, in a slot of To.
template <typename To, typename From, typename T = To>
void addToInteger(LibdeviceTable &table, const std::string &name) {
  addDirected<To(From)>(table, name, [](From x) { return static_cast<To>(clampedTo<T>(std::nearbyint(x))); });
}

template <typename To, typename From> void addConversion(LibdeviceTable &table, const std::string &name) {
  addDirected<To(From)>(table, name, [](From x) { return static_cast<To>(x); });
}

void addSums(LibdeviceTable &table) {
  const auto add = [](auto x, auto y) { return x + y; };
  const auto subtract = [](auto x, auto y) { return x - y; };
  const auto multiply = [](auto x, auto y) { return x * y; };
  const auto divide = [](auto x, auto y) { return x / y; };
  const auto fma = [](auto x, auto y, auto z) { return std::fma(x, y, z); };
  const auto reciprocal = [](auto x) { return decltype(x)(1) / x; };
  const auto root = [](auto x) { return std::sqrt(x); };
  addArithmetic<decltype(add), float(float, float), double(double, double)>(table, "add", add);
  addArithmetic<decltype(subtract), float(float, float), double(double, double)>(table, "sub", subtract);
  addArithmetic<decltype(multiply), float(float, float), double(double, double)>(table, "mul", multiply);
  addArithmetic<decltype(divide), float(float, float), double(double, double)>(table, "div", divide);
  addArithmetic<decltype(reciprocal), float(float), double(double)>(table, "rcp", reciprocal);
  addArithmetic<decltype(root), float(float), double(double)>(table, "sqrt", root);
  addDirected<float(float, float, float)>(table, "fmaf", fma);
  addDirected<double(double, double, double)>(table, "fma", fma);
}

void addConversions(LibdeviceTable &table) {
  addToInteger<int32_t, float>(table, "float2int");
  addToInteger<int32_t, float, uint32_t>(table, "float2uint");
  addToInteger<int64_t, float>(table, "float2ll");
  addToInteger<int64_t, float, uint64_t>(table, "float2ull");
  addToInteger<int32_t, double>(table, "double2int");
  addToInteger<int32_t, double, uint32_t>(table, "double2uint");
  addToInteger<int64_t, double>(table, "double2ll");
  addToInteger<int64_t, double, uint64_t>(table, "double2ull");
  addConversion<float, double>(table, "double2float");
  addConversion<float, int32_t>(table, "int2float");
  addConversion<float, uint32_t>(table, "uint2float");
  addConversion<float, int64_t>(table, "ll2float");
  addConversion<float, uint64_t>(table, "ull2float");
  addConversion<double, int64_t>(table, "ll2double");
  addConversion<double, uint64_t>(table, "ull2double");
  table.add<double(int32_t)>("int2double_rn", [](int32_t x) { return x; });
  table.add<double(uint32_t)>("uint2double_rn", [](uint32_t x) { return x; });
}

} // namespace

void addRoundings(LibdeviceTable &table) {
  addSums(table);
  addConversions(table);
}

} // namespace tilescope::interp
