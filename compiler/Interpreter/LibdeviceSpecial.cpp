// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error functions, the normal distribution, gamma and Bessel functions: by the C library where it has them
// with 64 digits, else by Boost.Math. Alone in its file, for Boost takes long to compile.
#include "compiler/Interpreter/LibdeviceTable.h"

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/erf.hpp>

#include <math.h>
#include <numbers>

namespace tilescope::interp {

namespace {

namespace policies = boost::math::policies;
/// Errors give NaN or infinity; nothing is thrown.
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>, policies::evaluation_error<policies::ignore_error>,
    policies::rounding_error<policies::ignore_error>>;

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
constexpr double Infinity = std::numeric_limits<double>::infinity();

//===- Error functions -----------------------------------------------------------------------------===//

double erfInverse(double x) {
  if (!(std::fabs(x) < 1))
    return std::fabs(x) == 1 ? x * Infinity : NaN;
  return boost::math::erf_inv(x, Quiet());
}

double erfcInverse(double x) {
  if (!(x > 0 && x < 2))
    return x == 0 ? Infinity : x == 2 ? -Infinity : NaN;
  return boost::math::erfc_inv(x, Quiet());
}

/// exp(x²) erfc(x). From 50 on by its asymptotic series (Abramowitz and Stegun 7.1.23).
double scaledErfc(double x) {
  if (x < 50)
    return static_cast<double>(std::exp(static_cast<long double>(x) * x) *
                               std::erfc(static_cast<long double>(x)));
  const double step = -1 / (2 * x * x);
  double sum = 1, term = 1;
  for (int k = 1; k < 8; ++k)
    sum += term *= (2 * k - 1) * step;
  return sum * std::numbers::inv_sqrtpi / x;
}

double normalProbability(double x) {
  return static_cast<double>(std::erfc(-x / std::numbers::sqrt2_v<long double>) / 2);
}

template <typename T> T normalQuantile(T p) {
  return static_cast<T>(-std::numbers::sqrt2 * erfcInverse(flushed(2 * p)));
}

void addErrorFunctions(LibdeviceTable &table) {
  table.both("erf", [](auto x) { return std::erf(static_cast<long double>(x)); }, 3, 3);
  table.both("erfc", [](auto x) { return std::erfc(static_cast<long double>(x)); }, 5, 6);
  table.both("erfcx", [](auto x) { return scaledErfc(x); }, 5, 5);
  table.both("erfinv", [](auto x) { return erfInverse(x); }, 4, 6);
  table.both("erfcinv", [](auto x) { return erfcInverse(x); }, 5, 7);
  table.both("normcdf", [](auto x) { return normalProbability(x); }, 6, 6);
  table.bothUnflushed("normcdfinv", [](auto x) { return normalQuantile(x); }, {6}, {9});
}

//===- Gamma ---------------------------------------------------------------------------------------===//

/// Not std::lgamma, which writes a global sign.
long double logarithmOfGamma(long double x) {
  int sign;
  return lgammal_r(x, &sign);
}

void addGamma(LibdeviceTable &table) {
  table.both("tgamma", [](auto x) { return std::tgamma(static_cast<long double>(x)); }, 12, 11);
  table.add<float(float)>( // flushed above 0 only
      "tgammaf", [](float x) { return std::tgamma(static_cast<long double>(x > 0 ? flushed(x) : x)); },
      {12, std::numeric_limits<float>::min()});
  // Near its zeros, between -11 and -2, it is the distance that is small.
  table.both("lgamma", [](auto x) { return logarithmOfGamma(x); }, Tolerance{7, 1e-5}, Tolerance{5, 1e-13});
}

//===- Bessel functions ----------------------------------------------------------------------------===//

/// The C library goes from order to order. Past this one, Debye's formula (Abramowitz and Stegun 9.3.3) is as
/// good.
constexpr int32_t GreatestOrder = 1 << 16;
struct Wave {
  double size, phase; ///< size 0 where the wave has not begun, for x <= n
};
Wave waveOf(int32_t n, double x) {
  if (!(x > n))
    return {0, 0};
  const double along = std::sqrt((x - n) * (x + n));
  return {std::sqrt(2 / (std::numbers::pi * along)), along - n * std::acos(n / x) - std::numbers::pi / 4};
}

/// Of the first kind, for n >= 0, as CUDA has it.
double besselFirst(int32_t n, double x) {
  if (n < 0 || std::isnan(x))
    return NaN;
  if (n <= GreatestOrder)
    return jn(n, x);
  const Wave wave = waveOf(n, std::fabs(x));
  return (x < 0 && n % 2 ? -1 : 1) * wave.size * std::cos(wave.phase);
}

/// Of the second kind, for x >= 0.
double besselSecond(int32_t n, double x) {
  if (n < 0 || !(x >= 0))
    return NaN;
  if (n <= GreatestOrder)
    return x == 0 ? -Infinity : yn(n, x);
  const Wave wave = waveOf(n, x);
  return wave.size == 0 ? -Infinity : wave.size * std::sin(wave.phase);
}

double besselModified(int32_t n, double x) {
  if (std::isnan(x))
    return x;
  const double size = std::isinf(x) ? Infinity : boost::math::cyl_bessel_i(n, std::fabs(x), Quiet());
  return n == 1 ? std::copysign(size, x) : size;
}

void addBessel(LibdeviceTable &table) {
  const Tolerance single{10, 2.2e-6}, wide{8, 5e-12}; // beyond 8 the guide gives a distance
  const Tolerance singleOfOrder{64, 2.2e-6}, wideOfOrder{64, 5e-12};
  table.both("j0", [](auto x) { return besselFirst(0, x); }, single, wide);
  table.both("j1", [](auto x) { return besselFirst(1, x); }, single, wide);
  table.bothUnflushed(
      "y0", [](auto x) { return std::signbit(x) && x != 0 ? NaN : besselSecond(0, flushed(x)); }, single,
      wide);
  table.bothUnflushed(
      "y1", [](auto x) { return std::signbit(x) && x != 0 ? NaN : besselSecond(1, flushed(x)); }, single,
      wide);
  table.add<float(int32_t, float)>(
      "jnf", [](int32_t n, float x) { return besselFirst(n, x); }, singleOfOrder);
  table.add<double(int32_t, double)>(
      "jn", [](int32_t n, double x) { return besselFirst(n, x); }, wideOfOrder);
  table.add<float(int32_t, float)>(
      "ynf", [](int32_t n, float x) { return besselSecond(n, x); }, singleOfOrder);
  table.add<double(int32_t, double)>(
      "yn", [](int32_t n, double x) { return besselSecond(n, x); }, wideOfOrder);
  table.both("cyl_bessel_i0", [](auto x) { return besselModified(0, x); }, 7, 7);
  table.both("cyl_bessel_i1", [](auto x) { return besselModified(1, x); }, 7, 7);
}

} // namespace

void addSpecial(LibdeviceTable &table) {
  addErrorFunctions(table);
  addGamma(table);
  addBessel(table);
}

} // namespace tilescope::interp
