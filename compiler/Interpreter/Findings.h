// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs do wrong, grouped by kind, place and cause: the first program in program order names a
// finding, the others are counted. Memory does not grow with the grid. FindingReport.cpp makes diagnostics.
#pragma once

#include "compiler/Interpreter/Kernel.h"

#include <map>
#include <tuple>

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
  GatherOutside,   ///< `address` is the index, `bytes` the size of the axis
  AssemblyRefused, ///< inline PTX that is not interpreted
  AssemblyOutside, ///< `element` is the instruction's number
  OperationLimit,
  UndefinedReduction,
  UndefinedScan,
  UndefinedProduct,
  UndefinedStore,
  UndefinedAtomic,
  UndefinedAddress,
  UndefinedMask,
  UndefinedBranch,
  UndefinedAssertion,
  UndefinedPrint,
  PaddingWins,
  PaddingSummed,
  PaddingSorted,
  IndexWraps,
  StoredTwice, ///< `other` is the second element
  WriteRace,
  ReadRace,
  NonFinite,
};

/// Without one of these the launch would have gone on: they cannot be left unsaid, and only the first program
/// counts, for how many others got as far depends on the threads.
bool endsLaunch(FindingKind kind);

/// Why an element is followed (Shadow.h): those in front of Padding mean nothing.
enum class OriginKind : uint8_t {
  Masked,        ///< a load masked it off and gave no `other`
  Unwritten,     ///< a load read memory that was never written
  Shared,        ///< a buffer in shared memory was read before its bytes were there
  OutsideShape,  ///< of a block pointer: it lies in the tensor, but not in the shape that the block was given
  Padding,       ///< a load masked it off and gave `other`
  SortedPadding, ///< likewise, and a sort moved it
  PreferredPadding, ///< likewise, and it took the place of a loaded element for good
  Wrapped,          ///< an index that wrapped in 32 bits
};

/// Indices along one dimension of a tile, half-open.
struct IndexRange {
  uint64_t begin = 0, end = 0;
};

struct Finding {
  uint64_t program = 0; ///< the first, in program order
  uint64_t last = 0;    ///< the last
  uint64_t programs = 0;
  uint64_t element = 0; ///< of its tile, row-major
  uint32_t instruction = 0;
  Address address = 0;     ///< of memory: out of bounds, a race; where an origin was read
  uint32_t bytes = 0;      ///< of the element
  uint64_t run = 0;        ///< out of bounds: bytes of the neighbouring elements that are outside with it
  AllocationId tensor = 0; ///< the one that was meant; 0 if none is known

  uint32_t origin = 0; ///< the instruction that an undefined element comes from; the other of a race
  OriginKind originKind = OriginKind::Masked;
  bool changed = false;          ///< between its origin and here in a way that 0 does not survive
  uint64_t elements = 0;         ///< that are wrong in the tile
  std::vector<IndexRange> where; ///< what they span, by dimension
  uint64_t other = 0;            ///< a race: the other program
  bool sameValue = false;        ///< a race: both wrote the same
  double values[2] = {0, 0};     ///< what met; see FindingReport.cpp
  bool isBlock = false;          ///< out of bounds: of a block, which has a shape …
  int dimension = -1;            ///< … and this dimension is left, if one is: by
  int64_t index = 0, size = 0;
};

class Findings {
public:
  struct Key {
    FindingKind kind;
    uint32_t place;
    uint32_t cause = 0; ///< the place of the origin
    friend auto operator<=>(const Key &, const Key &) = default;
  };

  /// Counts one more program, once for each. What the first in program order found is kept.
  void count(Key key, uint64_t program, Finding finding);
  void merge(const Findings &other);
  /// Tensors to whose unwritten elements atomics were applied count as written: that has been said.
  void settleAtomics(AddressSpace &memory) const;
  /// Of each infinity or NaN that was stored: where it comes from. Those that were given are dropped.
  void findOrigins(const Launch &launch, AddressSpace &memory);
  /// Adds a diagnostic for each finding, in the order of the source.
  void report(const Launch &launch, const AddressSpace &memory, Diagnostics &diagnostics) const;

private:
  static Finding joined(const Finding &a, Finding b);
  static Finding storedToo(const Finding &a, const Finding &b);

  std::map<Key, Finding> m_findings;
};

} // namespace tilescope::interp
