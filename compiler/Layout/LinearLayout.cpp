// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/LinearLayout.h"

#include "compiler/Layout/Bits.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tilescope::layout {
namespace {

unsigned sumOfBits(std::span<const Extent> extents) {
  unsigned bits = 0;
  for (const Extent &extent : extents)
    bits += extent.bits;
  return bits;
}

const Extent *find(std::span<const Extent> extents, Dim dim) {
  auto found = std::ranges::find(extents, dim, &Extent::dim);
  return found == extents.end() ? nullptr : &*found;
}

unsigned bitsOf(std::span<const Extent> extents, Dim dim) {
  const Extent *extent = find(extents, dim);
  return extent ? extent->bits : 0;
}

uint64_t field(uint64_t packed, unsigned shift, unsigned bits) {
  return packed >> shift & ((uint64_t(1) << bits) - 1);
}

/// The extents of both, those of the same name added up.
std::vector<Extent> joined(std::span<const Extent> inner, std::span<const Extent> outer) {
  std::vector<Extent> all(inner.begin(), inner.end());
  for (const Extent &extent : outer) {
    auto found = std::ranges::find(all, extent.dim, &Extent::dim);
    if (found == all.end())
      all.push_back(extent);
    else
      found->bits += extent.bits;
  }
  return all;
}

/// Extents in the order of `dims`.
std::vector<Extent> chosen(std::span<const Extent> extents, std::span<const Dim> dims) {
  std::vector<Extent> result;
  for (Dim dim : dims)
    if (const Extent *extent = find(extents, dim))
      result.push_back(*extent);
  return result;
}

std::vector<Dim> dims(std::span<const Extent> extents) {
  std::vector<Dim> result;
  for (const Extent &extent : extents)
    result.push_back(extent.dim);
  return result;
}

std::vector<Extent> renamed(std::span<const Extent> extents, Dim from, Dim to) {
  std::vector<Extent> result(extents.begin(), extents.end());
  for (Extent &extent : result)
    if (extent.dim == from)
      extent.dim = to;
  return result;
}

} // namespace

std::string_view name(Dim dim) {
  static constexpr std::string_view names[] = {"register", "lane", "warp", "block", "offset", "dim0", "dim1",
                                               "dim2",     "dim3", "dim4", "dim5",  "dim6",   "dim7"};
  assert(std::size_t(dim) < std::size(names));
  return names[std::size_t(dim)];
}

LinearLayout::LinearLayout(std::vector<Extent> inputs, std::vector<Extent> outputs,
                           std::vector<uint64_t> columns)
    : m_inputs(std::move(inputs)), m_outputs(std::move(outputs)), m_columns(std::move(columns)) {
  assert(sumOfBits(m_inputs) == m_columns.size() && outputBits() < 64);
  assert(std::ranges::all_of(m_columns, [&](uint64_t column) { return column < outputSize(); }));
}

LinearLayout LinearLayout::identity(Dim input, Dim output, unsigned bits) {
  std::vector<uint64_t> columns(bits);
  for (unsigned bit = 0; bit < bits; ++bit)
    columns[bit] = uint64_t(1) << bit;
  return {{{input, bits}}, {{output, bits}}, std::move(columns)};
}

LinearLayout LinearLayout::zeros(Dim input, Dim output, unsigned bits, unsigned outputBits) {
  return {{{input, bits}}, {{output, outputBits}}, std::vector<uint64_t>(bits, 0)};
}

//===- Dimensions and numbers ---------------------------------------------------------------------===//

unsigned LinearLayout::outputBits() const { return sumOfBits(m_outputs); }
unsigned LinearLayout::inputBits(Dim dim) const { return bitsOf(m_inputs, dim); }
unsigned LinearLayout::outputBits(Dim dim) const { return bitsOf(m_outputs, dim); }
bool LinearLayout::hasInput(Dim dim) const { return find(m_inputs, dim); }
bool LinearLayout::hasOutput(Dim dim) const { return find(m_outputs, dim); }

