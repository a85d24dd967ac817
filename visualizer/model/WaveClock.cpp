// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/WaveClock.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::viz {

namespace {
constexpr std::array<double, 3> Offsets{0, WaveClock::TravelMiddle, WaveClock::Landed};
/// Steps from an event's own time go past it, however that time was rounded.
constexpr double Nudge = 1e-6;
} // namespace

int64_t WaveClock::waveAt(double time) const {
  return std::clamp<int64_t>(static_cast<int64_t>(std::floor(time)), 0, std::max<int64_t>(m_waves - 1, 0));
}

double WaveClock::timeOf(int64_t event) const {
  return static_cast<double>(event / 3) + Offsets[static_cast<size_t>(event % 3)];
}

WaveClock::Event WaveClock::kindOf(int64_t event) const {
  return event == 3 * m_waves ? Event::End : static_cast<Event>(event % 3);
}

int64_t WaveClock::eventAt(double time) const {
  if (time + Nudge >= duration())
    return 3 * m_waves;
  int64_t wave = waveAt(time + Nudge);
  double phase = time + Nudge - static_cast<double>(wave);
  return 3 * wave + (phase >= Landed ? 2 : phase >= TravelMiddle ? 1 : 0);
}

double WaveClock::next(double time) const { return timeOf(std::min(eventAt(time) + 1, 3 * m_waves)); }

double WaveClock::previous(double time) const {
  int64_t event = eventAt(time);
  bool between = timeOf(event) < time - Nudge;
  return timeOf(between ? event : std::max<int64_t>(event - 1, 0));
}

double WaveClock::travelled(double phase, double order) {
  constexpr double Flight = (Landed - TravelBegins) / 2;
  return std::clamp((phase - TravelBegins - Flight * order) / Flight, 0.0, 1.0);
}

double WaveClock::secondsPerWave() const {
  return m_waves ? std::min(5.0, 30.0 / static_cast<double>(m_waves)) : 1;
}

} // namespace tilescope::viz
