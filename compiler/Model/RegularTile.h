// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses of a tile as almost every access has them: one start, one stride for each dimension, and a
// box of elements that are not masked off.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tilescope::model {

constexpr unsigned kMaxTileRank = 8;

struct TileAxis {
  int64_t stride = 0;         ///< bytes from one index to the next
  int64_t begin = 0, end = 0; ///< indices that are on: begin … end - 1
  int64_t count() const { return end > begin ? end - begin : 0; }
  friend bool operator==(const TileAxis &, const TileAxis &) = default;
};

struct RegularTile {
  uint64_t start = 0; ///< address in bytes of the element with all indices 0, on or not; modulo 2^64
  std::array<TileAxis, kMaxTileRank> axes{}; ///< of the tile's dimensions, the first `rank` of them
  unsigned rank = 0;                         ///< 1 for a scalar, which is a tile of one element

  std::span<const TileAxis> dims() const { return std::span(axes).first(rank); }
  std::span<TileAxis> dims() { return std::span(axes).first(rank); }
  bool isEmpty() const; ///< everything is masked off
  friend bool operator==(const RegularTile &, const RegularTile &) = default;
};

/// The same tile as start, strides and box, if that is what it is; nothing otherwise. `addresses` are of the
/// elements of `shape` in row-major order; those masked off may be anything. `mask` is empty (all on) or has
/// one byte for each, 0 for off. The stride along a dimension with fewer than two indices on is 0.
std::optional<RegularTile> regular(std::span<const uint64_t> addresses, std::span<const uint8_t> mask,
                                   std::span<const int64_t> shape);

} // namespace tilescope::model