unsigned LinearLayout::inputShift(Dim dim) const {
  unsigned shift = 0;
  for (const Extent &extent : m_inputs) {
    if (extent.dim == dim)
      return shift;
    shift += extent.bits;
  }
  return shift;
}

unsigned LinearLayout::outputShift(Dim dim) const {
  unsigned shift = outputBits();
  for (const Extent &extent : m_outputs) {
    shift -= extent.bits;
    if (extent.dim == dim)
      return shift;
  }
  return 0;
}

uint64_t LinearLayout::packInput(std::span<const Coordinate> inputs) const {
  uint64_t packed = 0;
  for (const Coordinate &coordinate : inputs) {
    assert(coordinate.value < inputSize(coordinate.dim));
    packed |= coordinate.value << inputShift(coordinate.dim);
  }
  return packed;
}

uint64_t LinearLayout::packOutput(std::span<const Coordinate> outputs) const {
  uint64_t packed = 0;
  for (const Coordinate &coordinate : outputs) {
    assert(coordinate.value < outputSize(coordinate.dim));
    packed |= coordinate.value << outputShift(coordinate.dim);
  }
  return packed;
}

std::vector<Coordinate> LinearLayout::unpackInput(uint64_t packed) const {
  std::vector<Coordinate> coordinates;
  for (const Extent &extent : m_inputs)
    coordinates.push_back({extent.dim, field(packed, inputShift(extent.dim), extent.bits)});
  return coordinates;
}

std::vector<Coordinate> LinearLayout::unpackOutput(uint64_t packed) const {
  std::vector<Coordinate> coordinates;
  for (const Extent &extent : m_outputs)
    coordinates.push_back({extent.dim, field(packed, outputShift(extent.dim), extent.bits)});
  return coordinates;
}

uint64_t LinearLayout::apply(uint64_t packed) const { return multiply(m_columns, packed); }

std::vector<Coordinate> LinearLayout::apply(std::span<const Coordinate> inputs) const {
  return unpackOutput(apply(packInput(inputs)));
}

//===- Products and inverses ----------------------------------------------------------------------===//

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  std::vector<uint64_t> columns;
  for (uint64_t column : m_columns) {
    uint64_t input = 0;
    for (const Extent &extent : m_outputs)
      if (extent.bits > 0) {
        assert(outer.inputBits(extent.dim) >= extent.bits);
        input |= field(column, outputShift(extent.dim), extent.bits) << outer.inputShift(extent.dim);
      }
    columns.push_back(outer.apply(input));
  }
  return {m_inputs, outer.m_outputs, std::move(columns)};
}

LinearLayout operator*(const LinearLayout &inner, const LinearLayout &outer) {
  LinearLayout result;
  result.m_inputs = joined(inner.m_inputs, outer.m_inputs);
  result.m_outputs = joined(inner.m_outputs, outer.m_outputs);
  auto moved = [&](const LinearLayout &from, uint64_t column, bool isOuter) {
    uint64_t packed = 0;
    for (const Extent &extent : from.m_outputs)
      packed |= field(column, from.outputShift(extent.dim), extent.bits)
                << (result.outputShift(extent.dim) + (isOuter ? inner.outputBits(extent.dim) : 0));
    return packed;
  };
  for (const Extent &extent : result.m_inputs) {
    for (unsigned bit = 0; bit < inner.inputBits(extent.dim); ++bit)
      result.m_columns.push_back(moved(inner, inner.basis(extent.dim, bit), false));
    for (unsigned bit = 0; bit < outer.inputBits(extent.dim); ++bit)
      result.m_columns.push_back(moved(outer, outer.basis(extent.dim, bit), true));
  }
  return result;
}

