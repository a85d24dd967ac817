// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where buffers and scratch space lie in a program's shared memory: what is never alive at the same time may share bytes.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

namespace tilescope::analysis {

/// Names of what the allocation leaves on operations: the first byte of an operation's buffer or scratch space, and on the
/// function the bytes of all.
inline constexpr llvm::StringLiteral sharedOffsetAttr = "shared_offset";
inline constexpr llvm::StringLiteral sharedBytesAttr = "tile.shared_bytes";

/// A buffer, or the scratch space of an operation that moves elements between warps. Times are places of operations in
/// the order of the text; a loop that a buffer is used in counts as a whole if the buffer is older.
struct SharedRegion {
  mlir::Operation *op = nullptr; ///< tile.shared_alloc, or the one that needs scratch space
  int64_t bytes = 0;
  int64_t begin = 0, end = 0; ///< first and last operation that it is alive at
  int64_t offset = 0;
  bool isBuffer() const { return llvm::isa<tile::SharedAllocOp>(op); }
  bool isAliveWith(const SharedRegion &other) const { return begin <= other.end && other.begin <= end; }
};

/// Bytes of shared memory that the operation needs for itself: where elements go from warp to warp.
int64_t scratchBytes(mlir::Operation *op);
/// Bytes of `count` elements of one operand there; the next one's begin behind them, where any element may.
int64_t scratchPart(int64_t count, mlir::Type element);

struct SharedAllocation {
  std::vector<SharedRegion> regions; ///< in the order of the text
  int64_t bytes = 0;                 ///< of the program
};

/// Offsets are multiples of 128 bytes, so that every buffer begins at the first bank; of 16 for scratch space.
SharedAllocation allocateShared(tile::FuncOp kernel);

} // namespace tilescope::analysis
