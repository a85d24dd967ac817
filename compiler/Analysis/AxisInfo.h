// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the numbers and addresses in a tile, along each of its dimensions: Triton's axis info. Widths of
// accesses follow from it. It holds as long as integers do not overflow, which checking mode reports.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tilescope::analysis {

/// Along one dimension. All are powers of two, and blocks are aligned: block k of n elements is k·n … k·n + n - 1.
struct AxisFacts {
  int64_t contiguity = 1;   ///< blocks of that many elements are consecutive: x, x + 1, …; pointers in elements
  int64_t divisibility = 1; ///< of the first element of each such block; of addresses in bytes
  int64_t constancy = 1;    ///< blocks of that many elements are equal

  /// Of the first elements of blocks of `elements` (at most `contiguity`, or any number if that is 1), of `unit` each.
  int64_t divisibilityOfBlocks(int64_t elements, int64_t unit = 1) const {
    return contiguity == 1 ? divisibility : std::min(divisibility, elements * unit);
  }
  friend bool operator==(const AxisFacts &, const AxisFacts &) = default;
};

/// Of a value. A scalar counts as one dimension of one element.
struct AxisInfo {
  llvm::SmallVector<AxisFacts, 2> axes;
  std::optional<int64_t> constant; ///< the one number everywhere
  bool isNonNegative = false;

  unsigned rank() const { return unsigned(axes.size()); }
  friend bool operator==(const AxisInfo &, const AxisInfo &) = default;
};

/// Of every integer and pointer in a kernel whose calls are inlined, in stage one or two.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(tile::FuncOp kernel);
  /// Nothing is known of a value that the analysis did not see.
  AxisInfo of(mlir::Value value) const;

  /// How many neighbours along `axis` one instruction may access through these pointers under this mask (null for none):
  /// consecutive, all on or all off, and their address divisible by their bytes. At least 1; not limited to 16 bytes.
  int64_t vectorElements(mlir::Value pointers, mlir::Value mask, unsigned axis) const;

private:
  llvm::DenseMap<mlir::Value, AxisInfo> m_info;
};

} // namespace tilescope::analysis
