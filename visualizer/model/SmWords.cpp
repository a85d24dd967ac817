// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the view says, as keys of translations/view-sm.json with their arguments.
#include "visualizer/model/SmScene.h"

#include <algorithm>
#include <array>

namespace tilescope::viz {

using namespace phrases;
using protocol::OccupancyLimit;

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t extent : shape) {
    text += text.empty() ? "" : " × ";
    text += std::to_string(extent);
  }
  return text.empty() ? "1" : text;
}

Phrase SmScene::context() const {
  Phrase programs = words(oneSlot() ? "sm.context.programs-one-slot" : "sm.context.programs",
                          {counted("sm.programs", m_programs), counted("sm.warps", m_launch.numWarps)});
  const protocol::OutputTensor *tensor = output();
  if (!tensor)
    return words("sm.context.no-output", {name(m_launch.kernel), programs});
  Phrase what = name(shapeText(tensor->shape) + " " + tensor->type);
  Phrase each;
  switch (m_tiling) {
  case Tiling::None:
    return words("sm.context.plain", {name(m_launch.kernel), what, programs});
  case Tiling::Tiles: {
    std::string tile = shapeText({m_tiles.maxTileRows(), m_tiles.maxTileColumns()});
    return words("sm.context.tiled", {name(m_launch.kernel), what, name(tile), programs});
  }
  case Tiling::Rows:
    each = counted("sm.context.rows", m_tiles.maxTileRows());
    break;
  case Tiling::RowEach:
    each = words("sm.context.row-each");
    break;
  case Tiling::Spans:
    each = counted("sm.context.spans", m_tiles.maxTileColumns());
    break;
  }
  return words("sm.context", {name(m_launch.kernel), what, each, programs});
}

Phrase SmScene::outputSubtitle() const {
  switch (m_tiling) {
  case Tiling::RowEach:
    return counted("sm.output.row-each", m_tiles.rows());
  case Tiling::Rows:
    return counted("sm.output.rows", m_tiles.cellRows(), {integer(m_tiles.maxTileRows())});
  case Tiling::Spans:
    return counted("sm.output.spans", m_tiles.known() - m_tiles.idlePrograms());
  case Tiling::Tiles:
    if (m_tiles.sharedCells())
      return words("sm.output.shared");
    return words("sm.output.tiles", {integer(m_tiles.cellRows()), integer(m_tiles.cellColumns())});
  case Tiling::None:
    break;
  }
  if (!output())
    return words("sm.output.none");
  return words(m_tiles.complete() ? "sm.output.nothing-written" : "sm.output.reading");
}

std::vector<Phrase> SmScene::outputNotes() const {
  std::vector<Phrase> notes;
  const protocol::OutputTensor *tensor = output();
  if (!tensor)
    return notes;
  if (m_tiles.folded())
    notes.push_back(words("sm.output.folded",
                          {counted("sm.elements", m_tiles.columns()),
                           counted("sm.programs", m_tiles.shownColumns() / m_tiles.maxTileColumns())}));
  else if (tensor->shape.size() > 2)
    notes.push_back(
        words("sm.output.flattened", {name(shapeText(tensor->shape)), counted("sm.rows", tensor->rows),
                                      counted("sm.columns", tensor->columns)}));
  else
    notes.push_back(counted("sm.columns", tensor->columns));
  if (!m_tiles.complete())
    notes.push_back(words("sm.output.known", {integer(m_tiles.known()), counted("sm.programs", m_programs)}));
  else if (m_tiles.idlePrograms() && m_tiling != Tiling::None)
    notes.push_back(counted("sm.output.wrote-nothing", m_tiles.idlePrograms()));
  return notes;
}

Phrase SmScene::gpuSubtitle(double time) const {
  int64_t wave = m_clock.waveAt(time);
  if (!oneSlot())
    return words("sm.gpu.slots", {counted("sm.sms", sms()), counted("sm.slots", slotsPerSm())});
  int64_t work = programsIn(wave);
  return words("sm.gpu.one-slot", {counted("sm.sms", sms()), integer(wave + 1), integer(waves()),
                                   counted("sm.gpu.at-work", work), counted("sm.gpu.idle", sms() - work)});
}

Phrase SmScene::lowerTitle() const { return words(oneSlot() ? "sm.timeline" : "sm.slots-title"); }

Phrase SmScene::lowerSubtitle(double time) const {
  if (oneSlot())
    return words("sm.timeline.subtitle");
  if (waves() == 1)
    return counted("sm.slots.subtitle", slotsPerSm());
  return counted("sm.slots.subtitle-wave", slotsPerSm(), {position(time)});
}

Phrase SmScene::position(double time) const {
  return words("sm.position", {integer(m_clock.waveAt(time) + 1), integer(waves())});
}

