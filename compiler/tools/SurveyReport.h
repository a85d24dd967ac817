// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a survey of kernels found, for the terminal and as JSON.
#pragma once

#include "compiler/Service/KernelSurvey.h"

#include <set>

namespace tilescope::tools {

class SurveyReport {
public:
  void add(service::SurveyedFile file);
  void add(service::SurveyedKernel kernel);
  /// A jit function that is launched, or that no other jit function of the folder names, is a kernel; the
  /// rest are helpers, compiled where they are called.
  bool isKernel(const service::SurveyedKernel &kernel) const;

  /// How many compiled, and the commonest reasons, most frequent first.
  std::string summary(Language language) const;
  std::string json() const;
  bool isAllCompiled() const;

private:
  struct Group {
    size_t count = 0;
    const service::SurveyReason *example = nullptr;
  };
  std::vector<std::pair<std::string, Group>> reasons() const;
  size_t kernelCount() const;
  size_t compiledCount() const;

  std::vector<service::SurveyedFile> m_files;
  std::vector<service::SurveyedKernel> m_kernels;
  std::set<std::string> m_used, m_launched; ///< places
};

} // namespace tilescope::tools
