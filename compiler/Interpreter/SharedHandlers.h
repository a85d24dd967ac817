// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers of uses of shared memory (SharedDetail), as Operations.h has them, for kernels whose barriers are
// in their places: what threads do to the same bytes without a barrier between gives undefined elements.
#pragma once

#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

struct SharedHandlers {
  Handler store, load, copy;
  Handler scratch; ///< operands and count as those of sharedAllocate()
};
SharedHandlers sharedHandlers(bool seesHazards);

/// Operand: all of shared memory.
Handler sharedBarrier();

} // namespace tilescope::interp
