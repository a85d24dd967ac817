// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that says where and when each of its programs ran: 24 bytes a program, in the order of the grid (x fastest),
// at the address in one more parameter: the SM (u64), then %globaltimer at its start and end, in nanoseconds.
#pragma once

#include "compiler/Conversion/TileToLLVM/Emitter.h"

namespace tilescope::codegen {

llvm::Value *beginProbe(Emitter &e);
void endProbe(Emitter &e, llvm::Value *records, llvm::Value *started);

} // namespace tilescope::codegen
