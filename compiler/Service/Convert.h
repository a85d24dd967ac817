// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the compiler's own places and diagnostics to the protocol's.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "compiler/Support/Diagnostic.h"

namespace tilescope::service {

protocol::Position positionOf(const SourceFile &file, uint32_t offset);
protocol::Range rangeOf(const SourceSpan &span);
/// LSP's number.
int severityOf(Severity severity);
protocol::Diagnostic diagnosticOf(const Diagnostic &diagnostic);

/// Grouped by file, in the order in which files first appear.
std::vector<protocol::FileDiagnostics> byFile(const std::vector<Diagnostic> &diagnostics);

} // namespace tilescope::service
