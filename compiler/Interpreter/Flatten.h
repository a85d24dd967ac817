// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile IR to the interpreter's compact code (Kernel.h). This and Flatten*.cpp are the only files of the
// interpreter that include MLIR; what comes out holds no MLIR object.
#pragma once

#include "compiler/Support/Diagnostic.h"

#include <mlir/IR/BuiltinOps.h>

#include <functional>
#include <memory>
#include <string_view>

namespace tilescope::interp {

class Kernel;

/// The source text of a path that stands in the IR's locations; null where it is not known.
using SourceResolver = std::function<SourceFilePtr(std::string_view path)>;

/// On an access: the number that observers know it by (an integer).
inline constexpr llvm::StringLiteral accessNumberAttr = "tile.access";

/// The code of the module's one public tile.func, helpers inlined. Null after an error:
/// "unsupported-operation" (operation) or "program-too-large" (kernel, bytes of tiles in one program, limit).
std::shared_ptr<const Kernel> flatten(mlir::ModuleOp module, const SourceResolver &resolver,
                                      Diagnostics &diagnostics);

} // namespace tilescope::interp
