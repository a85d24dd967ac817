// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as diagnostics: what is wrong where, with notes on where it comes from and an edit where one mends
// it. All begin with the arguments kernel, first program, number of programs.
#pragma once

#include "compiler/Interpreter/Findings.h"

namespace tilescope::interp {

class FindingReport {
public:
  FindingReport(const Launch &launch, const AddressSpace &memory, Diagnostics &diagnostics)
      : m_launch(launch), m_memory(memory), m_diagnostics(diagnostics) {}

  /// Nothing for a line that ends in "# tilescope: ignore[id]".
  void report(FindingKind kind, uint32_t place, const Finding &finding);

private:
  void outOfBounds(Diagnostic &diagnostic, FindingKind kind, const Finding &finding);
  void sayWhatLiesThere(Diagnostic &diagnostic, const Finding &finding);
  void undefined(Diagnostic &diagnostic, FindingKind kind, const Finding &finding);
  void paddingWins(Diagnostic &diagnostic, const Finding &finding);
  void paddingSummed(Diagnostic &diagnostic, const Finding &finding);
  void paddingSorted(Diagnostic &diagnostic, const Finding &finding);
  void storedTwice(Diagnostic &diagnostic, const Finding &finding);
  void indexWraps(Diagnostic &diagnostic, const Finding &finding);
  void nonFinite(Diagnostic &diagnostic, const Finding &finding);
  void waitedFor(Diagnostic &diagnostic, const Finding &finding);
  void race(Diagnostic &diagnostic, const Finding &finding);
  void add(Diagnostic diagnostic, FindingKind kind, const Finding &finding);

  const Instruction &instructionOf(const Finding &finding) const;
  SourceSpan spanOf(uint32_t instruction) const;
  std::string programText(uint64_t program) const;
  /// The tensor's name, or the parameter that the access goes through.
  std::string tensorName(AllocationId tensor, uint32_t instruction) const;

  const Launch &m_launch;
  const AddressSpace &m_memory;
  Diagnostics &m_diagnostics;
  uint32_t m_place = 0;
};

} // namespace tilescope::interp
