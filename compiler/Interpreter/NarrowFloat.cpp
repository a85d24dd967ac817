// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/NarrowFloat.h"

#include "compiler/Interpreter/Loops.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilescope::interp {

namespace {

constexpr uint32_t SignBit = 0x8000'0000, Infinity = 0x7f80'0000;

constexpr FloatFormat Half{2, 10, -14, 65504.0f, 0x7c00, 0x7e00, true, true};
constexpr FloatFormat Brain{2, 7, -126, 0x1.fep127f, 0x7f80, 0x7fc0, true, true};
constexpr FloatFormat E4M3FN{1, 3, -6, 448.0f, 0x7f, 0x7f, true, false};
constexpr FloatFormat E5M2{1, 2, -14, 57344.0f, 0x7c, 0x7f, true, true};
constexpr FloatFormat E4M3FNUZ{1, 3, -7, 240.0f, 0x80, 0x80, false, false};
constexpr FloatFormat E5M2FNUZ{1, 2, -15, 57344.0f, 0x80, 0x80, false, false};

/// 2^exponent, for exponents of normal numbers and below.
float powerOfTwo(int exponent) { return std::ldexp(1.0f, exponent); }

/// What takes a format's exponent bias to that of fp32.
int biasDifference(const FloatFormat &format) { return 126 + format.leastExponent; }

} // namespace

const FloatFormat &FloatFormat::of(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return Half;
  case ElementType::BFloat16:
    return Brain;
  case ElementType::Float8E4M3FN:
    return E4M3FN;
  case ElementType::Float8E5M2:
    return E5M2;
  case ElementType::Float8E4M3FNUZ:
    return E4M3FNUZ;
  default:
    return E5M2FNUZ;
  }
}

/// Normal numbers round on their bits; below, adding a number whose last digit is the format's least one
/// rounds.
TILESCOPE_WIDE_VECTORS
void roundTo(const FloatFormat &format, bool towardZero, bool saturate, const float *from, float *to,
             size_t count) {
  const unsigned dropped = 23 - format.mantissa;
  const uint32_t mask = ~((uint32_t(1) << dropped) - 1);
  const uint32_t half = towardZero ? 0 : (uint32_t(1) << (dropped - 1)) - 1;
  const uint32_t tie = towardZero ? 0 : 1;
  const uint32_t least = std::bit_cast<uint32_t>(powerOfTwo(format.leastExponent));
  // For bf16, whose least number is fp32's with fewer digits, the bits of subnormals round as those of
  // others.
  const bool subnormals = format.leastExponent > -126;
  const float magic = subnormals ? powerOfTwo(format.leastExponent - int(format.mantissa) + 23) : 0.0f;
  const uint32_t greatest = std::bit_cast<uint32_t>(format.greatest);
  const uint32_t nan = 0x7fc0'0000;
  const uint32_t past = saturate || towardZero ? greatest : format.hasInfinity ? Infinity : nan;
  const uint32_t infinite = saturate ? greatest : format.hasInfinity ? Infinity : nan;
  const uint32_t signs = format.negativeZero ? 0 : SignBit;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(from[i]);
    const uint32_t magnitude = bits & ~SignBit, sign = bits & SignBit;
    const uint32_t normal = (magnitude + half + (tie & magnitude >> dropped)) & mask;
    const float value = std::bit_cast<float>(magnitude);
    const float sum = value + magic;
    // Rounded up where it should have been cut: one quantum less.
    const uint32_t excess = towardZero && sum - magic > value ? 1 : 0;
    const float cut = std::bit_cast<float>(std::bit_cast<uint32_t>(sum) - excess) - magic;
    const uint32_t small = std::bit_cast<uint32_t>(cut);
    uint32_t rounded = subnormals && magnitude < least ? small : normal;
    rounded = rounded > greatest ? past : rounded;
    rounded = magnitude == Infinity ? infinite : rounded;
    rounded = magnitude > Infinity ? (magnitude & mask) | 0x40'0000 : rounded;
    const uint32_t keptSign = rounded == 0 ? sign & ~signs : sign;
    to[i] = std::bit_cast<float>(rounded | keptSign);
  }
}

