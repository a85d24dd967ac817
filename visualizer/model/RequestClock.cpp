// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/RequestClock.h"

#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {
/// Steps from a stop's own time go past it, however that time was rounded.
constexpr double Nudge = 1e-6;

double share(double phase, double from, double to) { return std::clamp((phase - from) / (to - from), 0.0, 1.0); }
} // namespace

int64_t RequestClock::requestAt(double time) const {
  return std::clamp<int64_t>(static_cast<int64_t>(std::floor(time)), 0, std::max<int64_t>(m_requests - 1, 0));
}

/// Stop 0 is the start, then two a request, then the end.
double RequestClock::stop(int64_t number) const {
  if (number <= 0)
    return 0;
  if (number > 2 * m_requests)
    return duration();
  return static_cast<double>((number - 1) / 2) + ((number - 1) % 2 ? Judged : Taken);
}

double RequestClock::next(double time) const {
  int64_t number = 2 * requestAt(time);
  while (number <= 2 * m_requests && stop(number) <= time + Nudge)
    ++number;
  return stop(number);
}

double RequestClock::previous(double time) const {
  int64_t number = 2 * requestAt(time) + 3;
  while (number > 0 && stop(number) >= time - Nudge)
    --number;
  return stop(number);
}

double RequestClock::lanesAt(double phase) { return 32 * share(phase, Begins, Taken); }
double RequestClock::closedAt(double phase) { return share(phase, Taken, Closed); }
double RequestClock::judgedAt(double phase) { return share(phase, Closed, Judged); }

double RequestClock::secondsPerRequest() const {
  return m_requests ? std::min(4.0, 60.0 / static_cast<double>(m_requests)) : 1;
}

} // namespace tilescope::viz
