// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines of memory are drawn, so that the picture stands still while as many requests as possible are played: the
// requests of an access are cut into windows, each of which has the lines that its requests touch.
#pragma once

#include "visualizer/model/WarpRequest.h"

#include <span>

namespace tilescope::viz {

struct LineWindow {
  int64_t first = 0, last = 0; ///< requests, `last` not included
  std::vector<int64_t> lines;  ///< ascending; position / 128
  /// The row of a line, from 0; -1 for one that is not drawn.
  int rowOf(int64_t line) const;
  /// Whether lines are left out in front of a row.
  bool skipsBefore(int row) const;
};

/// Windows of at most `rows` lines, but for a request that touches more by itself. Only of known requests.
std::vector<LineWindow> windowsOf(std::span<const WarpRequest> requests, int rows);

} // namespace tilescope::viz
