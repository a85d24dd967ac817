// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Memory/UndefinedBytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace tilescope {

static_assert(sizeof(std::atomic<uint64_t>) == 8);

/// Where no room for the bits can be reserved, everything counts as written.
UndefinedBytes::UndefinedBytes(uint64_t bytes, uint64_t pageBytes)
    : m_pageBytes(pageBytes), m_states(new std::atomic<uint8_t>[bytes / pageBytes + 1]()) {
  m_reserved = (bytes / pageBytes + 1) * (pageBytes / 8);
  void *memory =
      mmap(nullptr, m_reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED)
    m_bits = static_cast<Bits *>(memory);
}

UndefinedBytes::~UndefinedBytes() {
  if (m_bits)
    munmap(static_cast<void *>(m_bits), m_reserved);
}

/// Words of bits at the ends are shared with whoever writes next to the range, so they change at one stroke.
void UndefinedBytes::change(uint64_t page, uint64_t begin, uint64_t end, bool undefined) {
  Bits *bits = bitsOf(page);
  const auto edge = [&](uint64_t word, uint64_t mask) {
    if (undefined)
      bits[word].fetch_or(mask, std::memory_order_relaxed);
    else if (bits[word].load(std::memory_order_relaxed) & mask)
      bits[word].fetch_and(~mask, std::memory_order_relaxed);
  };
  const uint64_t first = begin / 64, last = end / 64;
  const uint64_t from = ~uint64_t(0) << begin % 64, to = (uint64_t(1) << end % 64) - 1;
  if (first == last)
    return edge(first, from & to);
  uint64_t whole = first;
  if (begin % 64 != 0)
    edge(whole++, from);
  if (whole < last)
    std::memset(static_cast<void *>(bits + whole), undefined ? 0xff : 0, (last - whole) * 8);
  if (end % 64 != 0)
    edge(last, to);
}

void UndefinedBytes::makeMixed(uint64_t page, uint8_t pattern) {
  std::memset(static_cast<void *>(bitsOf(page)), pattern, m_pageBytes / 8);
  m_mixed.push_back(page);
  m_states[page].store(Mixed, std::memory_order_release);
}

void UndefinedBytes::forget(uint64_t offset, uint64_t bytes) {
  if (!m_bits)
    return;
  const uint64_t stop = offset + bytes;
  for (uint64_t page = offset / m_pageBytes; page * m_pageBytes < stop; ++page) {
    const uint64_t start = page * m_pageBytes;
    const uint64_t begin = std::max(offset, start) - start, end = std::min(stop, start + m_pageBytes) - start;
    if (begin == 0 && end == m_pageBytes) {
      m_states[page].store(Untouched, std::memory_order_relaxed);
      continue;
    }
    if (m_states[page].load(std::memory_order_relaxed) == Whole)
      makeMixed(page, 0);
    if (m_states[page].load(std::memory_order_relaxed) == Mixed)
      change(page, begin, end, true);
  }
}

void UndefinedBytes::defineIn(uint64_t page, uint64_t offset, uint64_t bytes) {
  const uint64_t start = page * m_pageBytes;
  const uint64_t begin = std::max(offset, start) - start;
  const uint64_t end = std::min(offset + bytes, start + m_pageBytes) - start;
  if (begin == 0 && end == m_pageBytes) {
    std::lock_guard lock(m_mutex);
    return m_states[page].store(Whole, std::memory_order_release);
  }
  if (m_states[page].load(std::memory_order_acquire) == Untouched) {
    std::lock_guard lock(m_mutex);
    if (m_states[page].load(std::memory_order_relaxed) == Untouched)
      makeMixed(page, 0xff);
  }
  change(page, begin, end, false);
}

uint64_t UndefinedBytes::first(uint64_t offset, uint64_t bytes) const {
  const uint64_t stop = offset + bytes;
  for (uint64_t at = offset; at < stop;) {
    const uint64_t page = at / m_pageBytes, start = page * m_pageBytes;
    const uint64_t end = std::min(stop, start + m_pageBytes);
    const uint8_t state = m_states[page].load(std::memory_order_acquire);
    if (state == Untouched)
      return at;
    for (; state == Mixed && at < end;) {
      const uint64_t bit = at - start;
      const uint64_t left = bitsOf(page)[bit / 64].load(std::memory_order_relaxed) >> bit % 64;
      if (left != 0)
        return std::min(at + static_cast<uint64_t>(std::countr_zero(left)), stop);
      at += 64 - bit % 64;
    }
    at = end;
  }
  return stop;
}

uint64_t UndefinedBytes::count(uint64_t offset, uint64_t bytes) const {
  uint64_t result = 0;
  const uint64_t stop = offset + bytes;
  for (uint64_t at = first(offset, bytes); at < stop; at = first(at + 1, stop - at - 1))
    ++result;
  return result;
}

/// Pages that were forgotten as a whole since, or written as a whole, leave the list too.
void UndefinedBytes::settle() {
  std::erase_if(m_mixed, [&](uint64_t page) {
    if (m_states[page].load(std::memory_order_relaxed) != Mixed)
      return true;
    const auto *bits = reinterpret_cast<const uint8_t *>(bitsOf(page));
    if (bits[0] != 0 || std::memcmp(bits, bits + 1, m_pageBytes / 8 - 1) != 0)
      return false;
    m_states[page].store(Whole, std::memory_order_relaxed);
    return true;
  });
}

} // namespace tilescope
