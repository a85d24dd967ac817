// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/Unicode.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>

namespace tilescope::syntax {
namespace {

struct CodePoints {
  uint32_t first;
  uint32_t last;
};

struct StyledLetters : CodePoints {
  int distance; ///< to the plain letter
};

#include "compiler/Syntax/UnicodeTables.inc"

/// The entry that holds the code point, otherwise null.
template <typename Entry> const Entry *find(std::span<const Entry> table, uint32_t codePoint) {
  auto next = std::upper_bound(table.begin(), table.end(), codePoint,
                               [](uint32_t point, const Entry &entry) { return point < entry.first; });
  return next != table.begin() && codePoint <= std::prev(next)->last ? &*std::prev(next) : nullptr;
}

struct Lookalike {
  uint32_t codePoint;
  char ascii;
};
constexpr Lookalike Lookalikes[] = {
    {0x2013, '-'}, {0x2014, '-'}, {0x2212, '-'}, {0x00D7, '*'}, {0x00F7, '/'}, {0x2018, '\''}, {0x2019, '\''},
    {0x201C, '"'}, {0x201D, '"'}, {0x3001, ','}, {0x3002, '.'}, {0x3010, '['}, {0x3011, ']'},
};

} // namespace

CodePoint decodeUtf8(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  uint32_t lead = byte(at);
  if (lead < 0x80)
    return {lead, 1};
  uint32_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  uint32_t value = lead & (0xFF >> (length + 1));
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80)
      return {CodePoint::Invalid, 1};
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  constexpr uint32_t Least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool surrogate = value >= 0xD800 && value < 0xE000;
  if (lead < 0xC2 || lead > 0xF4 || value < Least[length] || value > 0x10FFFF || surrogate)
    return {CodePoint::Invalid, 1};
  return {value, length};
}

void appendUtf8(std::string &out, uint32_t point) {
  auto tail = [&](int shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3F)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

size_t findInvalidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    uint64_t eight = 0;
    if (text.size() - at >= sizeof eight)
      std::memcpy(&eight, text.data() + at, sizeof eight);
    else
      eight = ~eight;
    if (!(eight & 0x8080808080808080)) {
      at += sizeof eight;
      continue;
    }
    CodePoint point = decodeUtf8(text, at);
    if (point.value == CodePoint::Invalid)
      return at;
    at += point.length;
  }
  return std::string_view::npos;
}

bool isIdentifierStart(uint32_t codePoint) { return find<CodePoints>(IdentifierStart, codePoint); }
bool isIdentifierContinue(uint32_t codePoint) { return find<CodePoints>(IdentifierContinue, codePoint); }

std::string plainName(std::string_view name) {
  std::string plain;
  bool isStyled = false;
  for (size_t at = 0; at < name.size();) {
    CodePoint point = decodeUtf8(name, at);
    const StyledLetters *letters = find<StyledLetters>(Styled, point.value);
    isStyled |= letters != nullptr;
    appendUtf8(plain, point.value + static_cast<uint32_t>(letters ? letters->distance : 0));
    at += point.length;
  }
  return isStyled ? plain : std::string();
}

char asciiLookalike(uint32_t codePoint) {
  if (codePoint >= 0xFF01 && codePoint <= 0xFF5E)
    return static_cast<char>(codePoint - 0xFF01 + '!');
  auto same = [&](const Lookalike &entry) { return entry.codePoint == codePoint; };
  auto found = std::find_if(std::begin(Lookalikes), std::end(Lookalikes), same);
  return found == std::end(Lookalikes) ? 0 : found->ascii;
}

} // namespace tilescope::syntax
