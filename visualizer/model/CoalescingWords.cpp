// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the view says, as keys of translations/view-coalescing.json with their arguments.
#include "visualizer/model/CoalescingScene.h"

#include <algorithm>

namespace tilescope::viz {

using namespace phrases;
using Kind = LanePattern::Kind;

namespace {

Phrase bytesOf(int64_t count) { return counted("coalescing.bytes", count); }
Phrase sectorsOf(int64_t count) { return counted("coalescing.sectors", count); }
int64_t sectorsIn(const WarpRequest &request) { return static_cast<int64_t>(request.sectors.size()); }

std::string shapeName(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : " × ") + std::to_string(extent);
  return text;
}

} // namespace

Phrase CoalescingScene::accessName(int access) const {
  const protocol::AccessSummary &summary = m_launch.accesses[static_cast<size_t>(access)];
  return words("sm.access." + summary.op, {name(summary.tensor)});
}

Phrase CoalescingScene::context() const {
  Phrase context =
      words("coalescing.context", {name(m_launch.kernel), accessName(m_detail.access), integer(access().line),
                                   integer(m_detail.program), integer(static_cast<int64_t>(m_launch.programs))});
  if (m_detail.executions <= 1)
    return context;
  return words("coalescing.context.loop", {context, integer(m_detail.execution + 1), integer(m_detail.executions)});
}

Phrase CoalescingScene::tileSubtitle() const {
  if (m_detail.shape.empty())
    return words("coalescing.tile.scalar", {name(access().type)});
  Phrase sizes =
      words("coalescing.tile.subtitle",
            {name(shapeName(m_detail.shape)), name(access().type), counted("coalescing.warps", m_tile.warps()),
             counted("coalescing.lanes", m_tile.lanes()), counted("coalescing.registers", m_tile.registers())});
  const protocol::AccessLayout &layout = m_detail.layout;
  bool copies = layout.freeRegisters || layout.freeLanes || layout.freeWarps;
  return copies ? words("coalescing.tile.copies", {sizes}) : sizes;
}

Phrase CoalescingScene::layoutNote(int64_t order, int lane) const {
  return counted("coalescing.holds", m_tile.registers(), {integer(lane), integer(request(order).warp)});
}

Phrase CoalescingScene::warpTitle(int64_t order) const {
  return words("coalescing.warp", {integer(request(order).warp)});
}

Phrase CoalescingScene::warpSubtitle(int64_t order) const {
  const WarpRequest &request = this->request(order);
  Phrase elements = counted("coalescing.elements", m_detail.vectorElements), bytes = bytesOf(request.bytesPerLane);
  if (request.lanesOn() == WarpLanes)
    return words("coalescing.warp.all", {elements, bytes});
  return counted("coalescing.warp.some", request.lanesOn(), {elements, bytes});
}

Phrase CoalescingScene::memorySubtitle(const LineWindow &window) const {
  auto rows = static_cast<int>(window.lines.size());
  Phrase lines = counted("coalescing.memory.lines", rows);
  for (int row = 1; row < rows; ++row)
    if (window.skipsBefore(row))
      return words("coalescing.memory.skips", {lines});
  return lines;
}

Phrase CoalescingScene::launchLine() const {
  const protocol::AccessTrace &totals = count().totals;
  Phrase line = words("coalescing.launch", {counted("coalescing.requests", totals.requests), sectorsOf(totals.sectors),
                                            integer(totals.distinctSectors)});
  if (!fullyCounted())
    return words("coalescing.launch.counting", {line, integer(count().counted), integer(count().programs)});
  bool once = totals.distinctSectors > 0 && totals.distinctSectors == tensorSectors();
  return once ? words("coalescing.launch.once", {line, name(access().tensor)}) : line;
}

Phrase CoalescingScene::why(int64_t order) const {
  const WarpRequest &request = this->request(order);
  if (!request.known)
    return words("coalescing.memory.reading");
  const LanePattern pattern = patternOf(request);
  Phrase used = bytesOf(request.bytesUsed), sectors = sectorsOf(sectorsIn(request));
  switch (pattern.kind) {
  case Kind::Nothing:
    return words("coalescing.why.nothing");
  case Kind::Same:
    return words("coalescing.why.same", {used});
  case Kind::Row:
    if (request.lanesOn() == 1)
      return words("coalescing.why.one", {used, sectors});
    if (pattern.start == 0)
      return words("coalescing.why.row");
    return sectorsIn(request) == request.ideal()
               ? words("coalescing.why.row-enough")
               : words("coalescing.why.misaligned", {bytesOf(pattern.start), used, sectors});
  case Kind::Masked:
    return counted("coalescing.why.masked", request.lanesOn(), {used, sectors});
  case Kind::Stride: {
    Phrase distance = bytesOf(std::abs(pattern.stride)), each = integer(request.bytesPerLane);
    bool own = std::abs(pattern.stride) >= SectorBytes && sectorsIn(request) == request.lanesOn();
    return own ? words("coalescing.why.stride-own", {distance, each})
               : words("coalescing.why.stride", {distance, each});
  }
  case Kind::Pieces:
    return counted("coalescing.why.pieces", pattern.pieces, {sectors});
  case Kind::Scattered:
    return counted("coalescing.why.scattered", request.lanesOn(), {sectors});
  }
  return {};
}

