// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX on floats: computed in fp64 and rounded once, but for a fused multiply-add, which has its own type.
#include "compiler/Interpreter/NarrowFloat.h"
#include "compiler/Interpreter/Ptx.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilescope::interp {

namespace {

using Kind = PtxType::Kind;
using Function = double (*)(const PtxStep &step, const double *s);

const FloatFormat &formatOf(PtxType type) {
  switch (type.kind) {
  case Kind::Brain:
    return FloatFormat::of(ElementType::BFloat16);
  case Kind::E4M3:
    return FloatFormat::of(ElementType::Float8E4M3FN);
  case Kind::E5M2:
    return FloatFormat::of(ElementType::Float8E5M2);
  default:
    return FloatFormat::of(ElementType::Float16);
  }
}

double flushed(const PtxStep &step, double value) {
  const bool subnormal = value != 0 && std::fabs(value) < std::numeric_limits<float>::min();
  return step.flush && step.source.bits == 32 && subnormal ? std::copysign(0.0, value) : value;
}

double saturated(double value) { return value > 0 ? std::fmin(value, 1.0) : 0.0; }

template <Function F> bool onLanes(const PtxStep &step, uint64_t *registers, Frame &) {
  uint64_t whole = 0;
  for (unsigned lane = 0; lane < step.source.lanes; ++lane) {
    double sources[3] = {};
    for (size_t i = 0; i < step.sources.size(); ++i)
      sources[i] = flushed(step, ptxReal(step.source, registers[step.sources[i]], lane));
    double value = F(step, sources);
    if (step.saturate)
      value = saturated(value);
    uint64_t bits = ptxBits(step.result, value, step.rounding, /*saturatesFinite=*/false);
    if (step.flush && step.result.bits == 32)
      bits = ptxBits(step.result, flushed(step, ptxReal(step.result, bits, 0)), PtxRounding::Nearest, false);
    whole = ptxPut(step.result, whole, lane, bits);
  }
  registers[step.results[0]] = whole;
  return true;
}

/// What fp64 itself rounds away moves the sum a little to its side, so that a directed rounding sees it.
double sumOf(const PtxStep &step, double a, double b) {
  const double sum = a + b;
  if (step.rounding == PtxRounding::Nearest || step.source.bits == 64 || !std::isfinite(sum))
    return sum;
  const double part = sum - a, rest = (a - (sum - part)) + (b - part);
  return rest == 0 ? sum : std::nextafter(sum, std::copysign(std::numeric_limits<double>::infinity(), rest));
}
double add(const PtxStep &step, const double *s) { return sumOf(step, s[0], s[1]); }
double sub(const PtxStep &step, const double *s) { return sumOf(step, s[0], -s[1]); }
double mul(const PtxStep &, const double *s) { return s[0] * s[1]; }
double divide(const PtxStep &, const double *s) { return s[0] / s[1]; }
double fusedMultiplyAdd(const PtxStep &step, const double *s) {
  if (step.source.bits == 32 && step.rounding == PtxRounding::Nearest)
    return std::fma(static_cast<float>(s[0]), static_cast<float>(s[1]), static_cast<float>(s[2]));
  return std::fma(s[0], s[1], s[2]);
}
bool hasNaN(const double *s) { return std::isnan(s[0]) || std::isnan(s[1]); }
/// -0 is less than +0.
double least(const PtxStep &step, const double *s) {
  if (step.isNaN && hasNaN(s))
    return std::numeric_limits<double>::quiet_NaN();
  return s[0] == s[1] ? (std::signbit(s[0]) ? s[0] : s[1]) : std::fmin(s[0], s[1]);
}
double greatest(const PtxStep &step, const double *s) {
  if (step.isNaN && hasNaN(s))
    return std::numeric_limits<double>::quiet_NaN();
  return s[0] == s[1] ? (std::signbit(s[0]) ? s[1] : s[0]) : std::fmax(s[0], s[1]);
}
double absolute(const PtxStep &, const double *s) { return std::fabs(s[0]); }
double negate(const PtxStep &, const double *s) { return -s[0]; }
double withSign(const PtxStep &, const double *s) { return std::copysign(s[1], s[0]); }
double reciprocal(const PtxStep &, const double *s) { return 1 / s[0]; }
double squareRoot(const PtxStep &, const double *s) { return std::sqrt(s[0]); }
double reciprocalRoot(const PtxStep &, const double *s) { return 1 / std::sqrt(s[0]); }
double sine(const PtxStep &, const double *s) { return std::sin(s[0]); }
double cosine(const PtxStep &, const double *s) { return std::cos(s[0]); }
double logarithm(const PtxStep &, const double *s) { return std::log2(s[0]); }
double power(const PtxStep &, const double *s) { return std::exp2(s[0]); }
double tangent(const PtxStep &, const double *s) { return std::tanh(s[0]); }

template <Function F> constexpr PtxRow row(std::string_view name, uint8_t sources) {
  return {name, "", &onLanes<F>, sources, PtxFloats};
}

constexpr PtxRow rows[] = {
    row<add>("add", 2),
    row<sub>("sub", 2),
    row<mul>("mul", 2),
    row<divide>("div", 2),
    row<fusedMultiplyAdd>("fma", 3),
    row<fusedMultiplyAdd>("mad", 3),
    row<least>("min", 2),
    row<greatest>("max", 2),
    row<absolute>("abs", 1),
    row<negate>("neg", 1),
    row<withSign>("copysign", 2),
    row<reciprocal>("rcp", 1),
    row<squareRoot>("sqrt", 1),
    row<reciprocalRoot>("rsqrt", 1),
    row<sine>("sin", 1),
    row<cosine>("cos", 1),
    row<logarithm>("lg2", 1),
    row<power>("ex2", 1),
    row<tangent>("tanh", 1),
};

/// To fp32 in the direction; odd: with inexact results made odd, so that one more rounding is as good as one.
float toSingle(double value, PtxRounding rounding) {
  const float nearest = static_cast<float>(value);
  const bool isAbove = nearest > value, isBelow = nearest < value;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  switch (rounding) {
  case PtxRounding::Zero:
    return (value > 0 ? isAbove : isBelow) ? std::nextafter(nearest, 0.0f) : nearest;
  case PtxRounding::Down:
    return isAbove ? std::nextafter(nearest, -infinity) : nearest;
  case PtxRounding::Up:
    return isBelow ? std::nextafter(nearest, infinity) : nearest;
  case PtxRounding::Nearest:
    break;
  }
  return nearest;
}

float toOddSingle(double value) {
  const float cut = toSingle(value, PtxRounding::Zero);
  return cut == value || std::isnan(value) ? cut : std::bit_cast<float>(std::bit_cast<uint32_t>(cut) | 1);
}

} // namespace

