// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of the script that mend a finding.
#pragma once

#include "compiler/Interpreter/Findings.h"

namespace tilescope::interp {

/// Gives `load` (a call) the `other=` that leaves the result of a reduction, scan or product (`flow`) as it
/// is without the elements that are masked off. Nothing where no number does: `changed` says that a 0 does
/// not stay one on the way.
std::optional<DiagnosticFix> otherFix(FindingKind kind, const FlowDetail &flow, ElementType element,
                                      bool changed, const SourceSpan &load);

} // namespace tilescope::interp