Phrase CoalescingScene::rest(int64_t order) const {
  const WarpRequest &request = this->request(order);
  if (int64_t nobody = request.bytesOfNobody(); nobody > 0)
    return words(fullyCounted() ? "coalescing.rest.nobody" : "coalescing.rest.nobody-yet",
                 {integer(nobody), bytesOf(request.bytesRequested())});
  return request.bytesOfNeighbours() > 0 ? words("coalescing.rest.neighbours") : Phrase{};
}

Phrase CoalescingScene::better(int64_t order) const {
  const WarpRequest &request = this->request(order);
  const LanePattern pattern = patternOf(request);
  Phrase least = sectorsOf(request.ideal()), used = bytesOf(request.bytesUsed);
  if (pattern.kind == Kind::Nothing)
    return {};
  if (sectorsIn(request) == request.ideal())
    return words("coalescing.better.nothing", {least, used});
  const protocol::ArgumentSummary *tensor = argument();
  bool matrix = tensor && tensor->shape.size() >= 2 && tensor->strides.size() == tensor->shape.size();
  switch (pattern.kind) {
  case Kind::Row: {
    int64_t perSector = std::max(1, SectorBytes / std::max(1, m_detail.elementBytes));
    int64_t row = matrix ? tensor->strides[tensor->strides.size() - 2] : 0;
    // Where the tile starts at a sector of its row, only the row itself can be to blame.
    int64_t first = request.sectors[0].number * SectorBytes + pattern.start;
    int64_t inRow = row > 0 ? offsetOf(first) % (row * m_detail.elementBytes) : 0;
    if (row % perSector != 0 && inRow % SectorBytes == 0 && m_detail.baseOffset % SectorBytes == 0)
      return words("coalescing.better.pad",
                   {integer((row + perSector - 1) / perSector * perSector), integer(row), least});
    return words("coalescing.better.align", {counted("coalescing.elements", perSector), least});
  }
  case Kind::Masked:
    return words("coalescing.better.masked", {least});
  case Kind::Stride:
    return matrix && request.bytesOfNeighbours() > 0 ? words("coalescing.better.column", {least})
                                                     : words("coalescing.better.stride", {least});
  case Kind::Pieces:
    return words("coalescing.better.pieces", {least, used});
  default:
    return words("coalescing.better.scattered", {least, used});
  }
}

Phrase CoalescingScene::position(double time) const {
  return words("coalescing.position", {integer(m_clock.requestAt(time) + 1), integer(m_clock.requests())});
}

Phrase CoalescingScene::narration(double time) const {
  if (empty())
    return words("coalescing.narration.none", {integer(m_detail.program)});
  int64_t order = m_clock.requestAt(time), all = m_clock.requests();
  const WarpRequest &request = this->request(order);
  if (time >= m_clock.duration() - 1e-6 && static_cast<int64_t>(m_sums.size()) > all) {
    const RequestSums &sums = m_sums.back();
    Phrase requests = counted("coalescing.requests", sums.requests), sectors = sectorsOf(sums.sectors);
    if (sums.sectors == sums.ideal)
      return words("coalescing.narration.end-least", {requests, sectors});
    return words("coalescing.narration.end-more", {requests, sectors, integer(sums.distinct), integer(sums.ideal)});
  }
  Phrase number = integer(order + 1), total = integer(all);
  if (m_clock.phaseAt(time) < RequestClock::Taken || !request.known)
    return counted("coalescing.narration.lanes", request.lanesOn(),
                   {number, total, integer(request.warp),
                    bytesOf(request.known ? request.bytesUsed : int64_t{request.bytesPerLane} * request.lanesOn())});
  Phrase used = bytesOf(request.bytesUsed), sectors = sectorsOf(sectorsIn(request));
  if (sectorsIn(request) == request.ideal())
    return words("coalescing.narration.least", {number, total, used, sectors});
  return words("coalescing.narration.more", {number, total, used, sectors, integer(request.ideal())});
}

std::string CoalescingScene::elementIndex(int64_t element) const {
  std::string place;
  for (size_t d = m_detail.shape.size(); d-- > 0; element /= m_detail.shape[d])
    place = std::to_string(element % m_detail.shape[d]) + (place.empty() ? "" : ", ") + place;
  return place.empty() ? "0" : place;
}

Phrase CoalescingScene::elementName(int64_t element) const {
  return words("coalescing.element", {name(elementIndex(element))});
}

std::vector<Phrase> CoalescingScene::description(double time) const {
  std::vector<Phrase> lines{context(), tileSubtitle(), narration(time)};
  if (empty())
    return lines;
  int64_t order = m_clock.requestAt(time);
  for (Phrase phrase : {warpSubtitle(order), why(order), rest(order), better(order), launchLine()})
    if (!phrase.empty())
      lines.push_back(std::move(phrase));
  return lines;
}

} // namespace tilescope::viz
