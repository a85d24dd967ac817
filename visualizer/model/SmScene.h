// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the view "Tiles on SMs" shows: the tiles of one output of a launch, and its programs on the SMs of a
// GPU, wave after wave. Every figure comes from the messages or is computed from them here; nothing knows a
// pixel. With one slot an SM, program p of a wave is on SM p (modelled); with several, only how many programs
// an SM holds is known, and nothing says which.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "visualizer/model/Phrase.h"
#include "visualizer/model/TileMap.h"
#include "visualizer/model/WaveClock.h"

#include <optional>
#include <utility>
#include <vector>

namespace tilescope::viz {

/// What a program's tile is like, as far as one word can say it.
enum class Tiling {
  None,    ///< nothing was written, or nothing is known yet
  Tiles,   ///< rectangles
  Rows,    ///< whole rows, several a program
  RowEach, ///< one whole row a program
  Spans,   ///< spans of a one-dimensional tensor, folded into rows to be drawn
};

/// One bar of "programs an SM can hold".
struct LimitBar {
  Phrase resource, figure, note;
  double share = 0; ///< of the most programs that an SM of this GPU takes, 0 to 1
  bool limiting = false;
};

class SmScene {
public:
  SmScene() = default;
  /// `output` indexes launch.outputs; a launch without one shows its programs only.
  SmScene(protocol::LaunchSummary launch, protocol::Schedule schedule, int output = 0);

  void addTiles(const protocol::TilePage &page);
  /// Another GPU, or other limits; the tiles stay.
  void setSchedule(protocol::Schedule schedule);
  /// Another number with each change, different in all scenes: what was painted for one is good for it only.
  uint64_t revision() const { return m_revision; }

  bool empty() const { return m_programs == 0; }
  const protocol::LaunchSummary &launch() const { return m_launch; }
  const protocol::Schedule &schedule() const { return m_schedule; }
  int outputIndex() const { return m_output; }
  /// Null for a kernel that stores nothing.
  const protocol::OutputTensor *output() const;
  const TileMap &tiles() const { return m_tiles; }
  Tiling tiling() const { return m_tiling; }
  const WaveClock &clock() const { return m_clock; }

  int64_t programs() const { return m_programs; }
  int64_t waves() const { return m_clock.waves(); }
  int sms() const { return m_schedule.sms; }
  int slotsPerSm() const { return m_schedule.slotsPerSm; }
  bool oneSlot() const { return m_schedule.slotsPerSm == 1; }

  int64_t firstProgram(int64_t wave) const { return wave * m_schedule.slotCount; }
  int64_t programsIn(int64_t wave) const;
  int64_t emptySlots(int64_t wave) const { return m_schedule.slotCount - programsIn(wave); }
  int64_t waveOf(int64_t program) const { return m_schedule.slotCount ? program / m_schedule.slotCount : 0; }
  /// One slot an SM: the program of a wave on an SM, if any.
  std::optional<int64_t> programOn(int64_t wave, int sm) const;
  /// Programs on the SM at `place` of a wave, SMs sorted from most to least.
  int countOn(int64_t wave, int place) const;
  /// The same, counted: programs an SM holds, and the SMs that do, from most to least.
  std::vector<std::pair<int, int>> countGroups(int64_t wave) const;
  /// The share of the time of all slots that programs fill, as programs of equal length do.
  double usedShare() const;

  /// The program that is followed at `time`: the selected one in its own wave, else one of the wave's.
  int64_t followed(double time, int64_t selected) const;
  /// Place on the colour scale, 0.06 to 0.96 by program id.
  double scalePosition(int64_t program) const;

  // Words; their keys are in translations/view-sm.json.
  Phrase context() const;
  Phrase outputSubtitle() const;
  /// What has to be said under the output: folded, not complete, programs that wrote nothing.
  std::vector<Phrase> outputNotes() const;
  Phrase gpuSubtitle(double time) const;
  Phrase lowerTitle() const;
  Phrase lowerSubtitle(double time) const;
  Phrase narration(double time) const;
  Phrase position(double time) const; ///< "wave 4 of 4"
  Phrase programTile(int64_t program) const;
  Phrase programsOverSlots() const;
  Phrase usage() const;
  std::vector<LimitBar> limits() const;
  /// What is not known about the limits; empty if all is.
  Phrase unknownLimits() const;
  /// How many programs more would fit, and what comes after.
  std::vector<Phrase> room() const;
  /// The whole view in words, for who cannot see it.
  std::vector<Phrase> description(double time) const;

private:
  void tilesChanged();

  protocol::LaunchSummary m_launch;
  protocol::Schedule m_schedule;
  int m_output = 0;
  int64_t m_programs = 0;
  WaveClock m_clock;
  TileMap m_tiles;
  Tiling m_tiling = Tiling::None;
  uint64_t m_revision = 0;
};

/// "4096 × 4096"
std::string shapeText(const std::vector<int64_t> &shape);

} // namespace tilescope::viz
