// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU that code is made for.
#pragma once

#include <string>

namespace tilescope::codegen {

struct Target {
  unsigned capability = 80;    ///< 75 to 120: major · 10 + minor
  bool isArchSpecific = false; ///< sm_90a: instructions that no later GPU has
  unsigned ptxVersion = 0;     ///< major · 10 + minor; 0: the lowest that the instructions need
  bool hasProbe = false;       ///< one more parameter: where each program writes its SM, start and end (Probe.cpp)

  std::string cpu() const { return "sm_" + std::to_string(capability) + (isArchSpecific ? "a" : ""); }
  bool atLeast(unsigned other) const { return capability >= other; }
};

} // namespace tilescope::codegen
