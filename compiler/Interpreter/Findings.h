// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs do wrong, grouped by kind and place: the first program in program order names a finding, the
// others are counted. Memory does not grow with the grid.
#pragma once

#include "compiler/Interpreter/Kernel.h"

#include <map>
#include <utility>

namespace tilescope::interp {

struct Launch;

enum class FindingKind : uint8_t {
  OutOfBoundsLoad,
  OutOfBoundsStore,
  OutOfBoundsAtomic,
  DivisionByZero,
  ZeroStep,
  AssumptionBroken,
  AssertionFailed,
  OperationLimit,
};

struct Finding {
  uint64_t program = 0; ///< the first, in program order
  uint64_t element = 0; ///< of its tile, row-major
  uint64_t programs = 0;
  uint32_t instruction = 0;
  Address address = 0; ///< out of bounds: where it would have touched memory
  uint32_t bytes = 0;
  uint64_t run = 0;        ///< out of bounds: bytes of the neighbouring elements that are outside with it
  AllocationId tensor = 0; ///< out of bounds: the one that was meant; 0 if none is known
};

class Findings {
public:
  using Key = std::pair<FindingKind, uint32_t>; ///< kind and place

  Finding *find(Key key);
  /// Counts one more program; true if it is the first in program order so far.
  bool count(Key key, uint64_t program);
  void merge(const Findings &other);
  /// Adds a diagnostic for each finding, in the order of the source.
  void report(const Launch &launch, const AddressSpace &memory, Diagnostics &diagnostics) const;

private:
  std::map<Key, Finding> m_findings;
};

} // namespace tilescope::interp
