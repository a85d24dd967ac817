// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The script's tensors on the GPU, at the addresses that they have in the AddressSpace: so pointers, views and tables of
// pointers mean the same on both sides, and neighbours are neighbours.
//
// The range of addresses is reserved; memory is put behind the pieces of 2 MiB that hold tensors. What the host wrote
// since the last launch goes to the GPU before a launch, what a launch may have written comes back after it.
#pragma once

#include "compiler/Memory/AddressSpace.h"
#include "compiler/Runtime/Cuda/Device.h"

#include <map>
#include <set>
#include <span>

namespace tilescope::cuda {

class DeviceMemory {
public:
  /// Errors "gpu-address-taken" (the address wanted, the one given), "cuda-failed" and the like.
  static Result<std::unique_ptr<DeviceMemory>> reserve(const Device &device);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// Makes the GPU's memory equal to `memory` in all live allocations. Bytes that nobody has written yet become 0xFF on
  /// both sides if `poison`. Error "gpu-out-of-memory" and the like.
  std::optional<Error> upload(AddressSpace &memory, bool poison);
  /// What stands there on the GPU.
  std::optional<Error> read(Address from, std::span<std::byte> to) const;
  /// Brings back the allocations that the launch may have written, and counts them as written.
  std::optional<Error> download(AddressSpace &memory, std::span<const AllocationId> written);
  /// Sends these allocations again as the host has them, after a launch whose results are not wanted.
  std::optional<Error> restore(const AddressSpace &memory, std::span<const AllocationId> written);

private:
  static constexpr uint64_t GranuleBytes = uint64_t(2) << 20;

  explicit DeviceMemory(const Device &device) : m_device(device) {}
  std::optional<Error> map(uint64_t granule);
  std::optional<Error> uploadAllocation(const AddressSpace &memory, const Allocation &allocation);
  std::optional<Error> copyToDevice(const AddressSpace &memory, Address begin, Address end);

  const Device &m_device;
  std::map<uint64_t, Physical> m_mapped; ///< by granule, counted from DeviceBase
  std::set<uint64_t> m_fresh;            ///< granules mapped in this upload
  bool m_isReserved = false;
};

} // namespace tilescope::cuda
