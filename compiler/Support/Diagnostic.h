// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a script, as data: an id and its arguments, never a sentence. The words are made
// where they are shown (tilec's printer, the IDE), from the catalogue in translations/, in the reader's
// language. Every id has an entry "diagnostic.<id>" there; a test enforces it.
#pragma once

#include "compiler/Support/SourceFile.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

enum class Severity : uint8_t { Error, Warning, Information };

/// A remark that belongs to a diagnostic, at a place of its own: "called from here", "defined here".
struct DiagnosticNote {
  std::string id;                     ///< catalogue key "note.<id>"
  std::vector<std::string> arguments; ///< for %1, %2 … of the entry
  SourceSpan span;
};

/// An edit that mends the script: `range` of the diagnostic's file is replaced by `replacement`.
struct DiagnosticFix {
  std::string id;                     ///< catalogue key "fix.<id>"
  std::vector<std::string> arguments; ///< for %1, %2 … of the entry
  SourceRange range;
  std::string replacement;
};

struct Diagnostic {
  std::string id; ///< lower case with hyphens, such as "undefined-name"
  Severity severity = Severity::Error;
  SourceSpan span;
  std::vector<std::string> arguments; ///< for %1, %2 … of the entry
  std::vector<DiagnosticNote> notes;
  std::optional<DiagnosticFix> fix;
};

/// Collects diagnostics in the order they are found. A repeated one (same id and range) is dropped.
class Diagnostics {
public:
  /// Adds an error and gives it back so that notes and a fix can be attached.
  Diagnostic &error(std::string id, SourceSpan span, std::vector<std::string> arguments = {});
  Diagnostic &warning(std::string id, SourceSpan span, std::vector<std::string> arguments = {});
  Diagnostic &add(Diagnostic diagnostic);

  bool hasErrors() const { return m_errors > 0; }
  const std::vector<Diagnostic> &all() const { return m_all; }
  bool empty() const { return m_all.empty(); }

private:
  std::vector<Diagnostic> m_all;
  size_t m_errors = 0;
};

} // namespace tilescope
