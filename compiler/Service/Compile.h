// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation from source to what the interpreter runs, in an MLIR context of its own (decision 6).
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "compiler/Service/SourceClosure.h"

namespace tilescope::interp {
class Kernel;
}

namespace tilescope::service {

/// Code for the interpreter; null after an error, which is in `diagnostics`. `types` may be null, and so may
/// `bytecode`, which gets the IR of stage one: what later stages begin with when the source is gone.
std::shared_ptr<const interp::Kernel> compileKernel(const SourceClosure &closure,
                                                    const frontend::Specialisation &specialisation,
                                                    Diagnostics &diagnostics,
                                                    std::vector<frontend::TypedExpression> *types = nullptr,
                                                    std::string *bytecode = nullptr);

/// Tile IR as text, first stage; empty after an error.
std::string printTileIr(const FunctionObject &kernel, const frontend::Specialisation &specialisation,
                        Diagnostics &diagnostics);

} // namespace tilescope::service
