// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/Console.h"

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

SourceFilePtr readOrComplain(Language language, const std::string &path) {
  Result<SourceFilePtr> file = service::readScript(path);
  if (file)
    return *file;
  complain(language, file.error());
  return nullptr;
}

} // namespace tilescope::tools
