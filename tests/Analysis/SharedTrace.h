// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program does to shared memory, one access after another as it happens: what tests hold allocation
// and barriers to.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include <string>

namespace tilescope::analysis::test {

/// Runs a kernel whose buffers have their places and whose barriers are set. The first two uses of the same
/// bytes, one of them a write, that no barrier keeps apart; or a use of bytes that a copy into another buffer
/// is still on its way to. Empty if there is none.
std::string firstHazard(tile::FuncOp kernel, llvm::ArrayRef<int64_t> arguments);

} // namespace tilescope::analysis::test