std::span<const PtxRow> ptxFloatRows() { return rows; }

double ptxReal(PtxType type, uint64_t bits, unsigned lane) {
  const uint64_t value = ptxLane({Kind::Bits, type.bits, type.lanes}, bits, lane);
  if (type.bits == 64)
    return std::bit_cast<double>(value);
  if (type.bits == 32)
    return std::bit_cast<float>(static_cast<uint32_t>(value));
  std::byte stored[2];
  std::memcpy(stored, &value, type.bits / 8);
  float result;
  decode(formatOf(type), stored, &result, 1);
  return result;
}

uint64_t ptxBits(PtxType type, double value, PtxRounding rounding, bool saturatesFinite) {
  if (std::isnan(value) && type.bits != 64) // the NaN that PTX makes: all bits but the sign
    return (uint64_t(1) << (type.bits - 1)) - 1;
  if (type.bits == 64)
    return std::bit_cast<uint64_t>(value);
  if (type.bits == 32)
    return std::bit_cast<uint32_t>(toSingle(value, rounding));
  const float wide = toOddSingle(value);
  float narrow;
  roundTo(formatOf(type), rounding == PtxRounding::Zero, saturatesFinite, &wide, &narrow, 1);
  uint16_t bits = 0;
  encode(formatOf(type), &narrow, reinterpret_cast<std::byte *>(&bits), 1);
  return bits;
}

} // namespace tilescope::interp
