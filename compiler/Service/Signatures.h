// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument types of kernels out of a JSON file: {"file.py": {"kernel": {"x_ptr": "*fp32", "n": "i32",
// "BLOCK": {"constexpr": 64}}}}. The format is described in compiler/docs/frontend.md.
#pragma once

#include "compiler/Frontend/Infer.h"
#include "compiler/Support/Result.h"

namespace tilescope::service {

class Signatures {
public:
  Signatures() = default;
  /// Errors: "signatures-not-json" (path), "signatures-wrong" (where, what stands there), those of reading.
  static Result<Signatures> read(const std::string &path);

  /// What is said of a kernel, by its name with or without the functions and classes around it.
  const frontend::KnownArguments &of(const std::string &file, const std::string &kernel) const;

private:
  std::map<std::pair<std::string, std::string>, frontend::KnownArguments> m_kernels;
};

} // namespace tilescope::service
