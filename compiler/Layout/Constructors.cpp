// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Constructors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>

namespace tilescope::layout {
namespace {

unsigned log2(uint64_t size) {
  assert(std::has_single_bit(size));
  return unsigned(std::countr_zero(size));
}

/// Gives bits of the tile to registers, lanes and warps one after another, each dimension from its low bits
/// up. A thread's bit for which the tile has none left holds copies; a register's is left out.
class Dealer {
public:
  explicit Dealer(Shape shape) : m_outputs(tileExtents(shape)), m_dealt(shape.size(), 0) {}

  void deal(Dim to, unsigned dim, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i) {
      const bool left = m_dealt[dim] < m_outputs[dim].bits;
      if (left || to != Dim::Register)
        m_columns[to].push_back(left ? uint64_t(1) << (shift(dim) + m_dealt[dim]) : 0);
      m_dealt[dim] += left;
    }
  }
  /// Bits that hold copies.
  void copies(Dim to, unsigned bits) { m_columns[to].insert(m_columns[to].end(), bits, 0); }
  /// What is left of a dimension.
  void rest(Dim to, unsigned dim) { deal(to, dim, m_outputs[dim].bits - m_dealt[dim]); }

  LinearLayout layout() {
    std::vector<Extent> inputs;
    std::vector<uint64_t> columns;
    for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp}) {
      inputs.push_back({dim, unsigned(m_columns[dim].size())});
      columns.insert(columns.end(), m_columns[dim].begin(), m_columns[dim].end());
    }
    return {std::move(inputs), m_outputs, std::move(columns)};
  }

private:
  unsigned shift(unsigned dim) const {
    unsigned bits = 0;
    for (std::size_t i = dim + 1; i < m_outputs.size(); ++i)
      bits += m_outputs[i].bits;
    return bits;
  }
  std::vector<Extent> m_outputs;
  std::vector<unsigned> m_dealt;
  std::map<Dim, std::vector<uint64_t>> m_columns;
};

/// Without the outputs `dims`, which go (with `drop`) or become of size 1.
LinearLayout project(const LinearLayout &layout, std::span<const unsigned> dims, bool drop) {
  std::vector<Dim> inputs, outputs;
  for (const Extent &extent : layout.inputs())
    inputs.push_back(extent.dim);
  for (const Extent &extent : layout.outputs())
    if (std::ranges::find(dims, unsigned(extent.dim) - unsigned(Dim::Tile0)) == dims.end())
      outputs.push_back(extent.dim);
  const LinearLayout kept = layout.sublayout(inputs, outputs);
  std::vector<Extent> extents;
  for (const Extent &extent : layout.outputs())
    if (kept.hasOutput(extent.dim))
      extents.push_back(drop ? Extent{tileDim(unsigned(extents.size())), extent.bits} : extent);
    else if (!drop)
      extents.push_back({extent.dim, 0});
  return withoutCopies(kept.reshapeOutputs(std::move(extents)));
}

} // namespace

std::vector<Extent> tileExtents(Shape shape) {
  std::vector<Extent> extents;
  for (int64_t size : shape)
    extents.push_back({tileDim(unsigned(extents.size())), log2(uint64_t(size))});
  return extents;
}

LinearLayout withoutCopies(const LinearLayout &layout) {
  return layout.withoutInputBits(Dim::Register, layout.freeVariableMask(Dim::Register));
}

LinearLayout blocked(Shape shape, const Blocked &parameters) {
  Dealer dealer(shape);
  auto dealAll = [&](Dim to, const std::vector<int64_t> &sizes) {
    for (unsigned dim : parameters.order)
      dealer.deal(to, dim, log2(uint64_t(sizes[dim])));
  };
  dealAll(Dim::Register, parameters.sizePerThread);
  dealAll(Dim::Lane, parameters.threadsPerWarp);
  dealAll(Dim::Warp, parameters.warps);
  for (unsigned dim : parameters.order)
    dealer.rest(Dim::Register, dim);
  return dealer.layout();
}

LinearLayout fmaOperand(Shape shape, const Blocked &accumulator, unsigned operand) {
  const std::size_t first = shape.size() - 2, k = operand == 0 ? first + 1 : first;
  Blocked parameters = accumulator;
  parameters.sizePerThread[k] = shape[k]; // lanes and warps along K find nothing left and hold copies
  return blocked(shape, parameters);
}

LinearLayout slice(const LinearLayout &layout, unsigned dim) { return project(layout, {{dim}}, true); }

LinearLayout squeezed(const LinearLayout &layout, std::span<const unsigned> dims) {
  return project(layout, dims, false);
}

LinearLayout expandDims(const LinearLayout &layout, unsigned dim) {
  std::vector<Extent> extents(layout.outputs().begin(), layout.outputs().end());
  extents.insert(extents.begin() + dim, Extent{});
  unsigned index = 0;
  for (Extent &extent : extents)
    extent = {tileDim(index), index == dim ? 0 : extent.bits}, ++index;
  return layout.reshapeOutputs(std::move(extents));
}

//===- Tensor cores -------------------------------------------------------------------------------===//

namespace {

/// A tile of products: the fragment of one warp's instruction is dealt first, then warps, then what is left.
struct Fragment {
  Fragment(Shape shape, TensorCore warps) : dealer(shape), warps(warps), first(unsigned(shape.size()) - 2) {}

