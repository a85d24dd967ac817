// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a CUDA toolkit may be on this machine. Nothing needs one: what is found is used, and looked for again each time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tilescope::nvptx {

/// Folders of toolkits: $CUDA_HOME and $CUDA_PATH, /usr/local/cuda, its neighbours with a version (newest first), those of
/// distributions. Some may not exist.
std::vector<std::filesystem::path> toolkits();

/// The folder of this executable.
std::filesystem::path executableFolder();

} // namespace tilescope::nvptx
