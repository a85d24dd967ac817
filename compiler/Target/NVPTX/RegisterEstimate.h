// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many registers a kernel may take, where neither NVIDIA's assembler nor a driver can say.
#pragma once

#include "llvm/IR/Function.h"

namespace tilescope::nvptx {

/// The most registers of 32 bits, a thread, that values need at one point of the optimised function. An estimate: the
/// assembler reorders, computes again, and needs some for itself. Truths (predicates) and parameters (constant memory)
/// take none.
int estimateRegisters(const llvm::Function &function);

} // namespace tilescope::nvptx
