// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles element by element, and random ones.
#pragma once

#include "compiler/Model/RegularTile.h"

#include <random>
#include <vector>

namespace tilescope::model {

/// Address and mask of every element, in row-major order.
struct TileElements {
  std::vector<int64_t> shape;
  std::vector<uint64_t> addresses;
  std::vector<uint8_t> mask;

  TileElements(std::vector<int64_t> sizes, const RegularTile &tile) : shape(std::move(sizes)) {
    std::vector<int64_t> index(shape.size(), 0);
    append(tile, 0, index);
  }

private:
  void append(const RegularTile &tile, size_t dim, std::vector<int64_t> &index) {
    if (dim < shape.size()) {
      for (index[dim] = 0; index[dim] < shape[dim]; ++index[dim])
        append(tile, dim + 1, index);
      return;
    }
    int64_t offset = 0;
    bool isOn = true;
    for (size_t k = 0; k < index.size(); ++k) {
      offset += index[k] * tile.axes[k].stride;
      isOn = isOn && index[k] >= tile.axes[k].begin && index[k] < tile.axes[k].end;
    }
    addresses.push_back(tile.start + uint64_t(offset));
    mask.push_back(isOn);
  }
};

/// A tile of `shape` in steps of `unit` bytes, somewhere in a few hundred KiB. Half of them have the stride
/// `unit` along the last dimension; boxes are whole, partial and, seldom, empty.
inline RegularTile randomTile(std::mt19937 &random, const std::vector<int64_t> &shape, int64_t unit) {
  RegularTile tile{.start = (1 << 20) + random() % 4096 * uint64_t(unit), .rank = unsigned(shape.size())};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    TileAxis &axis = tile.axes[dim];
    axis.stride = (int64_t(random() % 400) - 100) * unit;
    if (dim + 1 == shape.size() && random() % 2)
      axis.stride = unit;
    if (random() % 8 == 0)
      axis.stride = 0;
    axis.end = shape[dim];
    if (random() % 2) {
      axis.begin = int64_t(random() % uint64_t(shape[dim]));
      axis.end = axis.begin + int64_t(random() % uint64_t(shape[dim] - axis.begin + 1));
    }
  }
  return tile;
}

} // namespace tilescope::model
