// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The global memory of the modelled GPU: where tensors live. Addresses are deterministic and placed as
// PyTorch's caching allocator places them (CachingAllocator.h), so that alignment and what lies next to a
// tensor are what they would be on a GPU. Bytes are kept in one reserved range of the host's memory, so that
// an address becomes a pointer by a subtraction; only pages that are touched cost anything.
//
// Contents have versions: each launch begins one, and the first write to a page in a version keeps the page
// as it was before, within a budget (PageHistory.h). So a program of an earlier launch can be run again on
// the memory that it saw then.
//
// Which bytes were written since they were allocated is known too: a page is defined, or not written at all,
// or has a bit a byte (UndefinedBytes.h).
//
// allocate, free, rename and beginVersion are for one thread at a time, while nobody writes; the rest may be
// called from many.
#pragma once

#include "compiler/Memory/UndefinedBytes.h"
#include "compiler/Support/Result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace tilescope {

/// A device address in bytes. 0 is never allocated.
using Address = uint64_t;

/// Numbers allocations in the order they were made, from 1; never reused. 0 means none.
using AllocationId = uint32_t;

struct Allocation {
  AllocationId id = 0;
  Address address = 0; ///< 0 if bytes is 0, as torch has it
  uint64_t bytes = 0;  ///< as asked for, before rounding
  std::string name;    ///< what the script calls it, where that is known: "x"
  bool live = true;

  Address end() const { return address + bytes; }
};

/// Host code read elements of a tensor that nobody had written.
struct UndefinedRead {
  AllocationId allocation = 0;
  uint64_t bytes = 0, undefined = 0; ///< of what was read
  Address first = 0;                 ///< that was never written
  uint32_t version = 0;              ///< of the address space at the time
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
  /// Where the first segment begins: far below the stack and the libraries of a process, where it has nothing, so that
  /// CUDA can give tensors the same addresses.
  static constexpr Address DeviceBase = 0x7000'0000'0000;

  /// Error "out-of-memory" (asked, in use, capacity; in bytes). Fresh memory reads as zeros, memory that was
  /// used before as what was left in it, as on a GPU.
  Result<AllocationId> allocate(uint64_t bytes, std::string name = {});
  void free(AllocationId id);
  void rename(AllocationId id, std::string name);
  /// Also of one that has been freed. The reference stays valid.
  const Allocation &allocation(AllocationId id) const;
  /// The live allocation that holds `address`, or null.
  const Allocation *find(Address address) const;
  /// The live allocations nearest below and above an address that lies in none; either may be null.
  std::pair<const Allocation *, const Allocation *> neighbours(Address address) const;
  /// Bytes of the blocks in use, rounding included: torch.cuda.memory_allocated().
  uint64_t bytesInUse() const { return m_inUse; }

  /// The bytes at an address of a live allocation, for reading; valid up to that allocation's end. The caller
  /// has checked the bounds.
  const std::byte *read(Address address) const { return m_host + (address - DeviceBase); }
  /// The same for writing `bytes` bytes: keeps the touched pages' old contents first. Safe from several
  /// threads.
  std::byte *write(Address address, uint64_t bytes) {
    m_undefined.define(address - DeviceBase, bytes);
    return change(address, bytes);
  }
  /// The same for who only changes what stands there: bytes that were never written stay so.
  std::byte *change(Address address, uint64_t bytes) {
    const uint64_t offset = address - DeviceBase;
    for (uint64_t page = offset / PageBytes; page * PageBytes < offset + bytes; ++page)
      if (m_stamps[page].load(std::memory_order_acquire) != m_version + 1)
        keep(page);
    return m_host + offset;
  }
  /// Has every byte of the range been written since it was allocated?
  bool isDefined(Address address, uint64_t bytes) const {
    return m_undefined.isDefined(address - DeviceBase, bytes);
  }
  /// Takes the range as written: for who leaves fresh memory as the zeros that it holds.
  void define(Address address, uint64_t bytes) { m_undefined.define(address - DeviceBase, bytes); }
  uint64_t countUndefined(Address address, uint64_t bytes) const {
    return m_undefined.count(address - DeviceBase, bytes);
  }
  /// Remembers the first read of an allocation.
  void note(const UndefinedRead &read) { m_undefinedReads.emplace(read.allocation, read); }
  const std::map<AllocationId, UndefinedRead> &undefinedReads() const { return m_undefinedReads; }
  /// The first byte of a range that was never written, or its end.
  Address firstUndefined(Address address, uint64_t bytes) const {
    return DeviceBase + m_undefined.first(address - DeviceBase, bytes);
  }
  /// Has a page of the range been written in this version?
  bool isWritten(Address address, uint64_t bytes) const {
    const uint64_t offset = address - DeviceBase;
    for (uint64_t page = offset / PageBytes; page * PageBytes < offset + bytes; ++page)
      if (m_stamps[page].load(std::memory_order_acquire) == m_version + 1)
        return true;
    return false;
  }
  /// Has no byte of the range's pages ever been written? Then it reads as zeros and costs no memory.
  bool isUntouched(Address address, uint64_t bytes) const;

  /// Begins a new version and gives its number; writes from now on belong to it. The first is 1.
  uint32_t beginVersion();
  uint32_t version() const { return m_version; }
  /// Copies bytes as they were when `version` began. False if they have been evicted, or `version` has not
  /// begun.
  bool readAt(uint32_t version, Address address, std::byte *to, uint64_t bytes) const;
  /// Are the bytes others than those that stood there when `version` began? Also if these have been evicted.
  bool differs(uint32_t version, Address address, const std::byte *bytes, uint64_t count) const;
  /// The oldest version whose memory is still kept whole.
  uint32_t oldestKeptVersion() const;

private:
  struct Impl;
  void keep(uint64_t page);

  std::unique_ptr<Impl> m_impl;
  std::byte *m_host = nullptr;               ///< where DeviceBase is kept
  std::atomic<uint32_t> *m_stamps = nullptr; ///< of each page: 0 if never written, else last version + 1
  uint64_t m_inUse = 0;
  uint32_t m_version = 0;
  UndefinedBytes m_undefined; ///< bytes never written
  std::map<AllocationId, UndefinedRead> m_undefinedReads;
};

} // namespace tilescope
