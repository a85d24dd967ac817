// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The global memory of the modelled GPU: where tensors live. Addresses are deterministic and placed as
// PyTorch's caching allocator places them (512-byte rounding, small and large segments, reuse of freed
// blocks), so that alignment and what lies next to a tensor are what they would be on a GPU. Bytes are kept
// in the host's memory and only pages that are touched cost anything.
//
// Contents have versions: each launch begins one, and the first write to a page in a version keeps the page
// as it was before (within a budget). So a program of an earlier launch can be run again on the memory that
// it saw then.
#pragma once

#include "compiler/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilescope {

/// A device address in bytes. 0 is never allocated.
using Address = uint64_t;

/// Numbers allocations in the order they were made, from 1; never reused. 0 means none.
using AllocationId = uint32_t;

struct Allocation {
  AllocationId id = 0;
  Address address = 0;
  uint64_t bytes = 0; ///< as asked for, before rounding
  std::string name;   ///< what the script calls it, where that is known: "x"
  bool live = true;

  Address end() const { return address + bytes; }
};

class AddressSpace {
public:
  /// At most `capacity` bytes can be allocated at a time.
  explicit AddressSpace(uint64_t capacity = DefaultCapacity, uint64_t snapshotBudget = DefaultSnapshotBudget);
  ~AddressSpace();
  AddressSpace(const AddressSpace &) = delete;
  AddressSpace &operator=(const AddressSpace &) = delete;

  static constexpr uint64_t DefaultCapacity = uint64_t(8) << 30;
  static constexpr uint64_t DefaultSnapshotBudget = uint64_t(1) << 30;
  static constexpr uint64_t PageBytes = 64 * 1024;

  /// Error "out-of-memory" (asked, in use, capacity; in bytes). Fresh memory reads as zeros.
  Result<AllocationId> allocate(uint64_t bytes, std::string name = {});
  void free(AllocationId id);
  void rename(AllocationId id, std::string name);
  const Allocation &allocation(AllocationId id) const;
  /// The live allocation that holds `address`, or null.
  const Allocation *find(Address address) const;
  /// The live allocations nearest below and above an address that lies in none; either may be null.
  std::pair<const Allocation *, const Allocation *> neighbours(Address address) const;
  uint64_t bytesInUse() const { return m_inUse; }

  /// The bytes at an address of a live allocation, for reading; valid up to that allocation's end. The caller has
  /// checked the bounds.
  const std::byte *read(Address address) const;
  /// The same for writing `bytes` bytes: keeps the touched pages' old contents first. Safe from several threads.
  std::byte *write(Address address, uint64_t bytes);

  /// Begins a new version and gives its number; writes from now on belong to it.
  uint32_t beginVersion();
  uint32_t version() const { return m_version; }
  /// Copies bytes as they were when `version` began. False if they have been evicted.
  bool readAt(uint32_t version, Address address, std::byte *to, uint64_t bytes) const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
  uint64_t m_inUse = 0;
  uint32_t m_version = 0;
};

} // namespace tilescope
