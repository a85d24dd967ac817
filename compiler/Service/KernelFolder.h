// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of Python files whose kernels are surveyed: which files there are, which of them an import means.
#pragma once

#include "compiler/Support/Result.h"
#include "compiler/Support/SourceFile.h"

#include <string>
#include <vector>

namespace tilescope::service {

class KernelFolder {
public:
  /// All `.py` files below a folder, sorted; folders whose names begin with a dot are left out. Errors, with
  /// the path: "file-missing", "not-a-folder".
  static Result<KernelFolder> open(const std::string &path);

  /// Absolute, without links, ends in "/".
  const std::string &path() const { return m_path; }
  /// Relative to the folder, with "/".
  const std::vector<std::string> &files() const { return m_files; }

  /// The text that `path() + imported` means: that file, or, since a folder need not be where its packages
  /// begin, the one whose absolute path shares most of its end with `imported` ("a/b/c.py"), at least
  /// "b/c.py", or "c.py" if there is only one of that name. Null if there is none.
  SourceFilePtr find(const std::string &path) const;

private:
  std::string m_path;
  std::vector<std::string> m_files;
};

} // namespace tilescope::service
