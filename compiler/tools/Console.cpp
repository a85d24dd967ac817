// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/Console.h"

#include <charconv>
#include <cstdlib>

namespace tilescope::tools {

Language languageOfEnvironment() {
  for (const char *name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char *value = std::getenv(name); value && *value)
      return languageOf(value);
  return Language::English;
}

void complain(Language language, const Error &error) {
  const std::string sentence = words(language, "tilec." + error.id, error.arguments);
  std::fprintf(stderr, "%s\n", words(language, "severity.line", {"tilec", sentence}).c_str());
}

bool print(std::FILE *stream, Language language, const Diagnostics &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics.all())
    std::fputs(format(language, diagnostic).c_str(), stream);
  return diagnostics.hasErrors();
}

std::optional<int> gpuNumber(const std::string &device) {
  constexpr std::string_view Prefix = "cuda";
  if (!device.starts_with(Prefix))
    return std::nullopt;
  if (device.size() == Prefix.size())
    return 0;
  int number = -1;
  const char *end = device.data() + device.size();
  const auto [last, error] = std::from_chars(device.data() + Prefix.size() + 1, end, number);
  const bool isNumber = device[Prefix.size()] == ':' && error == std::errc() && last == end && number >= 0;
  return isNumber ? std::optional(number) : std::nullopt;
}

SourceFilePtr readOrComplain(Language language, const std::string &path) {
  Result<SourceFilePtr> file = service::readScript(path);
  if (file)
    return *file;
  complain(language, file.error());
  return nullptr;
}

} // namespace tilescope::tools
