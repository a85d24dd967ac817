// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Model/UsedBytes.h"

#include <algorithm>

namespace tilescope::model {

void UsedBytes::addRun(uint64_t begin, uint64_t end) {
  while (begin < end) {
    Page &page = m_pages[begin / PageBytes];
    const uint64_t stop = std::min(end, (begin / PageBytes + 1) * PageBytes);
    while (begin < stop) {
      const uint64_t from = begin % 32, count = std::min(32 - from, stop - begin);
      page[begin % PageBytes / 32] |= uint32_t(~uint64_t(0) >> (64 - count)) << from;
      begin += count;
    }
  }
}

void UsedBytes::add(std::span<const uint64_t> addresses, std::span<const uint8_t> mask, unsigned bytes) {
  uint64_t begin = 0, end = 0; // neighbours that follow one another are one run
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (!mask.empty() && mask[i] == 0)
      continue;
    if (addresses[i] != end) {
      addRun(begin, end);
      begin = addresses[i];
    }
    end = addresses[i] + bytes;
  }
  addRun(begin, end);
}

uint32_t UsedBytes::ofSector(uint64_t address) const {
  const auto page = m_pages.find(address / PageBytes);
  return page == m_pages.end() ? 0 : page->second[address % PageBytes / 32];
}

} // namespace tilescope::model
