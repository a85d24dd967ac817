// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel as stage one has it and again after each stage on the way to stage two, on the same memory.
#pragma once

#include "compiler/Interpreter/Interpreter.h"

#include <mlir/IR/BuiltinOps.h>

#include <string>

namespace tilescope::interp::test {

/// A launch that can be repeated: what its tensors hold before, and its arguments.
struct RepeatedLaunch {
  struct Tensor {
    std::vector<std::byte> bytes;
    bool isDefined = true; ///< else nobody wrote it yet
  };
  struct Argument {
    uint64_t bits = 0;
    int tensor = -1;     ///< -1: `bits` is the value
    uint64_t offset = 0; ///< of the address, in the tensor
  };
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<Tensor> tensors;
  std::vector<Argument> arguments;
};

/// What a launch did.
struct LaunchOutcome {
  std::vector<std::vector<std::byte>> tensors;
  std::vector<std::string> findings; ///< ids of diagnostics, in order
  uint64_t loaded = 0, written = 0;  ///< elements, by loads and by other accesses
};
LaunchOutcome interpret(mlir::ModuleOp module, const RepeatedLaunch &launch);

enum class Compare : uint8_t { EveryStage, LastStage };

/// Empty if stage one and stage two agree, bit for bit, stage two loads no more, and the IR verifies after
/// each stage; else which stage went wrong, how, and the IR that it made. Contraction changes how floats
/// round, so what comes behind it is compared with what it gives.
std::string compareStages(mlir::ModuleOp module, const RepeatedLaunch &launch, Compare compare);

} // namespace tilescope::interp::test
