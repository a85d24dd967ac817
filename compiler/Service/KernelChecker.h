// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernels for what is wrong with them and for the types of their names, and remembers the answers:
// while somebody types, most kernels are what they were, wherever they stand now.
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "compiler/Service/SourceClosure.h"

#include <unordered_map>

namespace tilescope::service {

/// The type of an expression of a kernel.
struct TypedName {
  SourceSpan span;
  std::string name; ///< of a variable, else empty
  std::string type;
};

class KernelChecker {
public:
  struct Findings {
    std::vector<Diagnostic> diagnostics;
    std::vector<TypedName> types;
  };
  Findings check(const SourceClosure &closure, const frontend::Specialisation &specialisation);

  /// To be called after each analysis: forgets what has not been asked for in a while.
  void endAnalysis();

private:
  struct Kept {
    Findings findings;             ///< spans have no file; ranges count from the beginning of `functions[i]`
    std::vector<size_t> functions; ///< in the order of visit()
    uint64_t lastUse = 0;
  };
  static bool detach(Kept &kept, const SourceClosure &closure);
  static void attach(Kept &kept, const SourceClosure &closure);

  std::unordered_map<std::string, Kept> m_kept;
  uint64_t m_analysis = 0;
};

} // namespace tilescope::service
