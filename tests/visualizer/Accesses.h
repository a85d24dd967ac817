// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses for the tests and benchmarks of the view "Coalescing": what the run process answered (data/*.json, recorded
// by data/record_accesses.py), read from beside this file.
#pragma once

#include "visualizer/model/CoalescingScene.h"

#include <string>
#include <vector>

namespace tilescope::viz::accesses {

struct Recorded {
  protocol::LaunchSummary launch;
  protocol::AccessDetail detail;
};
/// Aborts, saying so, where there is no such recording.
Recorded recorded(const std::string &name);
inline CoalescingScene scene(const std::string &name) {
  Recorded found = recorded(name);
  return {found.launch, found.detail};
}

/// "aligned", "softmax", "row-load", "column-store", "strided", "misaligned", "masked", "gathered", "shared-row",
/// "square", "square-store".
const std::vector<std::string> &all();

} // namespace tilescope::viz::accesses
