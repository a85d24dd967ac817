// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/DeviceMemory.h"

#include "compiler/Runtime/Cuda/HeldAddresses.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tilescope::cuda {
namespace {

constexpr Address Base = AddressSpace::DeviceBase;

std::string hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// Calls `action` for each live allocation, in the order of addresses, until it gives an error.
template <typename Action> std::optional<Error> forEachLive(const AddressSpace &memory, Action action) {
  for (const Allocation *at = memory.neighbours(Base - 1).second; at; at = memory.neighbours(at->address).second)
    if (std::optional<Error> error = action(*at))
      return error;
  return std::nullopt;
}

/// Sets the bytes of an allocation that were never written, which stay so.
void poisonUndefined(AddressSpace &memory, const Allocation &allocation) {
  if (memory.countUndefined(allocation.address, allocation.bytes) == allocation.bytes) {
    std::memset(memory.change(allocation.address, allocation.bytes), 0xFF, allocation.bytes);
    return;
  }
  for (Address at = memory.firstUndefined(allocation.address, allocation.bytes); at < allocation.end();
       at = memory.firstUndefined(at + 1, allocation.end() - at - 1))
    *memory.change(at, 1) = std::byte(0xFF);
}

} // namespace

Result<std::unique_ptr<DeviceMemory>> DeviceMemory::reserve(const Device &device) {
  std::unique_ptr<DeviceMemory> memory(new DeviceMemory(device));
  const Driver &driver = device.driver();
  releaseTensorAddresses();
  DevicePtr given = 0;
  if (auto error = driver.check(driver.cuMemAddressReserve(&given, TensorRangeBytes, GranuleBytes, Base, 0),
                                "cuMemAddressReserve"))
    return *error;
  if (given != Base) {
    driver.cuMemAddressFree(given, TensorRangeBytes);
    return Error{"gpu-address-taken", {hex(Base), hex(given)}};
  }
  memory->m_isReserved = true;
  return memory;
}

DeviceMemory::~DeviceMemory() {
  const Driver &driver = m_device.driver();
  for (const auto &[granule, physical] : m_mapped) {
    driver.cuMemUnmap(Base + granule * GranuleBytes, GranuleBytes);
    driver.cuMemRelease(physical);
  }
  if (m_isReserved)
    driver.cuMemAddressFree(Base, TensorRangeBytes);
}

std::optional<Error> DeviceMemory::map(uint64_t granule) {
  const Driver &driver = m_device.driver();
  const DevicePtr address = Base + granule * GranuleBytes;
  MemoryProperties properties;
  properties.location.device = m_device.info().ordinal;
  const MemoryAccess access{properties.location};
  Physical physical = 0;
  if (auto error = driver.check(driver.cuMemCreate(&physical, GranuleBytes, &properties, 0), "cuMemCreate"))
    return error;
  if (auto error = driver.check(driver.cuMemMap(address, GranuleBytes, 0, physical, 0), "cuMemMap")) {
    driver.cuMemRelease(physical);
    return error;
  }
  m_mapped.emplace(granule, physical);
  if (auto error = driver.check(driver.cuMemSetAccess(address, GranuleBytes, &access, 1), "cuMemSetAccess"))
    return error;
  // What was never written reads as zeros, as on the host.
  return driver.check(driver.cuMemsetD8Async(address, 0, GranuleBytes, nullptr), "cuMemsetD8Async");
}

std::optional<Error> DeviceMemory::upload(AddressSpace &memory, bool poison) {
  m_fresh.clear();
  return forEachLive(memory, [&](const Allocation &allocation) -> std::optional<Error> {
    const uint64_t last = (allocation.end() - 1 - Base) / GranuleBytes;
    for (uint64_t granule = (allocation.address - Base) / GranuleBytes; granule <= last; ++granule)
      if (!m_mapped.count(granule)) {
        if (auto error = map(granule))
          return error;
        m_fresh.insert(granule);
      }
    if (poison)
      poisonUndefined(memory, allocation);
    return uploadAllocation(memory, allocation);
  });
}

/// Whole pages, runs of neighbours at once.
std::optional<Error> DeviceMemory::uploadAllocation(const AddressSpace &memory, const Allocation &allocation) {
  constexpr uint64_t PageBytes = AddressSpace::PageBytes;
  auto isNew = [&](Address page) {
    return m_fresh.count((page - Base) / GranuleBytes) ? !memory.isUntouched(page, PageBytes)
                                                       : memory.isWritten(page, PageBytes);
  };
  Address page = Base + (allocation.address - Base) / PageBytes * PageBytes;
  while (page < allocation.end()) {
    if (!isNew(page)) {
      page += PageBytes;
      continue;
    }
    Address end = page + PageBytes;
    while (end < allocation.end() && isNew(end))
      end += PageBytes;
    if (auto error = copyToDevice(memory, std::max(page, allocation.address), std::min(end, allocation.end())))
      return error;
    page = end;
  }
  return std::nullopt;
}

std::optional<Error> DeviceMemory::copyToDevice(const AddressSpace &memory, Address begin, Address end) {
  const Driver &driver = m_device.driver();
  return driver.check(driver.cuMemcpyHtoD(begin, memory.read(begin), end - begin), "cuMemcpyHtoD");
}

std::optional<Error> DeviceMemory::read(Address from, std::span<std::byte> to) const {
  const Driver &driver = m_device.driver();
  return driver.check(driver.cuMemcpyDtoH(to.data(), from, to.size()), "cuMemcpyDtoH");
}

std::optional<Error> DeviceMemory::download(AddressSpace &memory, std::span<const AllocationId> written) {
  for (AllocationId id : written) {
    const Allocation &allocation = memory.allocation(id);
    if (!allocation.live || allocation.bytes == 0)
      continue;
    std::byte *to = memory.write(allocation.address, allocation.bytes);
    if (auto error = read(allocation.address, {to, allocation.bytes}))
      return error;
  }
  return std::nullopt;
}

std::optional<Error> DeviceMemory::restore(const AddressSpace &memory, std::span<const AllocationId> written) {
  for (AllocationId id : written) {
    const Allocation &allocation = memory.allocation(id);
    if (allocation.live && allocation.bytes > 0)
      if (auto error = copyToDevice(memory, allocation.address, allocation.end()))
        return error;
  }
  return std::nullopt;
}

} // namespace tilescope::cuda
