// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs on SMs, wave after wave. The model: the SMs fill, all programs of a wave take one time, the next
// wave starts when it is over. Measured on an H200 (528 blocks of 128 threads): with one slot an SM each wave
// takes each SM once; with several slots programs are not spread one an SM first, so that no place is
// claimed for a program then, only how many each SM holds.
#pragma once

#include "compiler/Model/GpuTable.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope::model {

/// Programs that run together: `count` of them from `first` on, in the order of launch.
struct Wave {
  int64_t first = 0;
  int64_t count = 0;
  friend bool operator==(const Wave &, const Wave &) = default;
};

class Schedule {
public:
  /// `programs` of a launch (all axes), on `sms` SMs that hold `slotsPerSm` each; both at least 1.
  Schedule(int64_t programs, int sms, int slotsPerSm);

  int64_t programs() const { return m_programs; }
  int sms() const { return m_sms; }
  int slotsPerSm() const { return m_slotsPerSm; }
  /// Programs that run at a time: sms * slotsPerSm.
  int64_t slots() const { return int64_t(m_sms) * m_slotsPerSm; }

  /// Programs over slots: 3.88 for 512 programs on 132 slots. This is the figure that the view shows.
  double waves() const { return double(m_programs) / double(slots()); }
  /// Waves counted whole, the last one included; 0 without programs.
  int64_t waveCount() const { return (m_programs + slots() - 1) / slots(); }
  /// Wave `index` from 0.
  Wave wave(int64_t index) const;
  /// The wave that a program runs in.
  int64_t waveOf(int64_t program) const { return program / slots(); }
  /// Whether the last wave leaves slots empty and is not the only one: the tail.
  bool hasTail() const { return waveCount() > 1 && m_programs % slots() != 0; }

  /// How many programs each SM holds in a wave: as even as they go, the fuller SMs first (modelled). With one
  /// slot an SM, entry s is SM s. With several, full waves are exact; in others an H200's SMs held up to one
  /// more or one less than this.
  std::vector<int> programsPerSm(int64_t wave) const;
  /// SMs without a program in that wave; with several slots an SM, no fewer than these (of 132 programs, 124
  /// SMs took all on an H200).
  int idleSms(int64_t wave) const;
  /// Slots without a program in that wave.
  int64_t emptySlots(int64_t wave) const { return slots() - this->wave(wave).count; }

  /// With one slot an SM, where a program runs: the p-th of a wave on SM p. Nothing with several slots.
  std::optional<int> smOf(int64_t program) const;
  /// With one slot an SM, what runs there in that wave; nothing when it idles or with several slots.
  std::optional<int64_t> programOn(int64_t wave, int sm) const;

private:
  int64_t m_programs;
  int m_sms;
  int m_slotsPerSm;
};

} // namespace tilescope::model
