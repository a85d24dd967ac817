// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each byte may be the beginning of, as one table.
#pragma once

#include <array>
#include <cstdint>

namespace tilescope::syntax {

enum class CharacterClass : uint8_t { Other, Space, Newline, Letter, Digit, Quote, Comment, Backslash, Wide };

constexpr std::array<CharacterClass, 256> makeCharacterClasses() {
  std::array<CharacterClass, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
      classes[c] = CharacterClass::Letter;
    else if (c >= '0' && c <= '9')
      classes[c] = CharacterClass::Digit;
    else if (c >= 0x80)
      classes[c] = CharacterClass::Wide;
  }
  classes[' '] = classes['\t'] = classes['\f'] = CharacterClass::Space;
  classes['\n'] = classes['\r'] = CharacterClass::Newline;
  classes['"'] = classes['\''] = CharacterClass::Quote;
  classes['#'] = CharacterClass::Comment;
  classes['\\'] = CharacterClass::Backslash;
  return classes;
}
inline constexpr auto CharacterClasses = makeCharacterClasses();

constexpr CharacterClass classify(char c) { return CharacterClasses[static_cast<unsigned char>(c)]; }
constexpr bool isDigit(char c) { return classify(c) == CharacterClass::Digit; }
/// Letters, digits and the underscore of ASCII.
constexpr bool isWordByte(char c) {
  return classify(c) == CharacterClass::Letter || classify(c) == CharacterClass::Digit;
}

} // namespace tilescope::syntax
