// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads of a program must wait for each other: between two uses of the same bytes of shared memory of which one
// writes, in whatever order control comes by, and nowhere else.
#pragma once

#include "compiler/Analysis/SharedAllocation.h"

namespace tilescope::analysis {

/// Operations that a barrier belongs in front of, in the order of the text. Barriers that are there already count.
/// Buffers have their places (`allocateShared`).
std::vector<mlir::Operation *> barriersNeeded(tile::FuncOp kernel, const SharedAllocation &allocation);

} // namespace tilescope::analysis
