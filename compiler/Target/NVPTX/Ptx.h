// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to PTX: libdevice linked in, LLVM's optimiser, its NVPTX target. Read compiler/docs/codegen.md.
#pragma once

#include "compiler/Conversion/TileToLLVM/Target.h"
#include "compiler/Support/Result.h"

#include "llvm/IR/Module.h"

#include <optional>
#include <string>

namespace tilescope::nvptx {

/// Is there such a GPU: sm_75 to sm_121, "a" from sm_90a on?
bool isKnown(const codegen::Target &target);
/// "sm_90a", "sm_80"; nothing for another word.
std::optional<codegen::Target> parseTarget(std::string_view name);

/// PTX of the lowest version that the GPU and the instructions need, or of `target.ptxVersion`. LLVM neither merges nor
/// splits accesses to memory. The module is used up; `optimised` sees it after the optimiser. Errors: those of
/// linkLibdevice; "ptx-failed" (why), a mistake of ours. From several threads, a context each.
Result<std::string> toPtx(llvm::Module &module, const codegen::Target &target,
                          llvm::function_ref<void(const llvm::Module &)> optimised = {});

} // namespace tilescope::nvptx
