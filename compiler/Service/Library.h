// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of triton, triton.language and torch that Tilescope knows, kernels' and host code's alike.
#pragma once

#include "compiler/Service/Names.h"

#include <string_view>

namespace tilescope::service {

struct LibraryName {
  std::string name;      ///< full: "triton.language.load", "torch.softmax"
  std::string signature; ///< empty where it is not known, and of what is no function
  std::string helpKey;   ///< may be empty
  bool isFunction = true;
  bool isMethod = false; ///< also of tiles and scalars in kernels: `x.name(…)`
};

/// All of them, sorted by name.
const std::vector<LibraryName> &libraryNames();
/// Null if it is not known.
const LibraryName *findLibraryName(std::string_view fullName);

/// What completes "module.": the next word of each name below it, with the name it stands for (null where
/// that is a module).
struct LibraryMember {
  std::string label;
  const LibraryName *entry;
};
std::vector<LibraryMember> libraryMembers(std::string_view module);

} // namespace tilescope::service
