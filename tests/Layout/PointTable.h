// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slow reference of linear layouts: a map as a table of all its points. Tables are made from what each
// bit adds, by exclusive or, one coordinate after another; nothing in them is packed.
#pragma once

#include "compiler/Layout/LinearLayout.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace tilescope::layout {

using Point = std::map<Dim, uint64_t>;
using PointTable = std::map<Point, Point>;

inline std::vector<Coordinate> coordinates(const Point &point) {
  std::vector<Coordinate> result;
  for (auto [dim, value] : point)
    result.push_back({dim, value});
  return result;
}

inline Point point(const std::vector<Coordinate> &coordinates) {
  Point result;
  for (const Coordinate &coordinate : coordinates)
    result[coordinate.dim] = coordinate.value;
  return result;
}

/// All points of a space; the first dimension turns fastest.
inline std::vector<Point> pointsOf(std::span<const Extent> extents) {
  std::vector<Point> points{{}};
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
    std::vector<Point> longer;
    for (const Point &rest : points)
      for (uint64_t value = 0; value < extent->size(); ++value) {
        longer.push_back(rest);
        longer.back()[extent->dim] = value;
      }
    points = std::move(longer);
  }
  return points;
}

/// What a layout says at every point.
inline PointTable tableOf(const LinearLayout &layout) {
  PointTable table;
  for (const Point &input : pointsOf(layout.inputs()))
    table[input] = point(layout.apply(coordinates(input)));
  return table;
}

/// A layout by what each bit of its inputs adds.
struct Bases {
  std::vector<Extent> inputs, outputs;
  std::map<Dim, std::vector<Point>> added;

  PointTable table() const {
    PointTable result;
    for (const Point &input : pointsOf(inputs)) {
      Point output;
      for (const Extent &extent : outputs)
        output[extent.dim] = 0;
      for (auto [dim, value] : input)
        for (std::size_t bit = 0; bit < added.at(dim).size(); ++bit)
          if (value >> bit & 1)
            for (auto [to, amount] : added.at(dim)[bit])
              output[to] ^= amount;
      result[input] = output;
    }
    return result;
  }

  LinearLayout layout() const {
    std::vector<uint64_t> columns;
    for (const Extent &extent : inputs)
      for (const Point &amounts : added.at(extent.dim)) {
        uint64_t rowMajor = 0;
        for (const Extent &output : outputs)
          rowMajor = rowMajor * output.size() + amounts.at(output.dim);
        columns.push_back(rowMajor);
      }
    return {inputs, outputs, columns};
  }
};

/// Random layouts, the same on every machine.
class RandomLayouts {
public:
  explicit RandomLayouts(uint32_t seed) : m_random(seed) {}

  uint64_t below(uint64_t limit) { return m_random() % limit; }

  /// One to four of `dims`, shuffled, `bits` bits shared out among them.
  std::vector<Extent> space(std::vector<Dim> dims, unsigned bits) {
    shuffle(dims);
    std::vector<Extent> extents;
    for (std::size_t i = 0, count = 1 + below(dims.size()); i < count; ++i)
      extents.push_back({dims[i], 0});
    for (unsigned bit = 0; bit < bits; ++bit)
      ++extents[below(extents.size())].bits;
    return extents;
  }
  std::vector<Extent> inputSpace(unsigned bits) {
    return space({Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}, bits);
  }
  std::vector<Extent> tileSpace(unsigned bits) {
    return space({tileDim(0), tileDim(1), tileDim(2), tileDim(3)}, bits);
  }

  /// Any map; zeros and repetitions are common.
  Bases map(std::vector<Extent> inputs, std::vector<Extent> outputs) {
    Bases bases{std::move(inputs), std::move(outputs), {}};
    for (const Extent &extent : bases.inputs)
      for (unsigned bit = 0; bit < extent.bits; ++bit) {
        const bool zero = below(5) == 0;
        Point amounts;
        for (const Extent &output : bases.outputs)
          amounts[output.dim] = zero ? 0 : below(output.size());
        bases.added[extent.dim].push_back(amounts);
      }
    for (const Extent &extent : bases.inputs)
      bases.added[extent.dim];
    return bases;
  }

  /// A map that reaches every output, from at least as many bits.
  LinearLayout surjective(const std::vector<Extent> &inputs, const std::vector<Extent> &outputs) {
    for (;;) {
      const LinearLayout layout = map(inputs, outputs).layout();
      std::vector<bool> reached(layout.outputSize());
      for (uint64_t input = 0; input < layout.inputSize(); ++input)
        reached[layout.apply(input)] = true;
      if (std::ranges::find(reached, false) == reached.end())
        return layout;
    }
  }

  template <typename T> void shuffle(std::vector<T> &values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(i)]);
  }

private:
  std::mt19937 m_random;
};

} // namespace tilescope::layout
