// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code points of UTF-8 strings: what Python's len(), indices and widths count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::utf8 {

constexpr bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

inline int64_t count(std::string_view text) {
  int64_t result = 0;
  for (char c : text)
    result += !isContinuation(c);
  return result;
}

/// The byte at which code point `index` begins; text.size() past the end.
inline size_t offset(std::string_view text, int64_t index) {
  size_t at = 0;
  for (; at < text.size(); ++at)
    if (!isContinuation(text[at]) && index-- == 0)
      break;
  return at;
}

/// The bytes of the code point at `at`, which must lie before the end.
inline std::string_view pointAt(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && isContinuation(text[end]))
    ++end;
  return text.substr(at, end - at);
}

/// The code point of pointAt's bytes; of malformed bytes something, but never a crash.
inline uint32_t decode(std::string_view point) {
  unsigned char first = static_cast<unsigned char>(point[0]);
  if (point.size() == 1)
    return first;
  uint32_t value = first & (0xFF >> (point.size() + 1));
  for (size_t i = 1; i < point.size(); ++i)
    value = value << 6 | (static_cast<unsigned char>(point[i]) & 0x3F);
  return value;
}

inline std::string encode(uint32_t point) {
  if (point < 0x80)
    return {static_cast<char>(point)};
  auto tail = [point](int shift) { return static_cast<char>(0x80 | (point >> shift & 0x3F)); };
  if (point < 0x800)
    return {static_cast<char>(0xC0 | point >> 6), tail(0)};
  if (point < 0x10000)
    return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | point >> 18), tail(12), tail(6), tail(0)};
}

} // namespace tilescope::utf8
