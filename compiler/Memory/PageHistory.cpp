// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Memory/PageHistory.h"

#include <algorithm>
#include <cstring>

namespace tilescope {

void PageHistory::keep(uint32_t version, uint64_t page, const std::byte *contents) {
  if (version < oldest())
    return;
  if (contents && m_pageBytes > m_budget)
    return forgetUntil(version);
  std::shared_ptr<std::byte[]> copy;
  if (contents) {
    copy = std::make_shared_for_overwrite<std::byte[]>(m_pageBytes);
    std::memcpy(copy.get(), contents, m_pageBytes);
  }
  std::lock_guard lock(m_mutex);
  if (version < m_oldest)
    return;
  m_bytes += contents ? m_pageBytes : 0;
  m_versions[version].emplace(page, std::move(copy));
  evict();
}

PageHistory::Found PageHistory::find(uint32_t version, uint64_t page,
                                     std::shared_ptr<const std::byte[]> &contents) const {
  std::lock_guard lock(m_mutex);
  if (version < m_oldest)
    return Found::Evicted;
  for (auto kept = m_versions.lower_bound(version); kept != m_versions.end(); ++kept)
    if (auto found = kept->second.find(page); found != kept->second.end()) {
      contents = found->second;
      return contents ? Found::Kept : Found::Zeros;
    }
  return Found::Current;
}

/// Where the budget is too small for any page, none is copied.
void PageHistory::forgetUntil(uint32_t version) {
  std::lock_guard lock(m_mutex);
  m_versions.erase(m_versions.begin(), m_versions.upper_bound(version));
  m_oldest = std::max(m_oldest, version + 1);
}

uint32_t PageHistory::oldest() const {
  std::lock_guard lock(m_mutex);
  return m_oldest;
}

void PageHistory::evict() {
  while (m_bytes > m_budget) {
    auto oldest = m_versions.begin();
    for (const auto &[page, contents] : oldest->second)
      m_bytes -= contents ? m_pageBytes : 0;
    m_oldest = oldest->first + 1;
    m_versions.erase(oldest);
  }
}

} // namespace tilescope
