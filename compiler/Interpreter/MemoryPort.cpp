// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/MemoryPort.h"

#include <algorithm>
#include <cstring>

namespace tilescope::interp {

namespace {

/// Small: one program touches little of a tensor, and each page that is copied for it is a page to fault in.
constexpr uint64_t PageBytes = 4096;

Extent extentOf(const Allocation *allocation) {
  return allocation ? Extent{allocation->id, allocation->address, allocation->bytes} : Extent{};
}

} // namespace

Overlay::Copy &Overlay::copyOf(const Extent &extent) {
  Copy &copy = m_copies[extent.id];
  if (!copy.bytes) {
    copy.bytes.reset(new std::byte[extent.bytes]);
    copy.size = extent.bytes;
    copy.fetched.resize((extent.bytes + PageBytes - 1) / PageBytes);
    copy.written.resize(copy.fetched.size());
  }
  return copy;
}

void Overlay::fetch(Copy &copy, const Extent &extent, uint64_t page) {
  copy.fetched[page] = true;
  const uint64_t offset = page * PageBytes, count = std::min(PageBytes, extent.bytes - offset);
  std::byte *to = copy.bytes.get() + offset;
  if (m_space.readAt(m_version, extent.address + offset, to, count))
    return;
  std::memset(to, 0, count);
  m_complete = false;
}

std::byte *Overlay::at(const Extent &extent, Address address, uint64_t bytes) {
  Copy &copy = copyOf(extent);
  const uint64_t offset = address - extent.address;
  for (uint64_t page = offset / PageBytes; page * PageBytes < offset + bytes; ++page)
    if (!copy.fetched[page])
      fetch(copy, extent, page);
  return copy.bytes.get() + offset;
}

std::byte *Overlay::change(const Extent &extent, Address address, uint64_t bytes) {
  std::byte *place = at(extent, address, bytes);
  Copy &copy = m_copies[extent.id];
  const uint64_t offset = address - extent.address;
  for (uint64_t page = offset / PageBytes; page * PageBytes < offset + bytes; ++page)
    copy.written[page] = true;
  return place;
}

Overlay::Pages Overlay::pages() const {
  Pages result;
  for (const auto &[id, copy] : m_copies)
    for (uint64_t page = 0; page < copy.written.size(); ++page) {
      if (!copy.written[page])
        continue;
      const std::byte *begin = copy.bytes.get() + page * PageBytes;
      result.written.try_emplace({id, page}, begin,
                                 begin + std::min(PageBytes, copy.size - page * PageBytes));
    }
  return result;
}

void Overlay::goTo(const Pages &pages) {
  for (auto &[id, copy] : m_copies)
    for (uint64_t page = 0; page < copy.written.size(); ++page)
      if (copy.written[page])
        copy.written[page] = copy.fetched[page] = false;
  for (const auto &[key, bytes] : pages.written) {
    Copy &copy = m_copies[key.first];
    std::copy(bytes.begin(), bytes.end(), copy.bytes.get() + key.second * PageBytes);
    copy.written[key.second] = copy.fetched[key.second] = true;
  }
}

Extent MemoryPort::find(Address address) {
  if (!m_last.holds(address, 1))
    m_last = extentOf(m_space->find(address));
  return m_last;
}

Extent MemoryPort::extent(AllocationId id) {
  if (m_last.id != id)
    m_last = extentOf(id == 0 ? nullptr : &m_space->allocation(id));
  return m_last;
}

} // namespace tilescope::interp
