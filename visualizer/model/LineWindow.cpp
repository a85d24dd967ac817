// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/LineWindow.h"

#include <algorithm>

namespace tilescope::viz {

int LineWindow::rowOf(int64_t line) const {
  auto at = std::ranges::lower_bound(lines, line);
  return at != lines.end() && *at == line ? static_cast<int>(at - lines.begin()) : -1;
}

bool LineWindow::skipsBefore(int row) const {
  auto at = static_cast<size_t>(row);
  return row > 0 && at < lines.size() && lines[at] != lines[at - 1] + 1;
}

namespace {

std::vector<int64_t> linesOf(const WarpRequest &request) {
  std::vector<int64_t> lines;
  for (const RequestSector &sector : request.sectors)
    if (lines.empty() || lines.back() != sector.line())
      lines.push_back(sector.line());
  return lines;
}

} // namespace

std::vector<LineWindow> windowsOf(std::span<const WarpRequest> requests, int rows) {
  std::vector<LineWindow> windows;
  for (const WarpRequest &request : requests) {
    if (!request.known)
      break;
    std::vector<int64_t> lines = linesOf(request), both;
    if (!windows.empty())
      std::ranges::set_union(windows.back().lines, lines, std::back_inserter(both));
    bool begins = windows.empty() || static_cast<int>(both.size()) > rows;
    if (begins) {
      int64_t first = windows.empty() ? 0 : windows.back().last;
      windows.push_back({first, first + 1, std::move(lines)});
    } else {
      windows.back().lines = std::move(both);
      ++windows.back().last;
    }
  }
  return windows;
}

} // namespace tilescope::viz
