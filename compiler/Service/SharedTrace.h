// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of a compiled kernel in the protocol's words: buffers, their lives, and how conflict-free they are.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Protocol/LaunchTrace.h"

namespace tilescope::service {

/// `kernel` is at the end of stage two.
std::vector<protocol::SharedBufferTrace> sharedBuffers(tile::FuncOp kernel);

} // namespace tilescope::service
