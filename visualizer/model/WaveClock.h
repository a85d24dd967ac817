// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time in the view "Tiles on SMs". Its unit is one wave: wave w lasts from w to w + 1, and in that order only
// (programs are drawn equally long, because nothing is known of their length). A wave begins with its tiles
// outlined, then they travel to the SMs, then they run.
#pragma once

#include <cstdint>

namespace tilescope::viz {

class WaveClock {
public:
  enum class Event { Start, Travel, Running, End };

  /// The parts of a wave.
  static constexpr double TravelBegins = 0.02;
  static constexpr double TravelMiddle = 0.06;
  static constexpr double Landed = 0.1;

  explicit WaveClock(int64_t waves = 0) : m_waves(waves) {}

  int64_t waves() const { return m_waves; }
  double duration() const { return static_cast<double>(m_waves); }
  /// From 0; the last wave from its start to the end of time.
  int64_t waveAt(double time) const;
  /// How far into its wave `time` is, 0 to 1.
  double phaseAt(double time) const { return time - static_cast<double>(waveAt(time)); }

  /// Start, travel and running of each wave, and the end.
  int64_t eventCount() const { return m_waves ? 3 * m_waves + 1 : 0; }
  double timeOf(int64_t event) const;
  Event kindOf(int64_t event) const;
  /// The last event that is not after `time`.
  int64_t eventAt(double time) const;
  /// The time of the first event after `time`, or of the last one before it; the ends stay where they are.
  double next(double time) const;
  double previous(double time) const;

  /// How far the tile at `order` (0 first, 1 last of its wave) has travelled in a wave's phase, 0 to 1.
  static double travelled(double phase, double order);

  /// How long a wave plays at speed 1, so that a grid of many waves ends within half a minute.
  double secondsPerWave() const;

private:
  int64_t m_waves;
};

} // namespace tilescope::viz
