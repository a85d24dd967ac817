// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Gather.h"

#include <algorithm>
#include <bit>

namespace tilescope::layout {
namespace {

/// Words that 32 lanes with random addresses meet in a bank: 3.5 in the mean.
constexpr uint64_t RandomWavefronts = 4;

/// Whether the places differ from the inputs' own coordinate of `dim` only by what makes no difference in `source`.
bool stays(const LinearLayout &source, const LinearLayout &places, Dim dim) {
  for (const Extent &input : places.inputs())
    for (unsigned bit = 0; bit < input.bits; ++bit) {
      const uint64_t own = input.dim == dim ? uint64_t(1) << bit : 0;
      const uint64_t place = places.basis(input.dim, bit) >> places.outputShift(dim) & (places.outputSize(dim) - 1);
      const uint64_t moved = (place ^ own) << source.inputShift(dim);
      for (uint64_t rest = moved; rest != 0; rest &= rest - 1)
        if (source.columns()[unsigned(std::countr_zero(rest))] != 0)
          return false;
    }
  return true;
}

uint64_t costOf(const LinearLayout &source, const LinearLayout &result, bool isShuffled, uint64_t candidates) {
  const uint64_t loads = result.inputSize(Dim::Register);
  return isShuffled ? loads << std::popcount(candidates)
                    : source.inputSize(Dim::Register) + RandomWavefronts * loads;
}

} // namespace

LinearLayout gatherLines(const LinearLayout &source, const LinearLayout &result, unsigned axis) {
  std::vector<uint64_t> columns;
  for (uint64_t column : result.columns()) {
    std::vector<Coordinate> place = result.unpackOutput(column);
    place[axis].value = 0;
    columns.push_back(source.packOutput(place));
  }
  return {{result.inputs().begin(), result.inputs().end()}, {source.outputs().begin(), source.outputs().end()}, std::move(columns)};
}

std::optional<WarpGather> warpGather(const LinearLayout &source, const LinearLayout &result, unsigned axis) {
  const auto runs = axisRuns(source, axis);
  const auto isAlong = [&](Dim dim) { return std::ranges::count(*runs, dim, &AxisRun::dim) > 0; };
  if (!runs || isAlong(Dim::Warp))
    return std::nullopt;
  const LinearLayout places = gatherLines(source, result, axis).invertAndCompose(source);
  if (!stays(source, places, Dim::Warp))
    return std::nullopt;

  const Dim inputs[] = {Dim::Register, Dim::Lane, Dim::Warp}, outputs[] = {Dim::Register, Dim::Lane};
  WarpGather gather{places.sublayout(inputs, outputs), *runs, 0, !isAlong(Dim::Lane) && stays(source, places, Dim::Lane)};
  for (const AxisRun &run : *runs)
    if (run.dim == Dim::Register)
      gather.candidates |= run.mask();
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (unsigned bit = 0; bit < gather.first.inputBits(dim); ++bit)
      gather.candidates |= gather.first.basis(dim, bit) >> gather.first.outputShift(Dim::Register) &
                           (gather.first.outputSize(Dim::Register) - 1);
  if (!gather.isWithinThread && costOf(source, result, true, gather.candidates) > costOf(source, result, false, 0))
    return std::nullopt;
  return gather;
}

} // namespace tilescope::layout
