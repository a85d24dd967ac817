// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of one version of a text: what is wrong with it, the types of names in kernels, the values of
// names of the module. Immutable once made, so that any thread may read it.
#pragma once

#include "compiler/Host/Evaluator.h"
#include "compiler/Service/KernelChecker.h"
#include "compiler/Service/Sources.h"

#include <chrono>
#include <set>

namespace tilescope::service {

struct Analysis {
  SourceFilePtr file;
  int64_t version = 0;
  std::shared_ptr<const syntax::Module> module;
  Diagnostics diagnostics;
  /// Did the text parse, so that the rest is there?
  bool isEvaluated = false;
  std::vector<TypedName> types; ///< of this file, sorted by where they begin
  std::shared_ptr<Scope> globals;
  std::set<std::string> imports; ///< paths of the files that it was made from beside this one

  /// The type of exactly this expression, or null.
  const TypedName *typeOf(SourceRange range) const;

  std::unique_ptr<AddressSpace> memory;       ///< where tensors of `globals` would live; holds no contents
  std::unique_ptr<host::Evaluator> evaluator; ///< keeps `globals`
};

using AnalysisPtr = std::shared_ptr<const Analysis>;

/// When an analysis is to end.
struct AnalysisControl {
  /// Nobody wants the result any more. Set from outside.
  std::atomic<bool> superseded = false;
  /// No kernel is compiled after this; what is known by then counts.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::now() + std::chrono::seconds(2);

  bool isOver() const { return superseded || std::chrono::steady_clock::now() > until; }
};

class Analyser {
public:
  /// Parses; then evaluates the module without carrying anything out, compiling each launch; then compiles
  /// the kernels that nobody launches or calls. Null if superseded.
  AnalysisPtr analyse(SourceFilePtr file, int64_t version, const Sources &sources,
                      const AnalysisControl &control);

private:
  KernelChecker m_kernels;
};

} // namespace tilescope::service
