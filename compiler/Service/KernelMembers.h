// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods and attributes of the variables of kernels: of tiles and scalars, pointers, and tensor descriptors.
#pragma once

#include "compiler/Service/Analysis.h"
#include "compiler/Service/Library.h"

namespace tilescope::service {

/// The type that a name of a kernel has somewhere in the text; empty if there is no such name.
std::string typeInKernels(const Analysis &analysis, std::string_view name);

struct KernelMember {
  std::string label;
  const LibraryName *entry; ///< null for an attribute
};
/// What stands behind the dot of a variable of that type; nothing for a constant.
std::vector<KernelMember> kernelMembers(std::string_view type);

} // namespace tilescope::service
