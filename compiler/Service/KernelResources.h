// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled code takes of an SM, from the best source that this machine has.
#pragma once

#include "compiler/Service/Codegen.h"

namespace tilescope::service {

enum class ResourceSource : uint8_t {
  Assembler, ///< nvJitLink
  Driver,    ///< of a GPU of that capability: stack and spilled registers are one number, in `stackBytes`
  Estimate,  ///< registers only
};

struct KernelResources {
  nvptx::Resources resources;
  ResourceSource source = ResourceSource::Estimate;
};

/// `code` was made with `wantsEstimate`. Error "assembler-failed".
Result<KernelResources> resourcesOf(const KernelCode &code);

} // namespace tilescope::service
