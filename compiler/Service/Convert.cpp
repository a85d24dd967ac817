// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Convert.h"

#include "compiler/Service/Uri.h"
#include "compiler/Support/Words.h"

#include <algorithm>

namespace tilescope::service {
namespace {

std::string pathOf(const SourceSpan &span) { return span.file ? span.file->path() : std::string(); }

protocol::Note noteOf(const DiagnosticNote &note) {
  return {note.id, note.arguments, uriOfPath(pathOf(note.span)), rangeOf(note.span)};
}

} // namespace

protocol::Position positionOf(const SourceFile &file, uint32_t offset) {
  const Utf16Position position = file.utf16(offset);
  return {position.line, position.character};
}

protocol::Range rangeOf(const SourceSpan &span) {
  if (!span.file)
    return {};
  return {positionOf(*span.file, span.range.begin), positionOf(*span.file, span.range.end)};
}

int severityOf(Severity severity) { return 1 + static_cast<int>(severity); }

protocol::Diagnostic diagnosticOf(const Diagnostic &diagnostic) {
  protocol::Diagnostic result;
  result.range = rangeOf(diagnostic.span);
  result.severity = severityOf(diagnostic.severity);
  result.code = diagnostic.id;
  result.message = words(Language::English, diagnostic);
  result.data.arguments = diagnostic.arguments;
  std::ranges::transform(diagnostic.notes, std::back_inserter(result.data.notes), noteOf);
  if (diagnostic.fix)
    result.data.fix = {diagnostic.fix->id, diagnostic.fix->arguments,
                       rangeOf({diagnostic.span.file, diagnostic.fix->range}), diagnostic.fix->replacement};
  return result;
}

std::vector<protocol::FileDiagnostics> byFile(const std::vector<Diagnostic> &diagnostics) {
  std::vector<protocol::FileDiagnostics> files;
  for (const Diagnostic &diagnostic : diagnostics) {
    const std::string path = pathOf(diagnostic.span);
    auto found = std::ranges::find(files, path, &protocol::FileDiagnostics::path);
    if (found == files.end())
      found = files.insert(files.end(), {path, {}});
    found->diagnostics.push_back(diagnosticOf(diagnostic));
  }
  return files;
}

} // namespace tilescope::service
