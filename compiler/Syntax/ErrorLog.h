// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Syntax errors on their way from the lexer and the parser to `Diagnostics`.
#pragma once

#include "compiler/Support/Diagnostic.h"

#include <string>
#include <utility>
#include <vector>

namespace tilescope::syntax {

/// An error just reported, or one that was left unsaid; notes and a fix can be attached either way.
class Report {
public:
  Report(Diagnostic *diagnostic = nullptr) : m_diagnostic(diagnostic) {}

  Report note(std::string id, SourceRange range, std::vector<std::string> arguments = {}) {
    if (m_diagnostic)
      m_diagnostic->notes.push_back({std::move(id), std::move(arguments), {m_diagnostic->span.file, range}});
    return *this;
  }
  Report fix(std::string id, SourceRange range, std::string replacement,
             std::vector<std::string> arguments = {}) {
    if (m_diagnostic)
      m_diagnostic->fix = {std::move(id), std::move(arguments), range, std::move(replacement)};
    return *this;
  }

private:
  Diagnostic *m_diagnostic;
};

class ErrorLog {
public:
  /// Beyond this many nobody reads on; the last one kept says so.
  static constexpr size_t Limit = 100;

  explicit ErrorLog(SourceFilePtr file) : m_file(std::move(file)) {}

  Report error(std::string id, SourceRange range, std::vector<std::string> arguments = {}) {
    return add(Severity::Error, std::move(id), range, std::move(arguments));
  }
  Report warning(std::string id, SourceRange range, std::vector<std::string> arguments = {}) {
    return add(Severity::Warning, std::move(id), range, std::move(arguments));
  }

  /// Whether nothing more is kept.
  bool isFull() const { return m_found.size() >= 4 * Limit; }
  size_t size() const { return m_found.size(); }
  /// Forgets all but the first `size`: the lexer went back.
  void truncate(size_t size) { m_found.resize(std::min(size, m_found.size())); }

  /// Whether one of the first `count` errors, which must be in order, begins within `range`.
  bool hasErrorWithin(SourceRange range, size_t count) const;

  /// Hands everything over in the order of the source.
  void moveTo(Diagnostics &diagnostics);

private:
  Report add(Severity severity, std::string id, SourceRange range, std::vector<std::string> arguments);

  SourceFilePtr m_file;
  std::vector<Diagnostic> m_found;
};

} // namespace tilescope::syntax
