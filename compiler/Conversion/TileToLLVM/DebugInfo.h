// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source lines in the code: LLVM's debug locations, which become `.loc` in PTX and `-lineinfo` in a cubin.
#pragma once

#include "compiler/Conversion/TileToLLVM/Emitter.h"
#include "compiler/Dialect/Tile/IR/Locations.h"

namespace tilescope::codegen {

/// The place that stands for it in the kernel's file: a helper of another file is shown at its call in the kernel.
const tile::SourcePlace &shownPlace(const tile::ValueOrigin &origin);

/// Gives the function a line table of the kernel's file.
void attachSource(Emitter &e, llvm::Function &function);

/// Instructions made while it lives come from that location: the line of the innermost function, as `callStack` says
/// inlined at the lines around it.
class DebugPlace {
public:
  DebugPlace(Emitter &e, mlir::Location location);
  ~DebugPlace() { m_builder.SetCurrentDebugLocation(m_before); }
  DebugPlace(const DebugPlace &) = delete;
  DebugPlace &operator=(const DebugPlace &) = delete;

private:
  llvm::IRBuilder<> &m_builder;
  llvm::DebugLoc m_before;
};

} // namespace tilescope::codegen
