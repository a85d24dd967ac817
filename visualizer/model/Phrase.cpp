// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/Phrase.h"

#include <utility>

namespace tilescope::viz::phrases {

Phrase words(std::string key, std::vector<Phrase> arguments) {
  return {Phrase::Kind::Words, std::move(key), 0, 0, std::move(arguments)};
}

Phrase counted(std::string key, int64_t count, std::vector<Phrase> arguments) {
  return {Phrase::Kind::Counted, std::move(key), static_cast<double>(count), 0, std::move(arguments)};
}

Phrase name(std::string text) { return {Phrase::Kind::Name, std::move(text), 0, 0, {}}; }
Phrase integer(int64_t number) { return {Phrase::Kind::Integer, {}, static_cast<double>(number), 0, {}}; }
Phrase decimal(double number, int decimals) { return {Phrase::Kind::Decimal, {}, number, decimals, {}}; }
Phrase percent(double share) { return {Phrase::Kind::Percent, {}, share, 0, {}}; }
Phrase bytes(int64_t count) { return {Phrase::Kind::Bytes, {}, static_cast<double>(count), 0, {}}; }

} // namespace tilescope::viz::phrases
