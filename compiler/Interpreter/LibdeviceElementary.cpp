// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the C++ library has, or nearly. In fp32 they are computed in fp64 and rounded once; in fp64,
// where the C++ library's own error would show, with 64 digits.
#include "compiler/Interpreter/Clamp.h"
#include "compiler/Interpreter/LibdeviceTable.h"

#include <numbers>

namespace tilescope::interp {

namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

bool isSubnormal(float x) { return std::fpclassify(x) == FP_SUBNORMAL; }

template <typename T> using Wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// F in the next wider type, rounded once.
template <typename F> auto widened(F) {
  return [](auto... x) {
    using T = std::common_type_t<decltype(x)...>;
    return static_cast<T>(F{}(Wider<T>(x)...));
  };
}

/// sin(pi x) for `shift` 0, cos(pi x) for 1: by the quarter turn that x is nearest to, so that multiples are
/// exact.
template <typename T> T ofHalfTurns(T x, int shift) {
  if (!std::isfinite(x))
    return std::numeric_limits<T>::quiet_NaN();
  const T turn = std::fmod(x, T(2)), quarter = std::nearbyint(2 * turn);
  const Wider<T> angle = std::numbers::pi_v<Wider<T>> * Wider<T>(turn - quarter / 2);
  const int place = (static_cast<int>(quarter) + shift) & 3;
  const Wider<T> size = place & 1 ? std::cos(angle) : std::sin(angle);
  const T result = static_cast<T>(place & 2 ? -size : size);
  return result == 0 ? std::copysign(T(0), shift ? T(1) : x) : result;
}

void addTrigonometry(LibdeviceTable &table) {
  table.both("sin", widened([](auto x) { return std::sin(x); }), 3, 2);
  table.both("cos", widened([](auto x) { return std::cos(x); }), 3, 3);
  table.both("tan", widened([](auto x) { return std::tan(x); }), 5, 3);
  table.both("asin", widened([](auto x) { return std::asin(x); }), 3, 3);
  table.both("acos", widened([](auto x) { return std::acos(x); }), 3, 3);
  table.both("atan", widened([](auto x) { return std::atan(x); }), 3, 3);
  table.both<2>("atan2", widened([](auto y, auto x) { return std::atan2(y, x); }), 4, 3);
  table.both("sinpi", [](auto x) { return ofHalfTurns(x, 0); }, 2, 3);
  table.both("cospi", [](auto x) { return ofHalfTurns(x, 1); }, 2, 3);
  table.both("sinh", widened([](auto x) { return std::sinh(x); }), 4, 3);
  table.both("cosh", widened([](auto x) { return std::cosh(x); }), 3, 2);
  table.both("tanh", widened([](auto x) { return std::tanh(x); }), 3, 3);
  table.both("asinh", widened([](auto x) { return std::asinh(x); }), 4, 4);
  table.both("acosh", widened([](auto x) { return std::acosh(x); }), 5, 4);
  table.both("atanh", widened([](auto x) { return std::atanh(x); }), 4, 3);
}

void addPowers(LibdeviceTable &table) {
  table.both("exp", widened([](auto x) { return std::exp(x); }), 3, 2);
  table.both("exp2", widened([](auto x) { return std::exp2(x); }), 3, 2);
  table.both("exp10", widened([](auto x) { return std::pow(decltype(x)(10), x); }), 3, 2);
  table.both("expm1", widened([](auto x) { return std::expm1(x); }), 2, 2);
  table.bothUnflushed("log", widened([](auto x) { return std::log(x); }), {2}, {2});
  table.bothUnflushed("log2", widened([](auto x) { return std::log2(x); }), {2}, {2});
  table.bothUnflushed("log10", widened([](auto x) { return std::log10(x); }), {3}, {2});
  table.both("log1p", widened([](auto x) { return std::log1p(x); }), 2, 2);
  table.bothUnflushed<2>("pow", widened([](auto x, auto y) { return std::pow(x, y); }),
                         {5, std::numeric_limits<float>::min()}, {3});
  table.add<float(float, int32_t)>("powif", [](float x, int32_t n) { return std::pow(double(x), n); },
                                   {64, std::numeric_limits<float>::min()});
  table.add<double(double, int32_t)>(
      "powi", [](double x, int32_t n) { return std::pow(static_cast<long double>(x), n); }, {64});
}

/// The square root of a sum of squares; infinite even beside NaN.
template <typename T> T length(T x, T y, T z) { return std::hypot(std::hypot(x, y), z); }

void addRoots(LibdeviceTable &table) {
  table.both("sqrt", [](auto x) { return std::sqrt(x); }, 2, 0);
  table.both("rsqrt", widened([](auto x) { return 1 / std::sqrt(x); }), 3, 2);
  table.add<float(float)>("frsqrt_rn", [](float x) { return 1 / std::sqrt(double(flushed(x))); });
  table.both("cbrt", widened([](auto x) { return std::cbrt(x); }), 2, 2);
  table.both("rcbrt", widened([](auto x) { return 1 / std::cbrt(x); }), 3, 2);
  // libdevice's own way there goes wrong for what counts as zero and is none.
  table.add<float(float)>("cbrtf", [](float x) { return isSubnormal(x) ? NaN : std::cbrt(double(x)); }, {2});
  table.add<float(float)>("rcbrtf", [](float x) { return isSubnormal(x) ? NaN : 1 / std::cbrt(double(x)); },
                          {3});
  table.both<2>("hypot", widened([](auto x, auto y) { return std::hypot(x, y); }), 4, 3);
  table.both<2>("rhypot", widened([](auto x, auto y) { return 1 / std::hypot(x, y); }), 3, 2);
  table.both<3>("norm3d", widened([](auto x, auto y, auto z) { return length(x, y, z); }), 4, 3);
  table.both<3>("rnorm3d", widened([](auto x, auto y, auto z) { return 1 / length(x, y, z); }), 3, 3);
}

/// Of four arguments: the first three become one fp64.
void addLengthsOfFour(LibdeviceTable &table) {
  const auto first = [](auto x, auto y, auto z) { return length<long double>(x, y, z); };
  using OfSingles = EachElement<decltype(first), double(float, float, float)>;
  using OfDoubles = EachElement<decltype(first), double(double, double, double)>;
  const auto all = [](double three, auto w) { return std::hypot(static_cast<long double>(three), w); };
  const auto inverse = [](double three, auto w) {
    return 1 / std::hypot(static_cast<long double>(three), w);
  };
  const Tolerance single{4, std::numeric_limits<float>::min()}, wide{4};
  table.add<float(double, float)>("norm4df", all, single).begin = &OfSingles::run;
  table.add<float(double, float)>("rnorm4df", inverse, single).begin = &OfSingles::run;
  table.add<double(double, double)>("norm4d", all, wide).begin = &OfDoubles::run;
  table.add<double(double, double)>("rnorm4d", inverse, wide).begin = &OfDoubles::run;
}

void addWholeNumbers(LibdeviceTable &table) {
  const Tolerance exact;
  table.both("fabs", [](auto x) { return std::fabs(x); }, exact, exact);
  table.both("floor", [](auto x) { return std::floor(x); }, exact, exact);
  table.both("ceil", [](auto x) { return std::ceil(x); }, exact, exact);
  table.both("trunc", [](auto x) { return std::trunc(x); }, exact, exact);
  table.both("rint", [](auto x) { return std::nearbyint(x); }, exact, exact);
  table.both("nearbyint", [](auto x) { return std::nearbyint(x); }, exact, exact);
  table.both("round", [](auto x) { return std::round(x); }, exact, exact);
  table.add<int64_t(float)>("llrintf", [](float x) { return clampedTo<int64_t>(std::nearbyint(x)); });
  table.add<int64_t(double)>("llrint", [](double x) { return clampedTo<int64_t>(std::nearbyint(x)); });
  table.add<int64_t(float)>("llroundf", [](float x) { return clampedTo<int64_t>(std::round(x)); });
  table.add<int64_t(double)>("llround", [](double x) { return clampedTo<int64_t>(std::round(x)); });
}

double next(double x, double y) { return std::nextafter(x, y); }
/// From 0 to the least normal number, but back from there to the subnormal ones.
float next(float from, float to) {
  const float x = flushed(from), y = flushed(to);
  return x == 0 && y != 0 && !std::isnan(y) ? std::copysign(std::numeric_limits<float>::min(), y)
                                            : std::nextafter(x, y);
}

void addParts(LibdeviceTable &table) {
  const Tolerance exact;
  table.bothUnflushed<2>("nextafter", [](auto x, auto y) { return next(x, y); }, exact, exact);
  table.bothUnflushed<2>("copysign", [](auto x, auto y) { return std::copysign(x, y); }, exact, exact);
  table.both<2>("fmod", [](auto x, auto y) { return std::fmod(x, y); }, 0, 0);
  table.both<2>("remainder", [](auto x, auto y) { return std::remainder(x, y); }, 0, 0);
  table.both<2>("fdim", [](auto x, auto y) { return std::fdim(x, y); }, 0, 0);
  table.both<3>("fma", [](auto x, auto y, auto z) { return std::fma(x, y, z); }, 0, 0);
  table.add<double(double)>("logb", [](double x) { return std::logb(x); });
  table.add<float(float)>("logbf", [](float x) { return isSubnormal(x) ? -150 : std::logb(x); });
  table.add<float(float)>("saturatef", [](float x) { return flushed(x > 0 ? std::fmin(x, 1.0f) : 0.0f); });
  for (const std::string name : {"ldexp", "scalbn"}) {
    table.add<float(float, int32_t)>(name + "f", [](float x, int32_t n) { return std::ldexp(flushed(x), n); },
                                     {0, 4 * std::numeric_limits<float>::min()});
    table.add<double(double, int32_t)>(name, [](double x, int32_t n) { return std::ldexp(x, n); });
  }
}

/// The GPU's approximations, computed exactly: errors as the CUDA guide has them for intrinsic functions.
void addFast(LibdeviceTable &table) {
  constexpr double Least = std::numeric_limits<float>::min();
  const auto add = [&](const char *name, auto function, Tolerance tolerance) {
    table.add<float(float)>(name, function, tolerance);
  };
  add("fast_sinf", [](float x) { return std::sin(double(x)); }, {2, 0x1p-20});
  add("fast_cosf", [](float x) { return std::cos(double(x)); }, {2, 0x1p-20});
  add("fast_tanf", [](float x) { return std::tan(double(x)); }, {64, 0x1p-19});
  add("fast_expf", [](float x) { return std::exp(double(x)); }, {128, Least});
  add("fast_exp10f", [](float x) { return std::pow(10.0, double(x)); }, {128, Least});
  add("fast_logf", [](float x) { return std::log(double(flushed(x))); }, {4, 0x1p-21});
  add("fast_log2f", [](float x) { return std::log2(double(flushed(x))); }, {3, 0x1p-21});
  add("fast_log10f", [](float x) { return std::log10(double(flushed(x))); }, {4, 0x1p-21});
  table.add<float(float, float)>( // by logarithms: NaN for negative x
      "fast_powf", [](float x, float y) { return std::exp2(y * std::log2(double(flushed(x)))); },
      {512, Least});
  table.add<float(float, float)>(
      "fast_fdividef",
      [](float x, float y) {
        const bool isHuge = std::fabs(y) > 0x1p126f && std::isfinite(y); // its reciprocal counts as 0
        return isHuge ? x * std::copysign(0.0f, y) : flushed(flushed(x) / flushed(y));
      },
      {3, Least});
  table.add<double(double)>( // of whose result only the upper half is there
      "rcp64h",
      [](double x) {
        return std::bit_cast<double>(
            std::bit_cast<uint64_t>(1 / (std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0, x) : x)) &
            0xffffffff00000000);
      },
      {0x1p35, std::numeric_limits<double>::min()});
}

} // namespace

void addElementary(LibdeviceTable &table) {
  addTrigonometry(table);
  addPowers(table);
  addRoots(table);
  addLengthsOfFour(table);
  addWholeNumbers(table);
  addParts(table);
  addFast(table);
}

} // namespace tilescope::interp
