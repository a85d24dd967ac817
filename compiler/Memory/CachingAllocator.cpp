// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Memory/CachingAllocator.h"

namespace tilescope {

namespace {

constexpr uint64_t MiB = 1024 * 1024;
constexpr uint64_t MinBlock = 512;
constexpr uint64_t SmallSize = MiB; ///< the largest request of the small pool
constexpr uint64_t SmallSegment = 2 * MiB;
constexpr uint64_t LargeSegment = 20 * MiB;
constexpr uint64_t MinOwnSegment = 10 * MiB; ///< from here on a request gets a segment of its own
constexpr uint64_t SegmentRounding = 2 * MiB;

uint64_t roundUp(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

uint64_t segmentSize(uint64_t size) {
  if (size <= SmallSize)
    return SmallSegment;
  return size < MinOwnSegment ? LargeSegment : roundUp(size, SegmentRounding);
}

} // namespace

std::optional<uint64_t> CachingAllocator::allocate(uint64_t bytes) {
  if (bytes > m_capacity)
    return std::nullopt;
  const uint64_t size = roundUp(bytes, MinBlock);
  const bool small = size <= SmallSize;
  auto block = takeFree(size, small);
  if (block == m_blocks.end())
    block = addSegment(segmentSize(size), small);
  if (block == m_blocks.end())
    return std::nullopt;
  block->second.used = true;
  splitOff(block, size);
  m_inUse += block->second.size;
  return block->first;
}

void CachingAllocator::free(uint64_t address) {
  auto block = m_blocks.find(address);
  block->second.used = false;
  m_inUse -= block->second.size;
  auto &free = pool(block->second.small);
  if (auto next = std::next(block); next != m_blocks.end() && joins(block, next->second)) {
    free.erase({next->second.size, next->first});
    block->second.size += next->second.size;
    m_blocks.erase(next);
  }
  if (auto previous = block; block != m_blocks.begin() && joins(block, (--previous)->second)) {
    free.erase({previous->second.size, previous->first});
    previous->second.size += block->second.size;
    m_blocks.erase(block);
    block = previous;
  }
  free.insert({block->second.size, block->first});
}

CachingAllocator::Blocks::iterator CachingAllocator::takeFree(uint64_t size, bool small) {
  auto &free = pool(small);
  auto best = free.lower_bound({size, 0});
  if (best == free.end())
    return m_blocks.end();
  auto block = m_blocks.find(best->second);
  free.erase(best);
  return block;
}

CachingAllocator::Blocks::iterator CachingAllocator::addSegment(uint64_t size, bool small) {
  auto fits = [&] { return m_reserved + size <= m_capacity ? gapFor(size) : std::nullopt; };
  auto address = fits();
  if (!address) {
    releaseFreeSegments();
    address = fits();
  }
  if (!address)
    return m_blocks.end();
  m_segments[*address] = size;
  m_reserved += size;
  return m_blocks.insert({*address, {size, *address, small, false}}).first;
}

std::optional<uint64_t> CachingAllocator::gapFor(uint64_t size) const {
  uint64_t end = m_base;
  for (auto [address, bytes] : m_segments) {
    if (address - end >= size)
      return end;
    end = address + bytes;
  }
  return m_base + m_span - end >= size ? std::optional(end) : std::nullopt;
}

void CachingAllocator::splitOff(Blocks::iterator block, uint64_t size) {
  Block &whole = block->second;
  const uint64_t rest = whole.size - size;
  if (whole.small ? rest < MinBlock : rest <= SmallSize)
    return;
  m_blocks.insert({block->first + size, {rest, whole.segment, whole.small, false}});
  pool(whole.small).insert({rest, block->first + size});
  whole.size = size;
}

bool CachingAllocator::joins(Blocks::iterator block, const Block &other) const {
  return !other.used && other.segment == block->second.segment;
}

void CachingAllocator::releaseFreeSegments() {
  for (auto segment = m_segments.begin(); segment != m_segments.end();) {
    auto block = m_blocks.find(segment->first);
    if (block->second.used || block->second.size != segment->second) {
      ++segment;
      continue;
    }
    pool(block->second.small).erase({block->second.size, block->first});
    m_reserved -= segment->second;
    m_blocks.erase(block);
    segment = m_segments.erase(segment);
  }
}

} // namespace tilescope
