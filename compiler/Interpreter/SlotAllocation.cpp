// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/SlotAllocation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace tilescope::interp {

namespace {

/// Free gaps by offset; neighbours are joined.
class Gaps {
public:
  explicit Gaps(uint64_t begin) : m_end(begin) {}

  uint64_t take(uint64_t bytes) {
    auto best = m_gaps.end();
    for (auto gap = m_gaps.begin(); gap != m_gaps.end(); ++gap)
      if (gap->second >= bytes && (best == m_gaps.end() || gap->second < best->second))
        best = gap;
    if (best == m_gaps.end())
      return grow(bytes);
    const auto [offset, size] = *best;
    m_gaps.erase(best);
    if (size > bytes)
      m_gaps.emplace(offset + bytes, size - bytes);
    return offset;
  }

  void give(uint64_t offset, uint64_t bytes) {
    auto next = m_gaps.lower_bound(offset);
    if (next != m_gaps.end() && offset + bytes == next->first) {
      bytes += next->second;
      next = m_gaps.erase(next);
    }
    if (next != m_gaps.begin() && std::prev(next)->first + std::prev(next)->second == offset)
      std::prev(next)->second += bytes;
    else
      m_gaps.emplace(offset, bytes);
  }

  uint64_t end() const { return m_end; }

private:
  /// At the end, where a last gap may already be.
  uint64_t grow(uint64_t bytes) {
    uint64_t offset = m_end;
    if (!m_gaps.empty() && m_gaps.rbegin()->first + m_gaps.rbegin()->second == m_end) {
      offset = m_gaps.rbegin()->first;
      m_gaps.erase(std::prev(m_gaps.end()));
    }
    m_end = offset + bytes;
    return offset;
  }

  std::map<uint64_t, uint64_t> m_gaps;
  uint64_t m_end;
};

} // namespace

SlotPlan assignSlots(const std::vector<Life> &lives, uint64_t begin, uint64_t alignment) {
  const auto rounded = [&](uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  std::vector<size_t> order(lives.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lives[a].first < lives[b].first; });

  SlotPlan plan;
  plan.offsets.resize(lives.size());
  Gaps gaps(rounded(begin));
  using Ending = std::pair<uint32_t, size_t>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> alive;
  for (size_t life : order) {
    for (; !alive.empty() && alive.top().first < lives[life].first; alive.pop())
      gaps.give(plan.offsets[alive.top().second], rounded(lives[alive.top().second].bytes));
    plan.offsets[life] = gaps.take(rounded(lives[life].bytes));
    alive.push({lives[life].last, life});
  }
  plan.end = gaps.end();
  return plan;
}

} // namespace tilescope::interp
