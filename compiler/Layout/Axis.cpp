// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Axis.h"

#include <bit>

namespace tilescope::layout {

uint64_t AxisRun::holderOf(uint64_t index) const {
  uint64_t holder = 0;
  for (size_t i = 0; i < bits.size(); ++i)
    holder |= (index >> i & 1) << bits[i];
  return holder;
}

namespace {

struct Holder {
  Dim dim;
  unsigned bit;
};

/// By the bit of the index.
std::optional<std::vector<Holder>> holdersOf(const LinearLayout &layout, unsigned axis) {
  const unsigned shift = layout.outputShift(tileDim(axis)), count = layout.outputBits(tileDim(axis));
  const uint64_t along = (layout.outputSize(tileDim(axis)) - 1) << shift;
  std::vector<std::optional<Holder>> found(count);
  for (const Extent &input : layout.inputs())
    for (unsigned bit = 0; bit < input.bits; ++bit) {
      const uint64_t column = layout.basis(input.dim, bit);
      if ((column & along) == 0)
        continue;
      std::optional<Holder> &place = found[unsigned(std::countr_zero(column & along)) - shift];
      if (!std::has_single_bit(column) || place)
        return std::nullopt;
      place = {input.dim, bit};
    }
  std::vector<Holder> holders;
  for (const std::optional<Holder> &holder : found) {
    if (!holder)
      return std::nullopt;
    holders.push_back(*holder);
  }
  return holders;
}

} // namespace

std::optional<std::vector<AxisRun>> axisRuns(const LinearLayout &layout, unsigned axis) {
  const std::optional<std::vector<Holder>> holders = holdersOf(layout, axis);
  if (!holders)
    return std::nullopt;
  std::vector<AxisRun> runs;
  for (unsigned index = 0; index < holders->size(); ++index) {
    const Holder &holder = (*holders)[index];
    if (runs.empty() || runs.back().dim != holder.dim)
      runs.push_back({holder.dim, index, {}});
    runs.back().bits.push_back(holder.bit);
  }
  return runs;
}

} // namespace tilescope::layout
