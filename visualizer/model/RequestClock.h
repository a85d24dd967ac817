// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time in the view "Coalescing". Its unit is one request: request r lasts from r to r + 1, in that order only (nothing
// is known of when a warp asks). A request begins with its lanes, one after another; then sectors close round their
// bytes; then what the sectors hold beside them is judged, and counted.
#pragma once

#include <cstdint>

namespace tilescope::viz {

class RequestClock {
public:
  /// The parts of a request: bytes appear until Taken, sectors close until Closed, figures stand from Judged on.
  static constexpr double Begins = 0.03, Taken = 0.3, Closed = 0.42, Judged = 0.55;

  explicit RequestClock(int64_t requests = 0) : m_requests(requests) {}

  int64_t requests() const { return m_requests; }
  double duration() const { return static_cast<double>(m_requests); }
  /// From 0; the last request until the end of time.
  int64_t requestAt(double time) const;
  /// How far into its request `time` is, 0 to 1.
  double phaseAt(double time) const { return time - static_cast<double>(requestAt(time)); }

  /// Steps stop where the bytes of a request are taken, where it is judged, and at both ends.
  double next(double time) const;
  double previous(double time) const;
  /// The phase that is shown where nothing moves: the last step's.
  static double settled(double phase) { return phase < Taken ? 0 : phase < Judged ? Taken : 1; }
  /// Where a request is to be looked at.
  static double judged(int64_t request) { return static_cast<double>(request) + Judged; }

  /// How many lanes have taken their bytes, 0 to 32, fractions for the one that does just now.
  static double lanesAt(double phase);
  /// How far sectors have closed, and how far what is beside the bytes is judged and counted, 0 to 1.
  static double closedAt(double phase);
  static double judgedAt(double phase);

  /// How long a request plays at speed 1, so that a tile of many requests ends within a minute.
  double secondsPerRequest() const;

private:
  double stop(int64_t number) const;

  int64_t m_requests;
};

} // namespace tilescope::viz
