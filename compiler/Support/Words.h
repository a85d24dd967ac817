// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue of words that people read, as tilec uses it. The entries stand in translations/*.json; the
// IDE gets the same ones through Qt's translation files.
#pragma once

#include "compiler/Support/Diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope {

enum class Language : uint8_t { English, French, Chinese };

/// From "en", "fr_FR.UTF-8", "zh" …; English for anything else.
Language languageOf(std::string_view locale);

/// The entry `key` in `language` with %1, %2 … replaced. An unknown key gives the key itself.
/// With `count`, the plural form for it, and %n replaced.
std::string words(Language language, std::string_view key, const std::vector<std::string> &arguments = {},
                  std::optional<int64_t> count = std::nullopt);

/// The sentence of a diagnostic.
std::string words(Language language, const Diagnostic &diagnostic);

/// "path:line:column: error: sentence [id]", then its notes and fix a line each, each ending in "\n".
std::string format(Language language, const Diagnostic &diagnostic);

} // namespace tilescope
