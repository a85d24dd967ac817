// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of several buffers an operation uses, as far as it can be told: a constant one, or one that a loop turns over with
// each trip (`tile-pipeline-loops` makes those).
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tilescope::analysis {

/// One of `count` buffers. In a loop that turns them over: the one that has the number `index` in its first trip, then the
/// next, and so round. In one trip, different numbers are different buffers.
struct Slot {
  int64_t index = 0, count = 1;
  /// The same buffer, counted from the next trip.
  Slot turnedBack() const { return {(index + count - 1) % count, count}; }
  friend bool operator==(const Slot &, const Slot &) = default;
};

struct BufferPart {
  tile::SharedAllocOp allocation; ///< null where branches or loops choose
  std::optional<Slot> slot;       ///< nothing: any of them
  tile::ForOp turnedBy;           ///< the loop that gives the slot its number; null for none
};

/// What a value of buffer type is a part of.
BufferPart partOf(mlir::Value buffer);

/// Allocations used in a loop by a number that it turns over: by such numbers only, or by others as well. The slots of the
/// latter cannot be told apart in it.
struct LoopBuffers {
  llvm::DenseSet<mlir::Operation *> turned, mixed;
};
LoopBuffers buffersOf(tile::ForOp loop);

} // namespace tilescope::analysis
