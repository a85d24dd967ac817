// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/Toolkit.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope::nvptx {

namespace fs = std::filesystem;

namespace {

/// /usr/local/cuda-13.0, /usr/local/cuda-12.8 …
std::vector<fs::path> versions(const fs::path &folder) {
  std::vector<std::pair<double, fs::path>> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("cuda-"))
      found.emplace_back(-std::strtod(name.c_str() + 5, nullptr), entry->path());
  }
  std::ranges::sort(found);
  std::vector<fs::path> result;
  for (auto &[version, path] : found)
    result.push_back(std::move(path));
  return result;
}

} // namespace

std::vector<fs::path> toolkits() {
  std::vector<fs::path> result;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(name); value && *value)
      result.emplace_back(value);
  result.emplace_back("/usr/local/cuda");
  for (fs::path &path : versions("/usr/local"))
    result.push_back(std::move(path));
  result.emplace_back("/usr/lib/cuda");
  result.emplace_back("/opt/cuda");
  return result;
}

fs::path executableFolder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

} // namespace tilescope::nvptx
