// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/CoalescingScene.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace tilescope::viz {

namespace {

uint64_t nextRevision() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

int64_t offsetAt(const protocol::Packed &addresses, size_t lane) {
  auto low = static_cast<uint32_t>(addresses.values[2 * lane]);
  auto high = static_cast<uint32_t>(addresses.values[2 * lane + 1]);
  return static_cast<int64_t>(uint64_t{high} << 32 | low);
}

} // namespace

CoalescingScene::CoalescingScene(protocol::LaunchSummary launch, protocol::AccessDetail detail, std::string gpu)
    : m_launch(std::move(launch)), m_detail(std::move(detail)), m_gpu(std::move(gpu)), m_tile(m_detail) {
  for (int32_t on : m_detail.on.values)
    m_on.push_back(static_cast<uint32_t>(on));
  m_orderOf.resize(m_on.size(), -1);
  for (size_t i = 0; i < m_on.size(); ++i) {
    if (m_on[i] == 0)
      continue;
    m_orderOf[i] = static_cast<int64_t>(m_requests.size());
    WarpRequest &request = m_requests.emplace_back();
    request.index = static_cast<int64_t>(i);
    request.instruction = static_cast<int>(i) / m_detail.warps;
    request.warp = static_cast<int>(i) % m_detail.warps;
    request.on = m_on[i];
    request.bytesPerLane = m_detail.elementBytes * m_detail.vectorElements;
  }
  findElements();
  m_clock = RequestClock(static_cast<int64_t>(m_requests.size()));
  m_sums.resize(1);
  readPage(m_detail);
  m_detail.on = m_detail.addresses = m_detail.used = {};
}

void CoalescingScene::readPage(const protocol::AccessDetail &page) {
  const int32_t *used = page.used.values.data(), *end = used + page.used.values.size();
  auto count = static_cast<int64_t>(page.addresses.values.size() / (2 * WarpLanes));
  for (int64_t r = 0; r < count && page.first + r < allRequests(); ++r) {
    int64_t order = m_orderOf[static_cast<size_t>(page.first + r)];
    if (order < 0)
      continue;
    WarpRequest &request = m_requests[static_cast<size_t>(order)];
    for (size_t lane = 0; lane < WarpLanes; ++lane)
      request.positions[lane] =
          m_detail.baseOffset + offsetAt(page.addresses, static_cast<size_t>(r) * WarpLanes + lane);
    request.findSectors(used, end);
    used += std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(request.sectors.size()), end - used);
  }
  if (page.first <= m_firstUnknown)
    m_firstUnknown = std::max(m_firstUnknown, page.first + count);
  sumUp();
  m_revision = nextRevision();
}

void CoalescingScene::addPage(const protocol::AccessDetail &page) {
  readPage(page);
  m_detail.count = page.count;
}

void CoalescingScene::setCount(const protocol::AccessCount &count) {
  m_detail.count = count;
  m_revision = nextRevision();
}

/// Goes on from what was summed before, as far as requests are known.
void CoalescingScene::sumUp() {
  while (m_sums.size() <= m_requests.size() && m_requests[m_sums.size() - 1].known) {
    const WarpRequest &request = m_requests[m_sums.size() - 1];
    RequestSums next = m_sums.back();
    for (const RequestSector &sector : request.sectors)
      m_distinct.insert(sector.number);
    ++next.requests;
    next.sectors += static_cast<int64_t>(request.sectors.size());
    next.ideal += request.ideal();
    next.bytesUsed += request.bytesUsed;
    next.distinct = static_cast<int64_t>(m_distinct.size());
    m_sums.push_back(next);
  }
}

const RequestSums &CoalescingScene::sums(int64_t count) const {
  return m_sums[static_cast<size_t>(std::clamp<int64_t>(count, 0, static_cast<int64_t>(m_sums.size()) - 1))];
}

void CoalescingScene::findElements() {
  m_elements.resize(static_cast<size_t>(m_tile.elements()));
  for (int64_t element = 0; element < m_tile.elements(); ++element) {
    auto index = static_cast<size_t>(m_tile.request(element));
    if (index < m_on.size())
      m_elements[static_cast<size_t>(element)] = {static_cast<int32_t>(m_orderOf[index]),
                                                  (m_on[index] >> m_tile.place(element).lane & 1) != 0};
  }
}

int CoalescingScene::followed(int64_t order, int chosen) const {
  const WarpRequest &request = this->request(order);
  int first = chosen >= 0 ? chosen : 5; // not the first, whose bytes stand where the lane does
  for (int step = 0; step < WarpLanes; ++step)
    if (int lane = (first + step) % WarpLanes; request.isOn(lane))
      return lane;
  return 0;
}

const protocol::ArgumentSummary *CoalescingScene::argument() const {
  auto found = std::ranges::find(m_launch.arguments, count().totals.argument, &protocol::ArgumentSummary::name);
  return count().totals.argument.empty() || found == m_launch.arguments.end() ? nullptr : &*found;
}

int64_t CoalescingScene::tensorSectors() const {
  const protocol::ArgumentSummary *tensor = argument();
  if (!tensor || tensor->shape.empty())
    return 0;
  int64_t elements = 1, expected = 1;
  for (size_t d = tensor->shape.size(); d-- > 0; expected *= tensor->shape[d])
    if (tensor->shape[d] > 1 && (d >= tensor->strides.size() || tensor->strides[d] != expected))
      return 0; // a view with gaps or another order
  for (int64_t extent : tensor->shape)
    elements *= extent;
  int64_t inside = m_detail.baseOffset % SectorBytes;
  return (inside + elements * m_detail.elementBytes + SectorBytes - 1) / SectorBytes;
}

} // namespace tilescope::viz
