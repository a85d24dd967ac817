// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of each access to global memory: for the code generator, and for the model.
#pragma once

#include "compiler/Analysis/AxisInfo.h"
#include "compiler/Model/AccessPlan.h"

namespace tilescope::analysis {

/// Loads, stores, atomics and asynchronous copies, of a tile or of one element.
bool isGlobalAccess(mlir::Operation *op);
/// What it goes through, and its mask (null for none).
mlir::Value pointersOf(mlir::Operation *access);
mlir::Value maskOf(mlir::Operation *access);

/// The plan of an access in stage two: instructions as wide as the layout, the address, the mask and 16 bytes allow;
/// atomics one element each; asynchronous copies no wider than what lies together in their buffer, too. An access of a
/// scalar is one instruction of one thread of the program.
model::AccessPlan planOf(mlir::Operation *access, const AxisInfoAnalysis &facts);

} // namespace tilescope::analysis
