// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/WarpRequest.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace tilescope::viz {

int WarpRequest::lanesOn() const { return std::popcount(on); }

int64_t WarpRequest::bytesOfNeighbours() const {
  int64_t count = 0;
  for (const RequestSector &sector : sectors)
    count += std::popcount(sector.byNeighbours());
  return count;
}

int64_t WarpRequest::bytesOfNobody() const { return bytesRequested() - bytesUsed - bytesOfNeighbours(); }

double WarpRequest::usedShare() const {
  return sectors.empty() ? 0 : static_cast<double>(bytesUsed) / static_cast<double>(bytesRequested());
}

int WarpRequest::laneAt(int64_t position) const {
  for (int lane = 0; lane < WarpLanes; ++lane) {
    int64_t inside = position - positions[static_cast<size_t>(lane)];
    if (isOn(lane) && inside >= 0 && inside < bytesPerLane)
      return lane;
  }
  return -1;
}

void WarpRequest::findSectors(const int32_t *used, const int32_t *end) {
  sectors.clear();
  for (int lane = 0; lane < WarpLanes; ++lane)
    for (int byte = 0; isOn(lane) && byte < bytesPerLane; ++byte) {
      int64_t position = positions[static_cast<size_t>(lane)] + byte, number = position >> 5;
      auto at = std::ranges::lower_bound(sectors, number, {}, &RequestSector::number);
      if (at == sectors.end() || at->number != number)
        at = sectors.insert(at, {number, 0, 0});
      at->mine |= uint32_t{1} << (position & 31);
    }
  bytesUsed = 0;
  for (RequestSector &sector : sectors) {
    sector.used = used < end ? static_cast<uint32_t>(*used++) : sector.mine;
    bytesUsed += std::popcount(sector.mine);
  }
  known = true;
}

namespace {

/// Runs of neighbouring bytes, over the edges of sectors too.
int piecesOf(const WarpRequest &request) {
  int pieces = 0;
  int64_t end = INT64_MIN; // behind the last byte that was taken
  for (const RequestSector &sector : request.sectors)
    for (int byte = 0; byte < SectorBytes; ++byte) {
      int64_t position = sector.number * SectorBytes + byte;
      if (!(sector.mine >> byte & 1))
        continue;
      pieces += position != end;
      end = position + 1;
    }
  return pieces;
}

/// The distance from each lane to the next, if it is the same between all that are on.
std::optional<int64_t> strideOf(const WarpRequest &request) {
  std::optional<int64_t> stride;
  int before = -1;
  for (int lane = 0; lane < WarpLanes; ++lane) {
    if (!request.isOn(lane))
      continue;
    if (before >= 0) {
      int64_t distance = request.positions[static_cast<size_t>(lane)] - request.positions[static_cast<size_t>(before)];
      if (distance % (lane - before) != 0 || (stride && *stride != distance / (lane - before)))
        return std::nullopt;
      stride = distance / (lane - before);
    }
    before = lane;
  }
  return stride;
}

} // namespace

LanePattern patternOf(const WarpRequest &request) {
  using Kind = LanePattern::Kind;
  if (request.sectors.empty())
    return {};
  LanePattern pattern{Kind::Row, std::countr_zero(request.sectors[0].mine), 0, piecesOf(request)};
  std::optional<int64_t> stride = strideOf(request);
  if (stride == 0)
    pattern.kind = Kind::Same;
  else if (pattern.pieces == 1)
    pattern.kind = Kind::Row;
  else if (stride && std::abs(*stride) == request.bytesPerLane)
    pattern.kind = Kind::Masked;
  else if (stride)
    pattern.kind = Kind::Stride, pattern.stride = *stride;
  else
    pattern.kind =
        request.bytesUsed >= 2 * int64_t{request.bytesPerLane} * pattern.pieces ? Kind::Pieces : Kind::Scattered;
  return pattern;
}

} // namespace tilescope::viz
