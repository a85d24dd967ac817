// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From PTX to a cubin, by nvJitLink: a library of the CUDA toolkit that is found at run time. Without it the driver
// does the same when it loads PTX.
// https://docs.nvidia.com/cuda/nvjitlink
#pragma once

#include "compiler/Conversion/TileToLLVM/Target.h"
#include "compiler/Support/Result.h"

#include <optional>
#include <string>

namespace tilescope::nvptx {

/// What a kernel takes, as the assembler says.
struct Resources {
  int registers = 0;   ///< of 32 bits, a thread
  int stackBytes = 0;  ///< of local memory, a thread
  int spillStores = 0; ///< bytes, a thread
  int spillLoads = 0;
  int sharedBytes = 0; ///< static, without what the system reserves

  friend bool operator==(const Resources &, const Resources &) = default;
};

struct Cubin {
  std::string image; ///< ELF
  Resources resources;
};

/// Is there an nvJitLink on this machine? Looked for once: by name, then in the toolkits.
bool hasAssembler();

/// Errors "no-nvjitlink"; "assembler-failed" (the assembler's words: a mistake of ours, or a GPU newer than it).
Result<Cubin> assemble(const std::string &ptx, const codegen::Target &target);

/// Out of the assembler's words about a module with one kernel; nothing if they say nothing.
std::optional<Resources> parseResources(std::string_view log);

} // namespace tilescope::nvptx
