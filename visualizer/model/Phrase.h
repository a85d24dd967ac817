// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sentence before it has a language: a key of the catalogue and its arguments, which may be numbers
// (grouped and marked as the language does) and phrases themselves. visualizer/render/Text.h makes words of
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::viz {

struct Phrase {
  enum class Kind {
    Words,   ///< the entry `text` of the catalogue
    Counted, ///< its plural form for `number`
    Name,    ///< `text` as it is: a name of the script's, a shape
    Integer,
    Decimal, ///< `number` with `decimals` digits
    Percent, ///< `number` = 1 is 100 %
    Bytes,
  };
  Kind kind = Kind::Name;
  std::string text;
  double number = 0;
  int decimals = 0;
  std::vector<Phrase> arguments;

  bool empty() const { return kind == Kind::Name && text.empty(); }
  friend bool operator==(const Phrase &, const Phrase &) = default;
};

namespace phrases {
Phrase words(std::string key, std::vector<Phrase> arguments = {});
Phrase counted(std::string key, int64_t count, std::vector<Phrase> arguments = {});
Phrase name(std::string text);
Phrase integer(int64_t number);
Phrase decimal(double number, int decimals);
Phrase percent(double share);
Phrase bytes(int64_t count);
} // namespace phrases

} // namespace tilescope::viz