namespace {

/// Scaling by a power of two is exact and takes the exponent to the format's bias, subnormals included.
template <typename Bits>
void encodeScaled(const FloatFormat &format, const float *from, std::byte *to, size_t count) {
  const float scale = powerOfTwo(-biasDifference(format));
  const unsigned dropped = 23 - format.mantissa, signShift = 32 - 8 * format.bytes;
  const uint32_t payload = format.hasInfinity ? (uint32_t(1) << format.mantissa) - 1 : 0;
  const uint32_t canonical = format.hasInfinity ? format.infinity : format.nan;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(from[i]);
    const uint32_t magnitude = bits & ~SignBit, sign = bits & SignBit;
    uint32_t result = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * scale) >> dropped;
    result = magnitude == Infinity ? format.infinity : result;
    result = magnitude > Infinity ? canonical | (magnitude >> dropped & payload) : result;
    const bool dropSign = !format.negativeZero && (result == 0 || result == format.nan);
    result |= dropSign ? 0 : sign >> signShift;
    const Bits stored = static_cast<Bits>(result);
    std::memcpy(to + i * sizeof(Bits), &stored, sizeof(Bits));
  }
}

TILESCOPE_WIDE_VECTORS void decodeHalf(const std::byte *from, float *to, size_t count) {
  const float scale = powerOfTwo(biasDifference(Half));
  for (size_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, from + 2 * i, 2);
    const float scaled = std::bit_cast<float>(uint32_t(bits & 0x7fff) << 13) * scale;
    const uint32_t special = scaled >= 65536.0f ? Infinity : 0;
    to[i] = std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | special | uint32_t(bits & 0x8000) << 16);
  }
}

void decodeBrain(const std::byte *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, from + 2 * i, 2);
    to[i] = std::bit_cast<float>(uint32_t(bits) << 16);
  }
}

/// The value of one pattern of 8 bits.
float decodeByte(const FloatFormat &format, uint8_t bits) {
  const uint32_t magnitude = bits & 0x7f, sign = uint32_t(bits & 0x80) << 24;
  if (!format.negativeZero && bits == 0x80)
    return std::bit_cast<float>(0x7fc0'0000);
  if (format.hasInfinity && magnitude > format.infinity) // its bits come back when it is stored
    return std::bit_cast<float>(Infinity | sign | (magnitude << (23 - format.mantissa) & 0x7f'ffff));
  if (format.negativeZero && !format.hasInfinity && magnitude == format.nan)
    return std::bit_cast<float>(0x7fc0'0000 | sign);
  if (format.hasInfinity && magnitude == format.infinity)
    return std::bit_cast<float>(Infinity | sign);
  const float scaled =
      std::bit_cast<float>(magnitude << (23 - format.mantissa)) * powerOfTwo(biasDifference(format));
  return std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | sign);
}

using ByteTable = std::array<float, 256>;
ByteTable makeTable(const FloatFormat &format) {
  ByteTable table;
  for (unsigned bits = 0; bits < 256; ++bits)
    table[bits] = decodeByte(format, uint8_t(bits));
  return table;
}
const ByteTable &tableOf(const FloatFormat &format) {
  static const ByteTable tables[] = {makeTable(E4M3FN), makeTable(E5M2), makeTable(E4M3FNUZ),
                                     makeTable(E5M2FNUZ)};
  return tables[(format.negativeZero ? 0 : 2) + (format.mantissa == 2 ? 1 : 0)];
}

} // namespace

void encode(const FloatFormat &format, const float *from, std::byte *to, size_t count) {
  if (format.bytes == 2)
    encodeScaled<uint16_t>(format, from, to, count);
  else
    encodeScaled<uint8_t>(format, from, to, count);
}

void decode(const FloatFormat &format, const std::byte *from, float *to, size_t count) {
  if (format.bytes == 1) {
    const ByteTable &table = tableOf(format);
    for (size_t i = 0; i < count; ++i)
      to[i] = table[uint8_t(from[i])];
  } else if (format.mantissa == Half.mantissa) {
    decodeHalf(from, to, count);
  } else {
    decodeBrain(from, to, count);
  }
}

} // namespace tilescope::interp
