// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/SmScene.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace tilescope::viz {

namespace {

uint64_t nextRevision() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

/// Folds a one-dimensional tensor so that its tiles stand about twice as wide as high in a square.
int64_t programsPerRow(int64_t tiles) {
  return std::max<int64_t>(1, std::llround(std::sqrt(static_cast<double>(tiles) / 2)));
}

} // namespace

SmScene::SmScene(protocol::LaunchSummary launch, protocol::Schedule schedule, int output)
    : m_launch(std::move(launch)), m_output(output), m_programs(static_cast<int64_t>(m_launch.programs)) {
  setSchedule(std::move(schedule));
  if (const protocol::OutputTensor *tensor = this->output())
    m_tiles = TileMap(tensor->rows, tensor->columns, m_programs);
}

void SmScene::setSchedule(protocol::Schedule schedule) {
  m_schedule = std::move(schedule);
  m_clock = WaveClock(m_schedule.slotCount > 0 ? m_schedule.waveCount : 0);
  m_revision = nextRevision();
}

const protocol::OutputTensor *SmScene::output() const {
  bool exists = m_output >= 0 && m_output < static_cast<int>(m_launch.outputs.size());
  return exists ? &m_launch.outputs[static_cast<size_t>(m_output)] : nullptr;
}

void SmScene::addTiles(const protocol::TilePage &page) {
  m_tiles.add(page);
  tilesChanged();
  m_revision = nextRevision();
}

void SmScene::tilesChanged() {
  int64_t rows = m_tiles.maxTileRows(), columns = m_tiles.maxTileColumns();
  if (rows == 0)
    m_tiling = Tiling::None;
  else if (m_tiles.rows() == 1)
    m_tiling = Tiling::Spans;
  else if (columns == m_tiles.columns())
    m_tiling = rows == 1 ? Tiling::RowEach : Tiling::Rows;
  else
    m_tiling = Tiling::Tiles;
  if (m_tiling == Tiling::Spans)
    m_tiles.foldInto(columns * programsPerRow((m_tiles.columns() + columns - 1) / columns));
}

int64_t SmScene::programsIn(int64_t wave) const {
  return std::clamp<int64_t>(m_programs - firstProgram(wave), 0, m_schedule.slotCount);
}

std::optional<int64_t> SmScene::programOn(int64_t wave, int sm) const {
  int64_t program = firstProgram(wave) + sm;
  bool holds = oneSlot() && sm >= 0 && sm < sms() && program < m_programs;
  return holds ? std::optional(program) : std::nullopt;
}

int SmScene::countOn(int64_t wave, int place) const {
  const std::vector<int32_t> &last = m_schedule.lastWaveCounts.values;
  if (wave + 1 < waves())
    return slotsPerSm();
  return place < static_cast<int>(last.size()) ? last[static_cast<size_t>(place)] : 0;
}

std::vector<std::pair<int, int>> SmScene::countGroups(int64_t wave) const {
  std::vector<std::pair<int, int>> groups;
  for (int place = 0; place < sms(); ++place) {
    int count = countOn(wave, place);
    if (groups.empty() || groups.back().first != count)
      groups.emplace_back(count, 0);
    ++groups.back().second;
  }
  return groups;
}

double SmScene::usedShare() const {
  int64_t room = waves() * m_schedule.slotCount;
  return room ? static_cast<double>(m_programs) / static_cast<double>(room) : 0;
}

int64_t SmScene::followed(double time, int64_t selected) const {
  int64_t wave = m_clock.waveAt(time), count = programsIn(wave);
  if (selected >= 0 && selected < m_programs && (waveOf(selected) == wave || waves() == 0))
    return selected;
  if (!oneSlot())
    return std::min(firstProgram(wave) + count / 4, m_programs - 1);
  // One that stands in the first column of the usual twelve, where its connector is short.
  int64_t row = (count / 12) * 45 / 100;
  return firstProgram(wave) + row * 12;
}

double SmScene::scalePosition(int64_t program) const {
  double last = static_cast<double>(std::max<int64_t>(m_programs - 1, 1));
  return 0.06 + 0.9 * static_cast<double>(program) / last;
}

} // namespace tilescope::viz
