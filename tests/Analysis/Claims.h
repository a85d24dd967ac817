// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what AxisInfo says of a value is true of its numbers.
#pragma once

#include "compiler/Analysis/AxisInfo.h"
#include "tests/Analysis/SlowEvaluator.h"

#include <string>

namespace tilescope::analysis::test {

/// "constancy 4 of dimension 1 at row-major 12", or empty if every claim holds.
std::string wrongClaim(mlir::Type type, const Numbers &numbers, const AxisInfo &info);

/// Runs the kernel as `program` with these arguments and holds each number to what the analysis says of its
/// value. The first claim that does not hold, with the operation that it is about; empty if there is none.
std::string firstWrongClaim(tile::FuncOp kernel, const AxisInfoAnalysis &facts, int64_t program,
                            llvm::ArrayRef<int64_t> arguments);

} // namespace tilescope::analysis::test
