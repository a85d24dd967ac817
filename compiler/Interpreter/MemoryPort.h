// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that a worker's programs see: the address space itself, or, when a program is run again, a
// private copy of the pages as they were, which keeps its stores to itself.
#pragma once

#include "compiler/Memory/AddressSpace.h"

#include <algorithm>
#include <map>
#include <vector>

namespace tilescope::interp {

/// The bytes of one tensor.
struct Extent {
  AllocationId id = 0;
  Address address = 0;
  uint64_t bytes = 0;

  /// Do `size` bytes at `at` lie inside?
  bool holds(Address at, uint64_t size) const {
    return at - address < bytes && bytes - (at - address) >= size;
  }
};

/// The tensors that a launch may write.
struct WrittenTensors {
  bool all = false; ///< a store's tensor is not known beforehand
  std::vector<AllocationId> ids;

  bool holds(AllocationId id) const { return all || std::find(ids.begin(), ids.end(), id) != ids.end(); }
};

/// Pages as they were when a version began, fetched when they are first touched, changed by stores.
class Overlay {
public:
  Overlay(AddressSpace &space, uint32_t version) : m_space(space), m_version(version) {}

  /// Bytes inside a tensor, to be read. Where they have been evicted, zeros, and complete() is false.
  std::byte *at(const Extent &extent, Address address, uint64_t bytes);
  /// The same to be written.
  std::byte *change(const Extent &extent, Address address, uint64_t bytes);
  bool complete() const { return m_complete; }

  /// The pages that were written, as they are now; goTo() makes the overlay what it was then.
  struct Pages {
    std::map<std::pair<AllocationId, uint64_t>, std::vector<std::byte>> written; ///< by tensor and page
  };
  Pages pages() const;
  void goTo(const Pages &pages);

private:
  struct Copy {
    std::unique_ptr<std::byte[]> bytes; ///< not initialised, so that only touched pages cost memory
    uint64_t size = 0;
    std::vector<bool> fetched, written; ///< by PageBytes of the tensor
  };
  Copy &copyOf(const Extent &extent);
  void fetch(Copy &copy, const Extent &extent, uint64_t page);

  AddressSpace &m_space;
  uint32_t m_version;
  std::map<AllocationId, Copy> m_copies;
  bool m_complete = true;
};

class MemoryPort {
public:
  explicit MemoryPort(AddressSpace &space, Overlay *overlay = nullptr)
      : m_space(&space), m_overlay(overlay) {}

  /// Bytes inside a tensor.
  const std::byte *read(const Extent &extent, Address address, uint64_t bytes) {
    return m_overlay ? m_overlay->at(extent, address, bytes) : m_space->read(address);
  }
  std::byte *write(const Extent &extent, Address address, uint64_t bytes) {
    return m_overlay ? m_overlay->change(extent, address, bytes) : m_space->write(address, bytes);
  }
  /// For who only changes what stands there.
  std::byte *change(const Extent &extent, Address address, uint64_t bytes) {
    return m_overlay ? m_overlay->change(extent, address, bytes) : m_space->change(address, bytes);
  }
  /// Has every byte been written? When a program is run again, nobody asks.
  bool isDefined(Address address, uint64_t bytes) const {
    return m_overlay || m_space->isDefined(address, bytes);
  }
  /// Do the bytes differ from what stood there when the launch began?
  bool hasChanged(Address address, const std::byte *bytes, uint64_t count) const {
    return !m_overlay && m_space->isWritten(address, count) &&
           m_space->differs(m_space->version(), address, bytes, count);
  }
  /// The live tensor at an address; empty if there is none. Remembers the last one.
  Extent find(Address address);
  /// The tensor of an allocation; empty for 0.
  Extent extent(AllocationId id);
  const AddressSpace &space() const { return *m_space; }

private:
  AddressSpace *m_space;
  Overlay *m_overlay;
  Extent m_last;
};

} // namespace tilescope::interp
