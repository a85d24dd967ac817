// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed numbers as base64 (RFC 4648) of little-endian 32-bit words.
#include "compiler/Protocol/Json.h"

namespace tilescope::protocol {
namespace {

constexpr char Alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<int8_t, 256> makeReverse() {
  std::array<int8_t, 256> reverse;
  reverse.fill(-1);
  for (int i = 0; i < 64; ++i)
    reverse[static_cast<unsigned char>(Alphabet[i])] = static_cast<int8_t>(i);
  return reverse;
}

std::string littleEndianBytes(const std::vector<int32_t> &values) {
  std::string bytes;
  bytes.reserve(values.size() * 4);
  for (int32_t value : values)
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<char>(static_cast<uint32_t>(value) >> shift));
  return bytes;
}

} // namespace

std::string encodeBase64(const Packed &packed) {
  std::string bytes = littleEndianBytes(packed.values);
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t present = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < present ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j)
      text.push_back(j <= present ? Alphabet[group >> (18 - 6 * j) & 63] : '=');
  }
  return text;
}

bool decodeBase64(const std::string &text, Packed &packed) {
  static const std::array<int8_t, 256> reverse = makeReverse();
  packed.values.clear();
  size_t digits = text.size();
  while (digits > 0 && text[digits - 1] == '=')
    --digits;
  if (text.size() % 4 != 0 || text.size() - digits > 2 || digits * 6 / 8 % 4 != 0)
    return false;
  packed.values.reserve(digits * 6 / 32);
  uint64_t bits = 0;
  unsigned held = 0;
  uint32_t word = 0;
  unsigned bytes = 0;
  for (size_t i = 0; i < digits; ++i) {
    int8_t digit = reverse[static_cast<unsigned char>(text[i])];
    if (digit < 0)
      return false;
    bits = bits << 6 | static_cast<uint64_t>(digit);
    held += 6;
    if (held < 8)
      continue;
    held -= 8;
    word |= static_cast<uint32_t>(bits >> held & 0xFF) << (8 * bytes);
    if (++bytes == 4) {
      packed.values.push_back(static_cast<int32_t>(word));
      word = 0;
      bytes = 0;
    }
  }
  return true;
}

} // namespace tilescope::protocol
