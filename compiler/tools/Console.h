// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the subcommands of tilec share: exit statuses, words for the person at the terminal.
#pragma once

#include "compiler/Service/Sources.h"
#include "compiler/Support/Diagnostic.h"
#include "compiler/Support/Words.h"

#include <cstdio>
#include <optional>

namespace tilescope::tools {

enum ExitStatus : int {
  Fine = 0,
  ScriptIsWrong = 1, ///< does not compile, or failed while running
  WrongUsage = 2,
  Interrupted = 130, ///< as a shell says it of SIGINT
};

/// The language of LC_ALL, LC_MESSAGES or LANG.
Language languageOfEnvironment();

/// Writes "tilec: " and the words of the error "tilec.<id>" to standard error.
void complain(Language language, const Error &error);

/// Writes each diagnostic as words; true if there are errors among them.
bool print(std::FILE *stream, Language language, const Diagnostics &diagnostics);

/// The number of the GPU that "cuda" or "cuda:1" means; nothing for another word.
std::optional<int> gpuNumber(const std::string &device);

/// Reads a script that was named on the command line; null, with words, if it cannot be.
SourceFilePtr readOrComplain(Language language, const std::string &path);

} // namespace tilescope::tools