Phrase SmScene::narration(double time) const {
  int64_t wave = m_clock.waveAt(time), count = programsIn(wave), empty = emptySlots(wave);
  bool last = wave + 1 == waves();
  if (m_programs == 1)
    return words("sm.narration.one-program", {integer(sms() - 1), counted("sm.sms", sms())});
  Phrase of = oneSlot() ? counted("sm.sms", m_schedule.slotCount) : counted("sm.slots", m_schedule.slotCount);
  std::string suffix = oneSlot() ? "-sms" : "-slots";
  if (waves() == 1)
    return empty ? counted("sm.narration.only" + suffix, m_programs, {integer(empty), of})
                 : counted("sm.narration.only-full", m_programs);
  Phrase number = integer(wave + 1), total = integer(waves());
  if (last && time >= m_clock.duration() - 1e-6)
    return words("sm.narration.end", {counted("sm.programs", m_programs), total, usage()});
  if (last)
    return empty ? counted("sm.narration.last" + suffix, count, {number, total, integer(empty), of})
                 : counted("sm.narration.last-full", count, {number, total});
  int64_t first = firstProgram(wave), waiting = m_programs - first - count;
  if (m_clock.phaseAt(time) < WaveClock::Landed)
    return words("sm.narration.start", {number, total, integer(first), integer(first + count - 1), of});
  return counted("sm.narration.run" + suffix, count, {number, total, counted("sm.wait", waiting)});
}

Phrase SmScene::programTile(int64_t program) const {
  TileRect tile = m_tiles.tile(program);
  if (!output())
    return {};
  if (tile.empty())
    return words(m_tiles.complete() ? "sm.tile.nothing" : "sm.tile.unknown");
  auto range = [](const char *key, int32_t begin, int32_t end) {
    std::string full = key;
    return end - begin == 1 ? words(full, {integer(begin)})
                            : words(full + "s", {integer(begin), integer(end - 1)});
  };
  if (m_tiles.rows() == 1)
    return range("sm.tile.element", tile.columnBegin, tile.columnEnd);
  return words("sm.tile", {range("sm.tile.row", tile.rowBegin, tile.rowEnd),
                           range("sm.tile.column", tile.columnBegin, tile.columnEnd)});
}

Phrase SmScene::programsOverSlots() const {
  return words("sm.programs-over-slots",
               {counted("sm.programs", m_programs), counted("sm.slots", m_schedule.slotCount)});
}

Phrase SmScene::usage() const {
  if (waves() == 1)
    return words("sm.usage.one-wave");
  return words(oneSlot() ? "sm.usage.sms" : "sm.usage.slots", {percent(usedShare())});
}

std::vector<LimitBar> SmScene::limits() const {
  int most = 32;
  for (const OccupancyLimit &limit : m_schedule.limits)
    if (limit.resource == "programs" && limit.programs)
      most = std::max(1, *limit.programs);
  std::vector<LimitBar> bars;
  for (const OccupancyLimit &limit : m_schedule.limits) {
    if (!limit.programs)
      continue;
    bool memory = limit.resource == "sharedMemory";
    Phrase note = limit.resource == "programs"
                      ? words("sm.limit.own")
                      : words("sm.limit.of", {memory ? bytes(limit.needed) : integer(limit.needed),
                                              memory ? bytes(limit.available) : integer(limit.available)});
    bars.push_back({words("sm.limit." + limit.resource), integer(*limit.programs), note,
                    std::min(1.0, static_cast<double>(*limit.programs) / most), limit.limiting});
  }
  std::stable_sort(bars.begin(), bars.end(), [](const LimitBar &a, const LimitBar &b) {
    return a.limiting != b.limiting ? a.limiting : a.share < b.share;
  });
  return bars;
}

Phrase SmScene::unknownLimits() const {
  auto known = [&](const char *resource) {
    return std::any_of(m_schedule.limits.begin(), m_schedule.limits.end(), [&](const OccupancyLimit &limit) {
      return limit.resource == resource && limit.programs;
    });
  };
  bool registers = known("registers"), memory = known("sharedMemory");
  if (!registers)
    return words(memory ? "sm.limit.unknown-registers" : "sm.limit.unknown");
  return memory ? Phrase{} : words("sm.limit.unknown-memory");
}

std::vector<Phrase> SmScene::room() const {
  if (empty() || !waves())
    return {};
  int64_t more = waves() * m_schedule.slotCount - m_programs;
  std::vector<Phrase> lines;
  if (waves() == 1)
    lines.push_back(counted("sm.room.one-wave", m_schedule.slotCount));
  else
    lines.push_back(more ? counted("sm.room.more", more) : words("sm.room.full"));
  lines.push_back(words("sm.room.next", {integer(m_programs + more + 1), integer(waves() + 1)}));
  return lines;
}

std::vector<Phrase> SmScene::description(double time) const {
  if (empty())
    return {};
  std::vector<Phrase> lines{context(), outputSubtitle()};
  if (waves()) {
    lines.insert(lines.end(), {gpuSubtitle(time), programsOverSlots(), usage(), narration(time)});
    if (Phrase unknown = unknownLimits(); !unknown.empty())
      lines.push_back(unknown);
  }
  return lines;
}

} // namespace tilescope::viz
