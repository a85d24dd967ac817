// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's mathematical functions: libdevice.10.bc, which a toolkit has. It may not be passed on, so it is looked for.
// https://docs.nvidia.com/cuda/libdevice-users-guide
#pragma once

#include "compiler/Support/Result.h"

#include "llvm/IR/Module.h"

#include <filesystem>
#include <optional>

namespace tilescope::nvptx {

/// $TILESCOPE_LIBDEVICE alone if that is set; else beside the executable, then in the toolkits. Nothing if there is none.
std::optional<std::filesystem::path> findLibdevice();

/// Links in the bodies of all `__nv_*` functions that the module calls, as internal functions; as Triton links them,
/// subnormal fp32 counts as zero in most (compiler/docs/interpreter.md). Does nothing if it calls none. Errors "libdevice-missing" (one of the functions called), "libdevice-unreadable"
/// (path, why).
std::optional<Error> linkLibdevice(llvm::Module &module);

} // namespace tilescope::nvptx
