// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/KernelFolder.h"

#include "compiler/Service/Sources.h"

#include <algorithm>
#include <filesystem>

namespace tilescope::service {
namespace {

namespace fs = std::filesystem;

/// How many parts of two paths agree, from the end.
size_t sharedParts(const fs::path &a, const fs::path &b) {
  std::vector<fs::path> left(a.begin(), a.end()), right(b.begin(), b.end());
  const size_t most = std::min(left.size(), right.size());
  size_t count = 0;
  while (count < most && left[left.size() - 1 - count] == right[right.size() - 1 - count])
    ++count;
  return count;
}

bool isHidden(const fs::path &path) { return path.filename().string().starts_with('.'); }

} // namespace

Result<KernelFolder> KernelFolder::open(const std::string &path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return Error{"file-missing", {path}};
  if (!fs::is_directory(path, error))
    return Error{"not-a-folder", {path}};
  KernelFolder folder;
  fs::path root = fs::canonical(path, error);
  folder.m_path = root.string() + "/";
  for (fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    if (isHidden(at->path())) {
      if (at->is_directory(error))
        at.disable_recursion_pending();
    } else if (at->path().extension() == ".py" && at->is_regular_file(error)) {
      folder.m_files.push_back(at->path().lexically_relative(root).generic_string());
    }
  }
  std::ranges::sort(folder.m_files);
  return folder;
}

SourceFilePtr KernelFolder::find(const std::string &path) const {
  const std::string imported = path.substr(std::min(m_path.size(), path.size()));
  auto read = [&](const std::string &file) {
    Result<SourceFilePtr> text = readScript(m_path + file);
    return text ? *text : nullptr;
  };
  if (std::ranges::binary_search(m_files, imported))
    return read(imported);
  constexpr size_t Enough = 2; // parts of a path: a package and a file in it
  const std::string *best = nullptr;
  size_t most = 0, sameName = 0;
  for (const std::string &file : m_files) {
    const size_t shared = sharedParts(m_path + file, imported);
    sameName += shared > 0;
    if (shared > most)
      best = &file, most = shared;
  }
  return best && (most >= Enough || sameName == 1) ? read(*best) : nullptr;
}

} // namespace tilescope::service
