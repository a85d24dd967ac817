// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Kind.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tilescope::layout {
namespace {

std::vector<int64_t> shapeOf(const LinearLayout &layout) {
  std::vector<int64_t> shape;
  for (const Extent &extent : layout.outputs())
    shape.push_back(int64_t(extent.size()));
  return shape;
}

/// Reads the parameters of a blocked layout off its columns, for one order of dimensions.
class BlockedReader {
public:
  BlockedReader(const LinearLayout &layout, std::vector<unsigned> order)
      : m_layout(layout), m_used(order.size(), 0), m_order(std::move(order)) {}

  /// The parameters if the first `registers` bits of registers are neighbours in a thread.
  std::optional<Blocked> read(unsigned registers) {
    const std::vector<int64_t> ones(m_order.size(), 1);
    Blocked parameters{ones, ones, ones, m_order};
    std::ranges::fill(m_used, 0);
    if (!take(Dim::Register, registers, parameters.sizePerThread) ||
        !take(Dim::Lane, m_layout.inputBits(Dim::Lane), parameters.threadsPerWarp) ||
        !take(Dim::Warp, m_layout.inputBits(Dim::Warp), parameters.warps) ||
        blocked(shapeOf(m_layout), parameters) != m_layout)
      return std::nullopt;
    return parameters;
  }

private:
  /// Gives the first bits of an input to dimensions, in order; false if they are in no order.
  bool take(Dim input, unsigned bits, std::vector<int64_t> &sizes) {
    auto at = m_order.begin();
    for (unsigned bit = 0; bit < bits; ++bit) {
      at = std::find_if(at, m_order.end(),
                        [&](unsigned dim) { return fits(m_layout.basis(input, bit), dim); });
      if (at == m_order.end())
        return false;
      sizes[*at] *= 2;
      m_used[*at] += m_layout.basis(input, bit) != 0;
    }
    return true;
  }
  /// Copies are of a dimension that has no bits left.
  bool fits(uint64_t column, unsigned dim) const {
    const Extent &extent = m_layout.outputs()[dim];
    if (column == 0)
      return m_used[dim] == extent.bits;
    return m_used[dim] < extent.bits && column == uint64_t(1)
                                                      << (m_layout.outputShift(extent.dim) + m_used[dim]);
  }

  const LinearLayout &m_layout;
  std::vector<unsigned> m_used, m_order;
};

/// Calls `visit` with the ways to lay the warps of a program along M, N and, for rank 3, a batch, until it is
/// true.
template <typename Visit> bool anyTensorCore(const LinearLayout &layout, Visit visit) {
  const unsigned bits = layout.inputBits(Dim::Warp), rank = unsigned(layout.outputs().size());
  if (rank != 2 && rank != 3)
    return false;
  for (unsigned m = 0; m <= bits; ++m)
    for (unsigned batch = 0; batch <= (rank == 3 ? bits - m : 0); ++batch)
      if (visit(TensorCore{1u << m, 1u << (bits - m - batch), 1u << batch}))
        return true;
  return false;
}

/// Warps of wgmma come in fours, and its tiles have no batch.
bool mayBeWgmma(Shape shape, TensorCore warps) { return shape.size() == 2 && warps.warpsM % 4 == 0; }

bool isAccumulator(const LinearLayout &layout) {
  const std::vector<int64_t> shape = shapeOf(layout);
  return anyTensorCore(layout, [&](TensorCore warps) {
    if (shape[shape.size() - 2] < 16 || shape.back() < 8)
      return false;
    if (layout == mmaAccumulator(shape, warps))
      return true;
    for (unsigned n = 8; n <= 256; n *= 2)
      if (mayBeWgmma(shape, warps) && layout == wgmmaAccumulator(shape, warps, n))
        return true;
    return false;
  });
}

bool isOperand(const LinearLayout &layout) {
  const std::vector<int64_t> shape = shapeOf(layout);
  return anyTensorCore(layout, [&](TensorCore warps) {
    for (unsigned bits : {8, 16, 32})
      if (layout == mmaOperand(shape, warps, 0, bits) || layout == mmaOperand(shape, warps, 1, bits) ||
          (mayBeWgmma(shape, warps) && layout == wgmmaOperand(shape, warps, bits)))
        return true;
    return false;
  });
}

/// Whether every column is 0 or one bit that no other has.
bool movesBits(const LinearLayout &layout) {
  uint64_t seen = 0;
  for (uint64_t column : layout.columns()) {
    if (std::popcount(column) > 1 || (seen & column) != 0)
      return false;
    seen |= column;
  }
  return true;
}

} // namespace

std::optional<Blocked> asBlocked(const LinearLayout &layout) {
  const std::size_t rank = layout.outputs().size();
  if (rank == 0 || rank > 4 || !movesBits(layout))
    return std::nullopt;
  std::vector<unsigned> order(rank);
  std::iota(order.rbegin(), order.rend(), 0); // rows first
  do {
    BlockedReader reader(layout, order);
    for (unsigned registers = layout.inputBits(Dim::Register) + 1; registers-- > 0;)
      if (auto parameters = reader.read(registers))
        return parameters;
  } while (std::ranges::prev_permutation(order).found);
  return std::nullopt;
}

std::string_view kind(const LinearLayout &layout) {
  if (layout.hasInput(Dim::Offset))
    return "shared";
  if (isAccumulator(layout))
    return "mma";
  if (asBlocked(layout))
    return "blocked";
  if (isOperand(layout))
    return "operand";
  return movesBits(layout) && layout.rank() < layout.inputBits() ? "slice" : "linear";
}

} // namespace tilescope::layout
