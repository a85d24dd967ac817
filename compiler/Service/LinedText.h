// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code as text for people, with the source's line of each of its lines: without the locations themselves, which would be
// most of the text.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace tilescope::service {

struct LinedText {
  std::string text;
  /// For each line of the text a line of the kernel's file, from 1; 0 for none. What a helper of another file computes
  /// counts to its call in the kernel.
  std::vector<int> lines;
};

/// Tile IR. A line in which operations begin has the place of the first; one that only ends a region has none.
LinedText linedText(mlir::ModuleOp module);
/// LLVM IR without its debug information.
LinedText linedText(const llvm::Module &module);
/// PTX without its `.loc` and `.file`.
LinedText linedPtx(std::string_view ptx);

} // namespace tilescope::service
