// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Memory/AddressSpace.h"

#include "compiler/Memory/CachingAllocator.h"
#include "compiler/Memory/PageHistory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <sys/mman.h>

namespace tilescope {

namespace {

/// Address space without memory behind it, until it is touched.
class Reservation {
public:
  /// Takes less, by halves, where the system does not give `bytes`.
  explicit Reservation(uint64_t bytes) {
    for (m_bytes = bytes; m_bytes >= AddressSpace::PageBytes; m_bytes /= 2) {
      void *memory =
          mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory != MAP_FAILED) {
        m_data = static_cast<std::byte *>(memory);
        return;
      }
    }
    m_bytes = 0;
  }
  ~Reservation() {
    if (m_data)
      munmap(m_data, m_bytes);
  }
  Reservation(const Reservation &) = delete;
  Reservation &operator=(const Reservation &) = delete;

  std::byte *data() const { return m_data; }
  uint64_t bytes() const { return m_bytes; }

private:
  std::byte *m_data = nullptr;
  uint64_t m_bytes = 0;
};

/// Segments do not move, so gaps between them are useless at times; twice the capacity leaves room for that.
uint64_t reservedFor(uint64_t capacity) {
  constexpr uint64_t Granule = uint64_t(2) << 20;
  return (capacity / Granule + 1) * Granule * 2;
}

} // namespace

struct AddressSpace::Impl {
  Impl(uint64_t capacity, uint64_t budget)
      : memory(reservedFor(capacity)), capacity(std::min(capacity, memory.bytes())),
        allocator(DeviceBase, memory.bytes(), this->capacity), history(PageBytes, budget),
        stamps(new std::atomic<uint32_t>[memory.bytes() / PageBytes + 1]()) {}

  std::mutex &lockOf(uint64_t page) const { return locks[page % locks.size()]; }

  Reservation memory;
  const uint64_t capacity;
  CachingAllocator allocator;
  PageHistory history;
  std::unique_ptr<std::atomic<uint32_t>[]> stamps;
  mutable std::array<std::mutex, 64> locks; ///< held while a page is copied
  std::deque<Allocation> allocations;       ///< by id - 1
  std::map<Address, AllocationId> live;     ///< those of at least one byte
};

AddressSpace::AddressSpace(uint64_t capacity, uint64_t snapshotBudget)
    : m_impl(std::make_unique<Impl>(capacity, snapshotBudget)), m_host(m_impl->memory.data()),
      m_stamps(m_impl->stamps.get()), m_undefined(m_impl->memory.bytes(), PageBytes) {}

AddressSpace::~AddressSpace() = default;

Result<AllocationId> AddressSpace::allocate(uint64_t bytes, std::string name) {
  Address address = 0;
  if (bytes > 0) {
    auto placed = m_impl->allocator.allocate(bytes);
    if (!placed)
      return Error{"out-of-memory",
                   {std::to_string(bytes), std::to_string(m_inUse), std::to_string(m_impl->capacity)}};
    address = *placed;
  }
  const auto id = static_cast<AllocationId>(m_impl->allocations.size() + 1);
  m_impl->allocations.push_back({id, address, bytes, std::move(name), true});
  if (bytes > 0)
    m_impl->live.emplace(address, id);
  if (bytes > 0)
    m_undefined.forget(address - DeviceBase, bytes);
  m_inUse = m_impl->allocator.bytesInUse();
  return id;
}

void AddressSpace::free(AllocationId id) {
  Allocation &allocation = m_impl->allocations[id - 1];
  if (!std::exchange(allocation.live, false) || allocation.bytes == 0)
    return;
  m_impl->live.erase(allocation.address);
  m_impl->allocator.free(allocation.address);
  m_inUse = m_impl->allocator.bytesInUse();
}

void AddressSpace::rename(AllocationId id, std::string name) {
  m_impl->allocations[id - 1].name = std::move(name);
}

const Allocation &AddressSpace::allocation(AllocationId id) const { return m_impl->allocations[id - 1]; }

const Allocation *AddressSpace::find(Address address) const {
  auto above = m_impl->live.upper_bound(address);
  if (above == m_impl->live.begin())
    return nullptr;
  const Allocation &candidate = allocation(std::prev(above)->second);
  return address < candidate.end() ? &candidate : nullptr;
}

std::pair<const Allocation *, const Allocation *> AddressSpace::neighbours(Address address) const {
  auto above = m_impl->live.upper_bound(address);
  return {above == m_impl->live.begin() ? nullptr : &allocation(std::prev(above)->second),
          above == m_impl->live.end() ? nullptr : &allocation(above->second)};
}

bool AddressSpace::isUntouched(Address address, uint64_t bytes) const {
  const uint64_t offset = address - DeviceBase;
  for (uint64_t page = offset / PageBytes; page * PageBytes < offset + bytes; ++page)
    if (m_stamps[page].load(std::memory_order_acquire) != 0)
      return false;
  return true;
}

uint32_t AddressSpace::beginVersion() {
  m_undefined.settle();
  return ++m_version;
}

uint32_t AddressSpace::oldestKeptVersion() const { return m_impl->history.oldest(); }

/// Before the first version nothing needs to be kept: there is no state that could be asked for.
void AddressSpace::keep(uint64_t page) {
  std::lock_guard lock(m_impl->lockOf(page));
  const uint32_t stamp = m_stamps[page].load(std::memory_order_relaxed);
  if (stamp == m_version + 1)
    return;
  if (m_version > 0)
    m_impl->history.keep(m_version, page, stamp == 0 ? nullptr : m_host + page * PageBytes);
  m_stamps[page].store(m_version + 1, std::memory_order_release);
}

bool AddressSpace::differs(uint32_t version, Address address, const std::byte *bytes, uint64_t count) const {
  std::array<std::byte, 4096> before;
  for (uint64_t done = 0; done < count; done += before.size()) {
    const uint64_t part = std::min<uint64_t>(before.size(), count - done);
    if (!readAt(version, address + done, before.data(), part) ||
        std::memcmp(before.data(), bytes + done, part) != 0)
      return true;
  }
  return false;
}

bool AddressSpace::readAt(uint32_t version, Address address, std::byte *to, uint64_t bytes) const {
  if (version > m_version)
    return false;
  const uint64_t end = address - DeviceBase + bytes;
  for (uint64_t offset = address - DeviceBase; offset < end;) {
    const uint64_t page = offset / PageBytes, within = offset % PageBytes;
    const uint64_t count = std::min(PageBytes - within, end - offset);
    std::shared_ptr<const std::byte[]> kept;
    std::lock_guard lock(m_impl->lockOf(page));
    switch (m_impl->history.find(version, page, kept)) {
    case PageHistory::Found::Evicted:
      return false;
    case PageHistory::Found::Zeros:
      std::memset(to, 0, count);
      break;
    case PageHistory::Found::Kept:
      std::memcpy(to, kept.get() + within, count);
      break;
    case PageHistory::Found::Current:
      std::memcpy(to, m_host + offset, count);
      break;
    }
    to += count;
    offset += count;
  }
  return true;
}

} // namespace tilescope