std::optional<LinearLayout> LinearLayout::quotient(const LinearLayout &inner) const {
  std::vector<Extent> inputs = m_inputs, outputs = m_outputs;
  auto shrink = [](std::vector<Extent> &extents, std::span<const Extent> by) {
    for (const Extent &extent : by) {
      auto found = std::ranges::find(extents, extent.dim, &Extent::dim);
      if (extent.bits == 0)
        continue;
      if (found == extents.end() || found->bits < extent.bits)
        return false;
      found->bits -= extent.bits;
    }
    return true;
  };
  if (!shrink(inputs, inner.m_inputs) || !shrink(outputs, inner.m_outputs))
    return std::nullopt;
  std::vector<uint64_t> columns;
  LinearLayout result;
  result.m_inputs = inputs;
  result.m_outputs = outputs;
  for (const Extent &extent : inputs)
    for (unsigned bit = 0; bit < extent.bits; ++bit) {
      const uint64_t column = basis(extent.dim, inner.inputBits(extent.dim) + bit);
      uint64_t packed = 0;
      for (const Extent &output : outputs)
        packed |= field(column, outputShift(output.dim) + inner.outputBits(output.dim), output.bits)
                  << result.outputShift(output.dim);
      result.m_columns.push_back(packed);
    }
  const LinearLayout product = inner * result;
  if (product.sublayout(dims(m_inputs), dims(m_outputs)) != *this)
    return std::nullopt;
  return result;
}

LinearLayout LinearLayout::inverse() const {
  assert(isSurjective() && isInjective());
  return pseudoInverse();
}

LinearLayout LinearLayout::pseudoInverse() const {
  LinearLayout result(m_outputs, m_inputs, std::vector<uint64_t>(outputBits(), 0));
  const Echelon echelon(m_columns);
  // What is reached has the leading bits of the rows that it is the sum of, whatever its other bits are.
  for (const Extent &extent : m_outputs)
    for (unsigned bit = 0; bit < extent.bits; ++bit)
      for (const Echelon::Row &row : echelon.rows())
        if (std::bit_floor(row.value) == uint64_t(1) << (outputShift(extent.dim) + bit))
          result.m_columns[result.inputShift(extent.dim) + bit] =
              result.packOutput(unpackInput(row.combination));
  return result;
}

namespace {

/// The inputs of a layout in widening circles: registers, with lanes, with warps, with everything.
class NearestSolver {
public:
  explicit NearestSolver(const LinearLayout &layout) : m_layout(layout) {
    for (const Extent &input : layout.inputs())
      for (unsigned circle = circleOf(input.dim); circle < Circles; ++circle)
        for (unsigned bit = 0; bit < input.bits; ++bit)
          m_echelons[circle].add(layout.basis(input.dim, bit), layout.inputShift(input.dim) + bit);
  }

  /// A packed input with the output `target`, for one that differs from 0 in one bit of `dim` alone.
  std::optional<uint64_t> solve(uint64_t target, Dim dim, unsigned bit) const {
    if (bit < m_layout.inputBits(dim)) {
      const uint64_t same = uint64_t(1) << (m_layout.inputShift(dim) + bit);
      const uint64_t rest = target ^ m_layout.apply(same);
      if (rest == 0)
        return same;
      for (unsigned circle = 0; circle < circleOf(dim); ++circle)
        if (const auto found = m_echelons[circle].solve(rest))
          return *found ^ same;
    }
    for (unsigned circle = circleOf(dim); circle < Circles; ++circle)
      if (const auto found = m_echelons[circle].solve(target))
        return found;
    return std::nullopt;
  }

private:
  static constexpr unsigned Circles = 4;
  static unsigned circleOf(Dim dim) { return std::min(unsigned(dim), Circles - 1); }

  const LinearLayout &m_layout;
  Echelon m_echelons[Circles];
};

} // namespace

LinearLayout LinearLayout::invertAndCompose(const LinearLayout &other) const {
  assert(outputBits() == other.outputBits());
  // `other` again over this map's order of outputs, so that packed outputs compare.
  const LinearLayout target = other.transposeOutputs(dims(m_outputs));
  const NearestSolver solver(target);
  LinearLayout result(m_inputs, target.m_inputs, std::vector<uint64_t>(m_columns.size(), 0));
  for (const Extent &extent : m_inputs)
    for (unsigned bit = 0; bit < extent.bits; ++bit) {
      const unsigned index = inputShift(extent.dim) + bit;
      const auto input = solver.solve(m_columns[index], extent.dim, bit);
      assert(input && "the other layout does not reach all that this one does");
      result.m_columns[index] = result.packOutput(target.unpackInput(input.value_or(0)));
    }
  return result;
}

