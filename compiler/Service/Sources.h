// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files within a script's reach: `.py` files below its folder, an editor's buffers before the disk. And
// the reading of a script that a person names.
#pragma once

#include "compiler/Support/Result.h"
#include "compiler/Support/SourceFile.h"

#include <map>

namespace tilescope::service {

/// Files larger than this are no scripts.
inline constexpr uint64_t MaxScriptBytes = uint64_t(32) << 20;

/// Reads a text file. Errors, all with the path: "file-missing", "file-is-folder", "file-unreadable" (path,
/// reason of the system), "file-too-large" (path, MiB), "file-not-text" for one that holds NUL bytes.
Result<SourceFilePtr> readScript(const std::string &path);

class Sources {
public:
  /// `script` is the path of the script; its folder is the border. Paths of `buffers` are absolute.
  Sources(const std::string &script, std::map<std::string, SourceFilePtr> buffers);

  /// A file that the script imports; null if there is none within reach. Links are followed before the border
  /// is looked at.
  SourceFilePtr find(const std::string &path) const;

private:
  std::string m_folder; ///< without links, ends in "/"
  std::map<std::string, SourceFilePtr> m_buffers;
};

} // namespace tilescope::service
