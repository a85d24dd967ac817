// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Sources.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tilescope::service {
namespace {

namespace fs = std::filesystem;

/// Absolute and without links, also where the file does not exist.
fs::path resolved(const fs::path &path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(path, error);
  return error ? path : result;
}

/// A relative path is one below the current folder.
std::string folderOf(const std::string &script) {
  std::error_code error;
  return resolved(fs::absolute(script, error).parent_path()).string();
}

} // namespace

Result<SourceFilePtr> readScript(const std::string &path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return Error{"file-missing", {path}};
  if (fs::is_directory(status))
    return Error{"file-is-folder", {path}};
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return Error{"file-unreadable", {path, std::strerror(errno ? errno : EACCES)}};
  std::string text;
  for (std::array<char, 64 * 1024> block; stream && text.size() <= MaxScriptBytes;) {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad())
    return Error{"file-unreadable", {path, std::strerror(EIO)}};
  if (text.size() > MaxScriptBytes)
    return Error{"file-too-large", {path, std::to_string(MaxScriptBytes >> 20)}};
  if (text.find('\0') != std::string::npos)
    return Error{"file-not-text", {path}};
  return SourceFilePtr(std::make_shared<SourceFile>(path, std::move(text)));
}

Sources::Sources(const std::string &script, std::map<std::string, SourceFilePtr> buffers)
    : m_folder(folderOf(script)) {
  if (!m_folder.ends_with('/'))
    m_folder += '/';
  for (auto &[path, file] : buffers)
    m_buffers[resolved(path).string()] = std::move(file);
}

SourceFilePtr Sources::find(const std::string &path) const {
  const fs::path target = resolved(path);
  if (!target.string().starts_with(m_folder) || target.extension() != ".py")
    return nullptr;
  if (auto buffer = m_buffers.find(target.string()); buffer != m_buffers.end())
    return buffer->second;
  std::error_code error;
  if (!fs::is_regular_file(target, error))
    return nullptr;
  Result<SourceFilePtr> file = readScript(target.string());
  return file ? *file : nullptr;
}

} // namespace tilescope::service
