// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What real Triton calls the operations of a module of tile IR, so that its own first IR for the same source
// can be compared with ours.
#pragma once

#include <mlir/IR/BuiltinOps.h>

#include <map>
#include <string>

namespace tilescope::frontend::test {

/// How often each operation occurs, in the words of tests/Frontend/AskIr.py ("arith.addf", "tt.reduce 1").
/// Left out are constants, splats and how functions are called: Triton makes a constant and splats it where
/// ours makes a constant tile, and calls helpers where ours puts them in place.
std::map<std::string, int> tritonOperations(mlir::ModuleOp module);

} // namespace tilescope::frontend::test
