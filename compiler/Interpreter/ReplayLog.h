// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one program of a launch got that cannot be worked out again from the memory at its beginning: results
// of atomics, and loads of what other programs had written. With it a program that is run again equals its
// first run bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tilescope::interp {

/// Of one program: entries of an access's number in the order of execution, a size, and the elements as they
/// stood in the slot.
class ProgramLog {
public:
  void clear() {
    m_bytes.clear();
    m_next = 0;
    m_access = 0;
  }
  void replay(const ProgramLog &log) {
    m_bytes = log.m_bytes;
    m_next = 0;
    m_access = 0;
  }
  /// Each load and each atomic whose result is used begins with this.
  void begin() { ++m_access; }
  void record(const std::byte *elements, uint64_t size);
  /// Puts the elements of the present access into the slot, if they are logged.
  void restore(std::byte *elements, uint64_t size);
  /// How far it has been replayed: to go on from there again.
  struct Position {
    size_t next = 0;
    uint64_t access = 0;
  };
  Position position() const { return {m_next, m_access}; }
  void goTo(Position position) {
    m_next = position.next;
    m_access = position.access;
  }
  bool empty() const { return m_bytes.empty(); }
  uint64_t bytes() const { return m_bytes.size(); }

private:
  std::vector<std::byte> m_bytes;
  size_t m_next = 0;
  uint64_t m_access = 0;
};

/// Of a launch. Past the budget nothing is kept.
class ReplayLog {
public:
  explicit ReplayLog(uint64_t budget) : m_budget(budget) {}

  /// From any thread.
  void add(uint64_t program, ProgramLog log);
  /// Null for a program that needs none.
  const ProgramLog *find(uint64_t program) const;
  bool complete() const { return m_complete; }
  uint64_t bytes() const { return m_bytes; }
  uint64_t budget() const { return m_budget; }

private:
  const uint64_t m_budget;
  std::mutex m_mutex;
  std::unordered_map<uint64_t, ProgramLog> m_programs;
  uint64_t m_bytes = 0;
  bool m_complete = true;
};

} // namespace tilescope::interp
