// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Model/DistinctSectors.h"

#include "compiler/Model/GlobalAccess.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace tilescope::model {
namespace {

/// Bits first … last of a page: visit(word, its bits among them).
template <typename Visit> void forEachWord(uint64_t first, uint64_t last, Visit visit) {
  for (uint64_t word = first / 64; word <= last / 64; ++word) {
    uint64_t bits = ~uint64_t(0);
    if (word == first / 64)
      bits &= ~uint64_t(0) << first % 64;
    if (word == last / 64)
      bits &= ~uint64_t(0) >> (63 - last % 64);
    visit(size_t(word), bits);
  }
}

/// The dimension along which no sector between the first and the last element is skipped and that takes in
/// most bytes; nothing where there is none.
std::optional<unsigned> filledDim(const RegularTile &tile) {
  std::optional<unsigned> filled;
  int64_t most = 0;
  for (unsigned dim = 0; dim < tile.rank; ++dim) {
    const TileAxis &axis = tile.axes[dim];
    const int64_t bytes = std::abs(axis.stride) * (axis.count() - 1);
    if (std::abs(axis.stride) <= int64_t(kSectorBytes) && bytes > most) {
      filled = dim;
      most = bytes;
    }
  }
  return filled;
}

} // namespace

void DistinctSectors::addSectors(uint64_t first, uint64_t last) {
  for (uint64_t number = first / PageSectors; number <= last / PageSectors; ++number) {
    Page &page = m_pages[number];
    forEachWord(number == first / PageSectors ? first % PageSectors : 0,
                number == last / PageSectors ? last % PageSectors : PageSectors - 1,
                [&](size_t word, uint64_t bits) { page[word] |= bits; });
  }
}

void DistinctSectors::addBytes(uint64_t begin, uint64_t end) {
  if (begin < end)
    addSectors(begin / kSectorBytes, (end - 1) / kSectorBytes);
}

void DistinctSectors::add(const RegularTile &tile, unsigned bytes) {
  if (tile.isEmpty())
    return;
  // The fill of one row, moved to every other index; dimensions of stride 0 repeat it.
  RegularTile rows = tile;
  uint64_t below = 0, above = bytes; // of the row, around the element that stands for it
  if (const auto dim = filledDim(tile)) {
    TileAxis &axis = rows.axes[*dim];
    const int64_t length = axis.stride * (axis.count() - 1);
    (length < 0 ? below : above) += uint64_t(std::abs(length));
    axis.end = axis.begin + 1;
  }
  for (TileAxis &axis : rows.dims())
    if (axis.stride == 0)
      axis.end = axis.begin + 1;

  std::array<int64_t, kMaxTileRank> index{};
  for (unsigned dim = 0; dim < rows.rank; ++dim)
    index[dim] = rows.axes[dim].begin;
  for (int dim = 0; dim >= 0;) {
    uint64_t address = rows.start;
    for (unsigned k = 0; k < rows.rank; ++k)
      address += uint64_t(index[k] * rows.axes[k].stride);
    addBytes(address - below, address + above);
    for (dim = int(rows.rank) - 1; dim >= 0 && ++index[dim] == rows.axes[dim].end; --dim)
      index[dim] = rows.axes[dim].begin;
  }
}

void DistinctSectors::add(std::span<const uint64_t> addresses, std::span<const uint8_t> mask,
                          unsigned bytes) {
  // Sectors of neighbours that follow one another are added together.
  uint64_t first = 1, last = 0; // none
  for (size_t element = 0; element < addresses.size(); ++element) {
    if (!mask.empty() && mask[element] == 0)
      continue;
    const uint64_t begin = addresses[element] / kSectorBytes;
    const uint64_t end = (addresses[element] + bytes - 1) / kSectorBytes;
    if (first <= last && first <= begin && begin <= last + 1) {
      last = std::max(last, end);
      continue;
    }
    if (first <= last)
      addSectors(first, last);
    first = begin;
    last = end;
  }
  if (first <= last)
    addSectors(first, last);
}

void DistinctSectors::merge(const DistinctSectors &other) {
  for (const auto &[number, bits] : other.m_pages) {
    Page &page = m_pages[number];
    for (size_t word = 0; word < page.size(); ++word)
      page[word] |= bits[word];
  }
}

int64_t DistinctSectors::count() const {
  int64_t count = 0;
  for (const auto &[number, page] : m_pages)
    for (uint64_t word : page)
      count += std::popcount(word);
  return count;
}

int64_t DistinctSectors::count(uint64_t begin, uint64_t end) const {
  if (begin >= end)
    return 0;
  const uint64_t first = begin / kSectorBytes, last = (end - 1) / kSectorBytes;
  int64_t count = 0;
  for (const auto &[number, page] : m_pages) {
    const uint64_t pageFirst = number * PageSectors, pageLast = pageFirst + PageSectors - 1;
    if (pageLast < first || last < pageFirst)
      continue;
    forEachWord(std::max(first, pageFirst) - pageFirst, std::min(last, pageLast) - pageFirst,
                [&](size_t word, uint64_t bits) { count += std::popcount(page[word] & bits); });
  }
  return count;
}

} // namespace tilescope::model
