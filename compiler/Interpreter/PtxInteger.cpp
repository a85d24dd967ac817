// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX on integers and bits. Operands come extended to 64 bits by their sign; results are cut to their type.
#include "compiler/Interpreter/Ptx.h"

#include <algorithm>
#include <bit>

namespace tilescope::interp {

namespace {

using Function = uint64_t (*)(PtxType type, const uint64_t *s);
using Wide = __int128;

uint64_t maskOf(unsigned bits) { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
int64_t asSigned(uint64_t value) { return static_cast<int64_t>(value); }
Wide wide(PtxType type, uint64_t value) { return type.isSigned() ? Wide(asSigned(value)) : Wide(value); }

template <Function F> bool onLanes(const PtxStep &step, uint64_t *registers, Frame &) {
  uint64_t whole = 0;
  for (unsigned lane = 0; lane < step.source.lanes; ++lane) {
    uint64_t sources[4] = {};
    for (size_t i = 0; i < step.sources.size(); ++i)
      sources[i] = ptxLane(step.source, registers[step.sources[i]], lane);
    whole = ptxPut(step.result, whole, lane, F(step.source, sources));
  }
  registers[step.results[0]] = whole;
  return true;
}

/// The last source counts as it is, whatever the type: a shift, a table.
uint64_t low32(uint64_t value) { return value & 0xffff'ffff; }

//===- Arithmetic ---------------------------------------------------------------------------------===//

uint64_t add(PtxType, const uint64_t *s) { return s[0] + s[1]; }
uint64_t sub(PtxType, const uint64_t *s) { return s[0] - s[1]; }
uint64_t mulLow(PtxType, const uint64_t *s) { return s[0] * s[1]; }
uint64_t mulHigh(PtxType type, const uint64_t *s) {
  return static_cast<uint64_t>((wide(type, s[0]) * wide(type, s[1])) >> type.bits);
}
uint64_t madLow(PtxType, const uint64_t *s) { return s[0] * s[1] + s[2]; }
uint64_t madHigh(PtxType type, const uint64_t *s) { return mulHigh(type, s) + s[2]; }
/// PTX leaves the quotient by zero open; here it is all ones, as NVIDIA's GPUs give it.
uint64_t divide(PtxType type, const uint64_t *s) {
  return s[1] == 0 ? ~uint64_t(0) : static_cast<uint64_t>(wide(type, s[0]) / wide(type, s[1]));
}
uint64_t remainder(PtxType type, const uint64_t *s) {
  return s[1] == 0 ? s[0] : static_cast<uint64_t>(wide(type, s[0]) % wide(type, s[1]));
}
uint64_t least(PtxType type, const uint64_t *s) { return wide(type, s[0]) < wide(type, s[1]) ? s[0] : s[1]; }
uint64_t greatest(PtxType type, const uint64_t *s) {
  return wide(type, s[0]) < wide(type, s[1]) ? s[1] : s[0];
}
uint64_t absolute(PtxType, const uint64_t *s) { return asSigned(s[0]) < 0 ? 0 - s[0] : s[0]; }
uint64_t negate(PtxType, const uint64_t *s) { return 0 - s[0]; }
uint64_t sumOfDifference(PtxType type, const uint64_t *s) {
  return greatest(type, s) - least(type, s) + s[2];
}
/// The sum of four products of bytes, added to the third source.
uint64_t dotOfBytes(PtxType type, const uint64_t *s) {
  uint64_t sum = s[2];
  const PtxType byte{type.kind, 8, 4};
  for (unsigned lane = 0; lane < 4; ++lane)
    sum += ptxLane(byte, s[0], lane) * ptxLane(byte, s[1], lane);
  return sum;
}

//===- Bits ---------------------------------------------------------------------------------------===//

uint64_t bitAnd(PtxType, const uint64_t *s) { return s[0] & s[1]; }
uint64_t bitOr(PtxType, const uint64_t *s) { return s[0] | s[1]; }
uint64_t bitXor(PtxType, const uint64_t *s) { return s[0] ^ s[1]; }
uint64_t bitNot(PtxType, const uint64_t *s) { return ~s[0]; }
uint64_t isZero(PtxType, const uint64_t *s) { return s[0] == 0; }
uint64_t shiftLeft(PtxType type, const uint64_t *s) {
  const uint64_t by = low32(s[1]);
  return by >= type.bits ? 0 : s[0] << by;
}
uint64_t shiftRight(PtxType type, const uint64_t *s) {
  const uint64_t by = std::min<uint64_t>(low32(s[1]), type.bits);
  if (type.isSigned())
    return static_cast<uint64_t>(asSigned(s[0]) >> std::min<uint64_t>(by, 63));
  return by == 64 ? 0 : s[0] >> by;
}
/// Two registers of 32 bits as one of 64, the second the upper half.
uint64_t pairOf(const uint64_t *s) { return low32(s[0]) | low32(s[1]) << 32; }
uint64_t funnelLeftWrap(PtxType, const uint64_t *s) { return (pairOf(s) << (s[2] & 31)) >> 32; }
uint64_t funnelRightWrap(PtxType, const uint64_t *s) { return pairOf(s) >> (s[2] & 31); }
uint64_t funnelLeftClamp(PtxType, const uint64_t *s) {
  return low32(s[2]) >= 32 ? s[0] : funnelLeftWrap({}, s);
}
uint64_t funnelRightClamp(PtxType, const uint64_t *s) {
  return low32(s[2]) >= 32 ? s[1] : funnelRightWrap({}, s);
}
uint64_t reverse(PtxType type, const uint64_t *s) {
  uint64_t result = 0;
  for (unsigned i = 0; i < type.bits; ++i)
    result |= (s[0] >> i & 1) << (type.bits - 1 - i);
  return result;
}
uint64_t countOnes(PtxType type, const uint64_t *s) {
  return static_cast<uint64_t>(std::popcount(s[0] & maskOf(type.bits)));
}
uint64_t leadingZeros(PtxType type, const uint64_t *s) {
  return static_cast<uint64_t>(std::countl_zero(s[0] & maskOf(type.bits))) - (64 - type.bits);
}
/// The place of the highest bit that is not the sign; all ones without one.
uint64_t findHighest(PtxType type, const uint64_t *s) {
  uint64_t bits = s[0] & maskOf(type.bits);
  if (type.isSigned() && asSigned(s[0]) < 0)
    bits = ~s[0] & maskOf(type.bits);
  return bits == 0 ? ~uint64_t(0) : static_cast<uint64_t>(std::bit_width(bits)) - 1;
}
uint64_t findShift(PtxType type, const uint64_t *s) {
  const uint64_t place = findHighest(type, s);
  return place == ~uint64_t(0) ? place : type.bits - 1 - place;
}
/// A field: s[1] is its place, s[2] its length. A signed one is extended by its own highest bit.
uint64_t extractField(PtxType type, const uint64_t *s) {
  const unsigned place = s[1] & 0xff, length = s[2] & 0xff, highest = type.bits - 1u;
  if (length == 0)
    return 0;
  const unsigned signPlace = std::min(place + length - 1, highest);
  const bool sign = type.isSigned() && (s[0] >> signPlace & 1);
  uint64_t result = place > highest ? 0 : (s[0] & maskOf(type.bits)) >> place;
  const unsigned valid = place > highest ? 0 : std::min(length, type.bits - place);
  result &= maskOf(valid);
  return sign ? result | ~maskOf(valid) : result;
}
/// The lowest bits of s[0] put into s[1] at place s[2], length s[3].
uint64_t insertField(PtxType type, const uint64_t *s) {
  const unsigned place = s[2] & 0xff, length = s[3] & 0xff;
  if (length == 0 || place >= type.bits)
    return s[1];
  const uint64_t field = maskOf(std::min(length, type.bits - place)) << place;
  return (s[1] & ~field) | (s[0] << place & field);
}
/// Four bytes out of eight, each chosen by a digit of s[2]; its highest bit asks for the byte's sign only.
uint64_t permuteBytes(PtxType, const uint64_t *s) {
  const uint64_t bytes = pairOf(s);
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint64_t digit = s[2] >> (4 * i) & 0xf;
    uint64_t byte = bytes >> (8 * (digit & 7)) & 0xff;
    if (digit & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
/// Any function of three bits: s[3] is its table.
uint64_t tableOfBits(PtxType, const uint64_t *s) {
  uint64_t result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if (s[3] >> row & 1)
      result |= (row & 4 ? s[0] : ~s[0]) & (row & 2 ? s[1] : ~s[1]) & (row & 1 ? s[2] : ~s[2]);
  return result;
}

template <Function F>
constexpr PtxRow row(std::string_view name, uint8_t sources, std::string_view form = "") {
  return {name, form, &onLanes<F>, sources, PtxIntegers};
}

constexpr PtxRow rows[] = {
    row<add>("add", 2),
    row<sub>("sub", 2),
    row<mulLow>("mul", 2, "lo"),
    row<mulHigh>("mul", 2, "hi"),
    row<mulLow>("mul", 2, "wide"),
    row<madLow>("mad", 3, "lo"),
    row<madHigh>("mad", 3, "hi"),
    row<madLow>("mad", 3, "wide"),
    row<divide>("div", 2),
    row<remainder>("rem", 2),
    row<least>("min", 2),
    row<greatest>("max", 2),
    row<absolute>("abs", 1),
    row<negate>("neg", 1),
    row<sumOfDifference>("sad", 3),
    row<dotOfBytes>("dp4a", 3),
    row<bitAnd>("and", 2),
    row<bitOr>("or", 2),
    row<bitXor>("xor", 2),
    row<bitNot>("not", 1),
    row<isZero>("cnot", 1),
    row<shiftLeft>("shl", 2),
    row<shiftRight>("shr", 2),
    row<funnelLeftWrap>("shf", 3, "l.wrap"),
    row<funnelRightWrap>("shf", 3, "r.wrap"),
    row<funnelLeftClamp>("shf", 3, "l.clamp"),
    row<funnelRightClamp>("shf", 3, "r.clamp"),
    row<reverse>("brev", 1),
    row<countOnes>("popc", 1),
    row<leadingZeros>("clz", 1),
    row<findHighest>("bfind", 1),
    row<findShift>("bfind", 1, "shiftamt"),
    row<extractField>("bfe", 3),
    row<insertField>("bfi", 4),
    row<permuteBytes>("prmt", 3),
    row<tableOfBits>("lop3", 4),
};

} // namespace

std::span<const PtxRow> ptxIntegerRows() { return rows; }

uint64_t ptxLane(PtxType type, uint64_t bits, unsigned lane) {
  const uint64_t value = bits >> (lane * type.bits) & maskOf(type.bits);
  const bool sign = type.isSigned() && (value >> (type.bits - 1) & 1);
  return sign ? value | ~maskOf(type.bits) : value;
}

uint64_t ptxPut(PtxType type, uint64_t whole, unsigned lane, uint64_t bits) {
  const uint64_t mask = maskOf(type.bits) << (lane * type.bits);
  return (whole & ~mask) | (bits << (lane * type.bits) & mask);
}

} // namespace tilescope::interp