  /// Warps along `dim`, one of the two last dimensions or neither (copies).
  void warpsM(std::optional<unsigned> dim) { along(dim, log2(warps.warpsM)); }
  void warpsN(std::optional<unsigned> dim) { along(dim, log2(warps.warpsN)); }
  /// The batch's warps, then registers for all that is left, `inner` first.
  LinearLayout rest(unsigned inner, unsigned outer) {
    if (first == 1)
      along(0, log2(warps.warpsBatch));
    dealer.rest(Dim::Register, inner);
    dealer.rest(Dim::Register, outer);
    if (first == 1)
      dealer.rest(Dim::Register, 0);
    return dealer.layout();
  }

  Dealer dealer;
  TensorCore warps;
  unsigned first; ///< dimension of rows; that of columns is the next

private:
  void along(std::optional<unsigned> dim, unsigned bits) {
    dim ? dealer.deal(Dim::Warp, *dim, bits) : dealer.copies(Dim::Warp, bits);
  }
};

/// 16 rows of 8 columns: two neighbours of a row, four lanes a row, eight rows, and eight more.
void dealAccumulator(Dealer &dealer, unsigned m, unsigned n) {
  dealer.deal(Dim::Register, n, 1);
  dealer.deal(Dim::Lane, n, 2);
  dealer.deal(Dim::Lane, m, 3);
  dealer.deal(Dim::Register, m, 1);
}

/// Neighbours along K that make 32 bits, four lanes of them, eight rows (or columns), eight more rows, and as
/// much of K again.
void dealOperand(Dealer &dealer, unsigned operand, unsigned outer, unsigned k, unsigned bits) {
  dealer.deal(Dim::Register, k, log2(32 / bits));
  dealer.deal(Dim::Lane, k, 2);
  dealer.deal(Dim::Lane, outer, 3);
  if (operand == 0)
    dealer.deal(Dim::Register, outer, 1);
  dealer.deal(Dim::Register, k, 1);
}

} // namespace

LinearLayout mmaAccumulator(Shape shape, TensorCore warps) {
  Fragment fragment(shape, warps);
  const unsigned m = fragment.first, n = m + 1;
  dealAccumulator(fragment.dealer, m, n);
  fragment.warpsN(n);
  fragment.warpsM(m);
  return fragment.rest(n, m);
}

LinearLayout mmaOperand(Shape shape, TensorCore warps, unsigned operand, unsigned bits) {
  Fragment fragment(shape, warps);
  const unsigned k = fragment.first + (operand == 0), outer = fragment.first + (operand == 1);
  dealOperand(fragment.dealer, operand, outer, k, bits);
  fragment.warpsN(operand == 1 ? std::optional(outer) : std::nullopt);
  fragment.warpsM(operand == 0 ? std::optional(outer) : std::nullopt);
  return fragment.rest(k, outer);
}

LinearLayout wgmmaAccumulator(Shape shape, TensorCore warps, unsigned n) {
  assert(shape.size() == 2 && warps.warpsM % 4 == 0);
  Fragment fragment(shape, warps);
  dealAccumulator(fragment.dealer, 0, 1);
  fragment.dealer.deal(Dim::Register, 1, log2(n / 8));
  fragment.warpsM(0);
  fragment.warpsN(1);
  return fragment.rest(1, 0);
}

LinearLayout wgmmaOperand(Shape shape, TensorCore warps, unsigned bits) {
  assert(shape.size() == 2 && warps.warpsM % 4 == 0);
  Fragment fragment(shape, warps);
  dealOperand(fragment.dealer, 0, 0, 1, bits);
  fragment.warpsM(0);
  fragment.warpsN(std::nullopt);
  return fragment.rest(1, 0);
}

//===- Shared memory ------------------------------------------------------------------------------===//

LinearLayout sharedLayout(Shape shape, std::span<const unsigned> order, Swizzle swizzle) {
  const std::vector<Extent> outputs = tileExtents(shape);
  const LinearLayout packing({}, outputs, {});
  std::vector<uint64_t> columns;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (unsigned bit = 0; bit < outputs[order[i]].bits; ++bit) {
      uint64_t column = uint64_t(1) << (packing.outputShift(tileDim(order[i])) + bit);
      if (i == 1) {
        const uint64_t phase = (uint64_t(1) << bit) / swizzle.perPhase % swizzle.maxPhase;
        const uint64_t exchanged = phase * swizzle.vector % uint64_t(shape[order[0]]);
        column |= exchanged << packing.outputShift(tileDim(order[0]));
      }
      columns.push_back(column);
    }
  const unsigned bits = unsigned(columns.size());
  return {{{Dim::Offset, bits}}, outputs, std::move(columns)};
}

LinearLayout nvmmaShared(Shape shape, unsigned bits, unsigned swizzleBytes, bool transposed) {
  assert(shape.size() == 2);
  const unsigned row = transposed ? 0 : 1, order[] = {row, 1 - row};
  if (swizzleBytes == 0)
    return sharedLayout(shape, order);
  const int64_t width = swizzleBytes * 8 / bits;
  assert(width <= shape[row]);
  int64_t panel[] = {shape[0], shape[1]};
  panel[row] = width;
  const Swizzle swizzle{.vector = 128 / bits, .perPhase = 128 / swizzleBytes, .maxPhase = swizzleBytes / 16};
  return sharedLayout(panel, order, swizzle) *
         LinearLayout::identity(Dim::Offset, tileDim(row), log2(uint64_t(shape[row] / width)));
}

} // namespace tilescope::layout
