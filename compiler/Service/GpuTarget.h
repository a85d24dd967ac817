// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU that code is made for, by the name that a person gives.
#pragma once

#include "compiler/Conversion/TileToLLVM/Target.h"
#include "compiler/Model/GpuTable.h"

#include <optional>
#include <string_view>

namespace tilescope::service {

/// Of a compute capability: with the instructions that only it has, where code for it uses them (sm_90a). One that is newer
/// than what is known gets the newest target that it runs.
codegen::Target targetFor(int major, int minor);

/// "h200" of the table of GPUs, or "sm_86", "sm_90a"; nothing for another word.
std::optional<codegen::Target> targetNamed(std::string_view name);

/// A GPU with the target's limits, for what asks for one: the table's first of that capability, else of the next lower.
model::Gpu gpuLike(const codegen::Target &target);

} // namespace tilescope::service
