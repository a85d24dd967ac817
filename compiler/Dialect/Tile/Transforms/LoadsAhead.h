// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a load of a loop gives the same when it is carried out trips ahead of its own.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope::tile {

/// What a loop writes, and whether its trips wait for other programs. Different parameters of a kernel count
/// as different tensors.
class LoadsAhead {
public:
  explicit LoadsAhead(ForOp loop);
  bool isAllowed(LoadOp load) const;

private:
  bool m_waits = false; ///< for other programs, or for threads: what they write is read after that
  llvm::DenseSet<mlir::Value> m_written; ///< the parameters, and values whose origin is not known
};

} // namespace tilescope::tile
