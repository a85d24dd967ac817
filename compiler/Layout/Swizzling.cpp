// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Swizzling.h"

#include "compiler/Layout/Bits.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

namespace tilescope::layout {
namespace {

/// Every dimension once as the fastest, the others row-major behind it.
std::vector<std::vector<unsigned>> ordersOf(std::size_t rank) {
  std::vector<std::vector<unsigned>> orders;
  for (std::size_t fastest = rank; fastest-- > 0;) {
    orders.push_back({unsigned(fastest)});
    for (std::size_t dim = rank; dim-- > 0;)
      if (dim != fastest)
        orders.back().push_back(unsigned(dim));
  }
  return orders;
}

/// Swizzles of rows of `row` elements, no swizzling first.
std::vector<Swizzle> swizzlesOf(unsigned row, unsigned rows, unsigned widest) {
  std::vector<Swizzle> swizzles{{}};
  for (unsigned maxPhase = 2; maxPhase <= std::min({row, rows, 32u}); maxPhase *= 2)
    for (unsigned vector = std::min(widest, row / maxPhase); vector > 0; vector /= 2)
      for (unsigned perPhase = 1; perPhase * maxPhase <= std::min(rows, 32u); perPhase *= 2)
        swizzles.push_back({vector, perPhase, maxPhase});
  return swizzles;
}

struct Cost {
  unsigned wavefronts = 0, instructions = 0, ideal = 0;
  bool isLessThan(const Cost &other) const {
    return std::tie(wavefronts, instructions) < std::tie(other.wavefronts, other.instructions);
  }
};

Cost costOf(const LinearLayout &shared, unsigned bits, std::span<const SharedUse> uses) {
  Cost cost;
  for (const SharedUse &use : uses) {
    const SharedAccess access = sharedAccess(use.registers, shared, bits, use.direction);
    cost.wavefronts += access.totalWavefronts();
    cost.instructions += access.instructions;
    cost.ideal += access.instructions * access.ideal;
  }
  return cost;
}

/// What no layout can be better than: a wavefront is 128 bytes, an instruction 16 bytes a lane.
Cost bestOf(unsigned bits, std::span<const SharedUse> uses) {
  Cost cost;
  for (const SharedUse &use : uses) {
    const unsigned registers = unsigned(use.registers.inputSize(Dim::Register));
    const Dim warp[] = {Dim::Register, Dim::Lane};
    std::vector<Dim> tile;
    for (const Extent &extent : use.registers.outputs())
      tile.push_back(extent.dim);
    const uint64_t distinct = uint64_t(1) << use.registers.sublayout(warp, tile).rank();
    const uint64_t elements = use.direction == Direction::Load ? distinct : uint64_t(registers) * 32;
    cost.instructions += std::max(1u, registers * bits / 128);
    cost.wavefronts += unsigned(std::max<uint64_t>(1, elements * bits / 1024));
  }
  return cost;
}

} // namespace

SwizzleChoice chooseSwizzle(Shape shape, unsigned bits, std::span<const SharedUse> uses,
                            std::span<const unsigned> order) {
  std::vector<std::vector<unsigned>> orders = ordersOf(shape.size());
  if (!order.empty())
    orders.assign(1, {order.begin(), order.end()});
  const Cost best = bestOf(bits, uses);
  SwizzleChoice choice;
  Cost least;
  for (const std::vector<unsigned> &candidate : orders) {
    const unsigned rows = candidate.size() > 1 ? unsigned(shape[candidate[1]]) : 1;
    for (const Swizzle &swizzle : swizzlesOf(unsigned(shape[candidate[0]]), rows, 128 / bits)) {
      const Cost cost = costOf(sharedLayout(shape, candidate, swizzle), bits, uses);
      if (!choice.order.empty() && !cost.isLessThan(least))
        continue;
      choice = {candidate, swizzle, cost.wavefronts, cost.ideal};
      least = cost;
      if (!best.isLessThan(cost))
        return choice;
    }
  }
  return choice;
}

//===- Made for one exchange ----------------------------------------------------------------------===//

namespace {

/// Independent bits of a tile, in order.
class BitSet {
public:
  void add(uint64_t column) {
    if (m_known.add(column, unsigned(m_columns.size())))
      m_columns.push_back(column);
  }
  void add(std::span<const uint64_t> columns, unsigned most) {
    for (uint64_t column : columns)
      if (m_columns.size() < most)
        add(column);
  }
  const std::vector<uint64_t> &columns() const { return m_columns; }
  /// Those of `others` that are independent of this set and of each other.
  std::vector<uint64_t> extendedBy(std::span<const uint64_t> others) const {
    BitSet all = *this;
    all.add(others, 64);
    return {all.m_columns.begin() + std::ptrdiff_t(m_columns.size()), all.m_columns.end()};
  }

private:
  Echelon m_known;
  std::vector<uint64_t> m_columns;
};

/// What makes up one side: the bits of its registers and lanes, over the tile.
struct Side {
  explicit Side(const LinearLayout &layout)
      : registers(layout.columns().first(layout.inputBits(Dim::Register))),
        lanes(layout.columns().subspan(layout.inputShift(Dim::Lane), layout.inputBits(Dim::Lane))) {}
  std::span<const uint64_t> registers, lanes;
};

/// Offsets of a tile of `tileBits` in lines of `lineBits`: `low` come first, then lanes of `first`. What is
/// apart by a line (the bits behind them) is apart for the lanes of `second`, too: both sides have a line's
/// worth of bits, and where those differ, a bit of one is put on the sum of both.
std::vector<uint64_t> linesOf(const BitSet &low, const BitSet &common, const Side &first, const Side &second,
                              unsigned lineBits, unsigned tileBits) {
  std::vector<uint64_t> tile;
  for (unsigned bit = 0; bit < tileBits; ++bit)
    tile.push_back(uint64_t(1) << bit);
  BitSet one = low, other = common;
  one.add(first.lanes, lineBits);
  other.add(second.lanes, lineBits);
  for (auto [set, rest] : {std::pair(&one, &other), std::pair(&other, &one)}) {
    set->add(rest->columns(), lineBits);
    set->add(tile, lineBits);
  }
  std::vector<uint64_t> offsets = one.columns();
  const std::vector<uint64_t> onlyOther = one.extendedBy(other.columns()),
                              onlyOne = other.extendedBy(one.columns());
  for (std::size_t i = 0; i < onlyOne.size(); ++i)
    offsets.push_back(onlyOne[i] ^ onlyOther[i]);
  BitSet both = one;
  both.add(other.columns(), 64);
  for (uint64_t bit : both.extendedBy(tile))
    offsets.push_back(bit);
  return offsets;
}

} // namespace

LinearLayout exchangeLayout(const LinearLayout &stored, const LinearLayout &loaded, unsigned bits) {
  const unsigned elementBits = unsigned(std::countr_zero(bits / 8)), tileBits = stored.outputBits();
  const unsigned lineBits = std::min(tileBits, 7 - elementBits), widest = std::min(lineBits, 4 - elementBits);
  const Side store(stored), load(loaded);
  BitSet common;
  for (uint64_t column : store.registers)
    if (std::ranges::count(load.registers, column) > 0 && common.columns().size() < widest)
      common.add(column);

  const SharedUse uses[] = {{stored, Direction::Store}, {loaded, Direction::Load}};
  std::optional<LinearLayout> choice;
  Cost least;
  for (bool storeFirst : {true, false})
    for (unsigned vector = widest + 1; vector-- > common.columns().size();) {
      const Side &first = storeFirst ? store : load, &second = storeFirst ? load : store;
      BitSet low = common;
      low.add(first.registers, vector);
      LinearLayout candidate({{Dim::Offset, tileBits}}, {stored.outputs().begin(), stored.outputs().end()},
                             linesOf(low, common, first, second, lineBits, tileBits));
      const Cost cost = costOf(candidate, bits, uses);
      if (!choice || cost.isLessThan(least)) {
        choice = std::move(candidate);
        least = cost;
      }
    }
  return *choice;
}

} // namespace tilescope::layout