//===- The same bits otherwise --------------------------------------------------------------------===//

LinearLayout LinearLayout::sublayout(std::span<const Dim> inputs, std::span<const Dim> outputs) const {
  LinearLayout result;
  result.m_inputs = chosen(m_inputs, inputs);
  result.m_outputs = chosen(m_outputs, outputs);
  for (const Extent &extent : result.m_inputs)
    for (unsigned bit = 0; bit < extent.bits; ++bit) {
      uint64_t packed = 0;
      for (const Extent &output : result.m_outputs)
        packed |= field(basis(extent.dim, bit), outputShift(output.dim), output.bits)
                  << result.outputShift(output.dim);
      result.m_columns.push_back(packed);
    }
  return result;
}

LinearLayout LinearLayout::reshapeInputs(std::vector<Extent> inputs) const {
  assert(sumOfBits(inputs) == inputBits());
  return {std::move(inputs), m_outputs, m_columns};
}

LinearLayout LinearLayout::reshapeOutputs(std::vector<Extent> outputs) const {
  assert(sumOfBits(outputs) == outputBits());
  return {m_inputs, std::move(outputs), m_columns};
}

LinearLayout LinearLayout::transposeInputs(std::span<const Dim> order) const {
  LinearLayout result = sublayout(order, dims(m_outputs));
  assert(result.inputBits() == inputBits());
  return result;
}

LinearLayout LinearLayout::transposeOutputs(std::span<const Dim> order) const {
  LinearLayout result = sublayout(dims(m_inputs), order);
  assert(result.outputBits() == outputBits());
  return result;
}

LinearLayout LinearLayout::renameInput(Dim from, Dim to) const {
  return {renamed(m_inputs, from, to), m_outputs, m_columns};
}

LinearLayout LinearLayout::renameOutput(Dim from, Dim to) const {
  return {m_inputs, renamed(m_outputs, from, to), m_columns};
}

LinearLayout LinearLayout::withoutInputBits(Dim dim, uint64_t drop) const {
  LinearLayout result;
  result.m_inputs = m_inputs;
  result.m_outputs = m_outputs;
  for (Extent &extent : result.m_inputs) {
    const unsigned bits = extent.bits;
    for (unsigned bit = 0; bit < bits; ++bit)
      if (extent.dim == dim && drop >> bit & 1)
        --extent.bits;
      else
        result.m_columns.push_back(basis(extent.dim, bit));
  }
  return result;
}

//===- Questions ----------------------------------------------------------------------------------===//

uint64_t LinearLayout::freeVariableMask(Dim dim) const {
  // A bit is free if it is 0 or depends on bits before it, in the order of inputs: then it holds copies.
  uint64_t mask = 0;
  Echelon known;
  for (unsigned index = 0; index < m_columns.size(); ++index)
    if (!known.add(m_columns[index], index)) {
      const unsigned shift = inputShift(dim);
      if (index >= shift && index < shift + inputBits(dim))
        mask |= uint64_t(1) << (index - shift);
    }
  return mask;
}

unsigned LinearLayout::rank() const { return Echelon(m_columns).rank(); }

std::size_t hash_value(const LinearLayout &layout) {
  std::size_t hash = layout.m_columns.size();
  auto mix = [&](uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ull + (hash >> 29); };
  for (const Extent &extent : layout.m_inputs)
    mix(uint64_t(extent.dim) << 8 | extent.bits);
  for (const Extent &extent : layout.m_outputs)
    mix(uint64_t(extent.dim) << 16 | extent.bits);
  for (uint64_t column : layout.m_columns)
    mix(column);
  return hash;
}

} // namespace tilescope::layout
