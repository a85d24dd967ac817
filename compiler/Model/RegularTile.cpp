// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Model/RegularTile.h"

#include <algorithm>
#include <cassert>

namespace tilescope::model {
namespace {

/// A tile in row-major order, row by row: a row runs along the last dimension.
class Rows {
public:
  explicit Rows(std::span<const int64_t> shape) : m_rank(unsigned(shape.size())) {
    std::ranges::copy(shape, m_shape.begin());
  }
  int64_t length() const { return m_shape[m_rank - 1]; }

  /// Calls visit(offset of the row's first element, indices of the row) until it says false.
  template <typename Visit> bool all(Visit visit) const {
    int64_t rows = 1;
    for (unsigned dim = 0; dim + 1 < m_rank; ++dim)
      rows *= m_shape[dim];
    std::array<int64_t, kMaxTileRank> index{};
    for (int64_t row = 0; row < rows; ++row) {
      if (!visit(row * length(), index))
        return false;
      for (int dim = int(m_rank) - 2; dim >= 0 && ++index[dim] == m_shape[dim]; --dim)
        index[dim] = 0;
    }
    return true;
  }

private:
  std::array<int64_t, kMaxTileRank> m_shape{};
  unsigned m_rank;
};

bool holds(const TileAxis &axis, int64_t index) { return axis.begin <= index && index < axis.end; }

/// Whether a row crosses the box; the last dimension doesn't count.
bool crosses(const RegularTile &tile, const std::array<int64_t, kMaxTileRank> &index) {
  for (unsigned dim = 0; dim + 1 < tile.rank; ++dim)
    if (!holds(tile.axes[dim], index[dim]))
      return false;
  return true;
}

/// The smallest box around what is on, without strides; nothing where something in it is off.
std::optional<RegularTile> boxOf(std::span<const uint8_t> mask, std::span<const int64_t> shape) {
  RegularTile tile{.rank = unsigned(shape.size())};
  for (unsigned dim = 0; dim < tile.rank; ++dim)
    tile.axes[dim] = mask.empty() ? TileAxis{0, 0, shape[dim]} : TileAxis{0, shape[dim], 0};
  if (mask.empty())
    return tile;
  const Rows rows(shape);
  int64_t on = 0;
  rows.all([&](int64_t offset, const std::array<int64_t, kMaxTileRank> &index) {
    const auto row = mask.subspan(size_t(offset), size_t(rows.length()));
    const int64_t off = std::ranges::count(row, 0);
    if (off == rows.length())
      return true;
    on += rows.length() - off;
    auto isOn = [](uint8_t byte) { return byte != 0; };
    const int64_t first = std::ranges::find_if(row, isOn) - row.begin();
    const int64_t last = std::find_if(row.rbegin(), row.rend(), isOn).base() - row.begin() - 1;
    for (unsigned dim = 0; dim < tile.rank; ++dim) {
      const bool isColumn = dim + 1 == tile.rank;
      TileAxis &axis = tile.axes[dim];
      axis.begin = std::min(axis.begin, isColumn ? first : index[dim]);
      axis.end = std::max(axis.end, (isColumn ? last : index[dim]) + 1);
    }
    return true;
  });
  if (on == 0)
    return RegularTile{.rank = tile.rank};
  int64_t inBox = 1;
  for (const TileAxis &axis : tile.dims())
    inBox *= axis.count();
  return inBox == on ? std::optional(tile) : std::nullopt;
}

} // namespace

bool RegularTile::isEmpty() const {
  return std::ranges::any_of(dims(), [](const TileAxis &axis) { return axis.count() == 0; });
}

std::optional<RegularTile> regular(std::span<const uint64_t> addresses, std::span<const uint8_t> mask,
                                   std::span<const int64_t> shape) {
  constexpr int64_t one[] = {1};
  if (shape.empty())
    shape = one;
  assert(shape.size() <= kMaxTileRank && (mask.empty() || mask.size() == addresses.size()));
  std::optional<RegularTile> tile = boxOf(mask, shape);
  if (!tile || tile->isEmpty())
    return tile;

  // Strides from the box's first corner, then every address against them.
  int64_t corner = 0, step = 1;
  for (unsigned dim = tile->rank; dim-- > 0; step *= shape[dim])
    corner += tile->axes[dim].begin * step;
  step = 1;
  tile->start = addresses[size_t(corner)];
  for (unsigned dim = tile->rank; dim-- > 0; step *= shape[dim]) {
    TileAxis &axis = tile->axes[dim];
    if (axis.count() > 1)
      axis.stride = int64_t(addresses[size_t(corner + step)] - addresses[size_t(corner)]);
    tile->start -= uint64_t(axis.begin * axis.stride);
  }
  const TileAxis &last = tile->axes[tile->rank - 1];
  const bool isRegular = Rows(shape).all([&](int64_t offset, const std::array<int64_t, kMaxTileRank> &index) {
    if (!crosses(*tile, index))
      return true;
    uint64_t expected = tile->start + uint64_t(last.begin * last.stride);
    for (unsigned dim = 0; dim + 1 < tile->rank; ++dim)
      expected += uint64_t(index[dim] * tile->axes[dim].stride);
    uint64_t differences = 0;
    for (int64_t column = last.begin; column < last.end; ++column, expected += uint64_t(last.stride))
      differences |= addresses[size_t(offset + column)] ^ expected;
    return differences == 0;
  });
  return isRegular ? tile : std::nullopt;
}

} // namespace tilescope::model
