// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of AxisInfo: what is known of an operation's result from what is known of its operands.
#pragma once

#include "compiler/Analysis/AxisInfo.h"

namespace tilescope::analysis {

/// Nothing but the type.
AxisInfo unknown(mlir::Type type);
/// What holds of both.
AxisInfo join(const AxisInfo &a, const AxisInfo &b);
/// The greatest power of two that divides it; a very large one for 0.
int64_t powerIn(int64_t number);

/// Of each result of an operation without regions. `of` gives what is known of operands.
llvm::SmallVector<AxisInfo, 1> transfer(mlir::Operation *op, llvm::function_ref<AxisInfo(mlir::Value)> of);

} // namespace tilescope::analysis
