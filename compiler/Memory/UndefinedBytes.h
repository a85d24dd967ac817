// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of a range of memory were never written. A page is written as a whole, not written at all, or
// mixed; a mixed one has a bit a byte, in a reserved range of which only touched pages cost anything.
//
// forget and settle are for one thread at a time while nobody writes; the rest may be called from many.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tilescope {

/// Offsets and sizes are in bytes from the start of the range.
class UndefinedBytes {
public:
  UndefinedBytes(uint64_t bytes, uint64_t pageBytes);
  ~UndefinedBytes();
  UndefinedBytes(const UndefinedBytes &) = delete;
  UndefinedBytes &operator=(const UndefinedBytes &) = delete;

  /// From now on the range counts as never written.
  void forget(uint64_t offset, uint64_t bytes);
  /// The range has been written.
  void define(uint64_t offset, uint64_t bytes) {
    for (uint64_t page = offset / m_pageBytes; page * m_pageBytes < offset + bytes; ++page)
      if (m_states[page].load(std::memory_order_acquire) != Whole)
        defineIn(page, offset, bytes);
  }
  bool isDefined(uint64_t offset, uint64_t bytes) const {
    for (uint64_t page = offset / m_pageBytes; page * m_pageBytes < offset + bytes; ++page)
      if (m_states[page].load(std::memory_order_acquire) != Whole)
        return first(offset, bytes) == offset + bytes;
    return true;
  }
  /// The first byte that was never written, or the end of the range.
  uint64_t first(uint64_t offset, uint64_t bytes) const;
  /// How many bytes of the range were never written.
  uint64_t count(uint64_t offset, uint64_t bytes) const;
  /// Finds the mixed pages that have become whole, so that they cost nothing.
  void settle();

private:
  enum State : uint8_t { Whole, Mixed, Untouched };
  using Bits = std::atomic<uint64_t>; ///< of 64 bytes, the first the lowest

  Bits *bitsOf(uint64_t page) const { return m_bits + page * (m_pageBytes / 64); }
  void defineIn(uint64_t page, uint64_t offset, uint64_t bytes);
  void makeMixed(uint64_t page, uint8_t pattern);
  /// Sets or clears bits begin … end of a page.
  void change(uint64_t page, uint64_t begin, uint64_t end, bool undefined);

  const uint64_t m_pageBytes;
  std::unique_ptr<std::atomic<uint8_t>[]> m_states;
  Bits *m_bits = nullptr;
  uint64_t m_reserved = 0;
  std::mutex m_mutex; ///< held while a page becomes mixed
  std::vector<uint64_t> m_mixed;
};

} // namespace tilescope
