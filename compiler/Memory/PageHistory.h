// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages as they were before a version overwrote them. A page as it was when version V began is the one kept
// by the first version >= V that wrote to it, or else the page as it is now. When the kept pages exceed the
// budget, whole versions are forgotten, the oldest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace tilescope {

class PageHistory {
public:
  PageHistory(uint64_t pageBytes, uint64_t budget) : m_pageBytes(pageBytes), m_budget(budget) {}

  /// Keeps what `page` holds before its first write in `version`; null for a page of zeros, which costs
  /// nothing. Safe from several threads for different pages.
  void keep(uint32_t version, uint64_t page, const std::byte *contents);

  enum class Found : uint8_t { Kept, Zeros, Current, Evicted };
  /// Where `page` as it was when `version` began is to be found; `Kept` sets `contents`, which holds it.
  Found find(uint32_t version, uint64_t page, std::shared_ptr<const std::byte[]> &contents) const;

  /// Versions below this one have been forgotten.
  uint32_t oldest() const;

private:
  using Pages = std::unordered_map<uint64_t, std::shared_ptr<const std::byte[]>>;
  void evict();
  void forgetUntil(uint32_t version);

  const uint64_t m_pageBytes, m_budget;
  mutable std::mutex m_mutex;
  std::map<uint32_t, Pages> m_versions;
  uint64_t m_bytes = 0;
  uint32_t m_oldest = 1;
};

} // namespace tilescope
