// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two programs of one launch that touch the same element, at least one of them writing and not both by
// atomics, and nothing orders the two: a race. Programs are ordered by atomics whose results are used (a
// lock, a counter, or a tile of them) and by volatile loads: what acquires an element sees all that was done
// before the releases that made its value (vector clocks, as in FastTrack: Flanagan and Freund, PLDI 2009).
//
// A checked launch runs on one thread, so that what is found does not depend on how threads meet.
#pragma once

#include "compiler/Interpreter/Findings.h"
#include "compiler/Interpreter/MemoryPort.h"
#include "compiler/Interpreter/Owners.h"

#include <span>
#include <unordered_map>
#include <unordered_set>

namespace tilescope::interp {

struct Frame;

/// Program -> epoch: all that the program did in its epochs below comes before.
using Known = std::map<uint64_t, uint32_t>;

/// What a program knows of others.
struct Clock {
  Known known;
  uint32_t epoch = 0;                ///< the program's own: its releases so far
  std::unordered_set<uint64_t> seen; ///< the releases that it has acquired
};

class RaceCheck {
public:
  RaceCheck(const Kernel &kernel, const WrittenTensors &written);

  void read(Frame &frame, const AccessDetail &detail, const Extent &extent, Address address, uint64_t bytes);
  /// Before it writes. A race is reported by wrote(), which knows whether the value changed.
  bool write(Frame &frame, const AccessDetail &detail, const Extent &extent, Address address, uint64_t bytes);
  void wrote(Frame &frame, bool sameValue);
  /// An atomic on one element, about to be carried out.
  void acquire(Frame &frame, const AccessDetail &detail, Address address);
  /// Atomics of one instruction, done: elements that they changed.
  void release(Frame &frame, const AccessDetail &detail, std::span<const Address> addresses);

  /// Did the memory that it may use not suffice?
  bool incomplete() const { return m_incomplete || m_gaveUp; }

  static constexpr uint64_t Budget = uint64_t(1) << 30;    ///< bytes
  static constexpr uint64_t MostKnown = uint64_t(1) << 24; ///< entries of clocks

private:
  struct Tensor {
    explicit Tensor(uint64_t units) : writers(units) {}
    Owners writers;
    std::vector<Owners> readers; ///< the first and another one, from the first read on
  };
  /// Elements that are released together share one.
  struct Release {
    uint64_t number = 0;
    Known known;
  };
  using ReleasePtr = std::shared_ptr<const Release>;
  /// One access of one program.
  struct Access {
    uint64_t program;
    uint32_t epoch, site;
  };

  static uint64_t pack(const Access &access);
  static Access unpack(uint64_t owner);
  Tensor *tensorOf(const Extent &extent);
  Tensor *findTensor(const Extent &extent);
  void noteSite(const AccessDetail &detail, uint32_t instruction);
  void learn(Known &into, const Known &from);
  ReleasePtr nextRelease(Frame &frame, const ReleasePtr &before);
  bool isOrdered(const Frame &frame, const Access &before) const;
  bool isAtomic(uint32_t site) const { return m_isAtomic[site]; }
  void report(Frame &frame, FindingKind kind, uint32_t site, const Extent &extent, Address address,
              const Access &other);

  const Kernel &m_kernel;
  const WrittenTensors &m_written;
  unsigned m_unit = 8;                  ///< bytes of the smallest element that the kernel touches
  bool m_synchronises = false;          ///< programs can wait for each other
  std::vector<uint32_t> m_instructions; ///< of each site
  std::vector<bool> m_isAtomic;         ///< each site; volatile loads and strong stores count as such
  std::unordered_map<AllocationId, Tensor> m_tensors;
  std::unordered_map<Address, ReleasePtr> m_releases; ///< the last one of each element
  uint64_t m_bytes = 0, m_known = 0, m_lastNumber = 0;
  bool m_incomplete = false;
  bool m_gaveUp = false; ///< on the order of programs: nothing more is reported
  AllocationId m_lastId = 0;
  Tensor *m_last = nullptr;
  Finding m_pending;
  uint32_t m_pendingSite = 0;
};

} // namespace tilescope::interp
