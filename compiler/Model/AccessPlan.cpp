// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making and reading access plans; see AccessPlan.h.
#include "compiler/Model/AccessPlan.h"

#include "compiler/Layout/Bits.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tilescope::model {
namespace {

using layout::Dim;
using layout::LinearLayout;

/// The register bit that alone moves by `step` in the tile; nothing else that isn't a copy may touch it, or
/// groups of neighbours would not be the same in all threads.
std::optional<unsigned> registerBitOf(const LinearLayout &layout, uint64_t step, uint64_t freeRegisters) {
  std::optional<unsigned> found;
  const unsigned shift = layout.inputShift(Dim::Register), registers = layout.inputBits(Dim::Register);
  for (unsigned index = 0; index < layout.inputBits(); ++index) {
    const unsigned bit = index - shift; // huge for what comes before registers
    const bool isRegister = bit < registers;
    if ((layout.columns()[index] & step) == 0 || (isRegister && (freeRegisters >> bit & 1)))
      continue;
    if (!isRegister || layout.columns()[index] != step || found)
      return std::nullopt;
    found = bit;
  }
  return found;
}

} // namespace

unsigned AccessPlan::instructions() const {
  return 1u << (layout.inputBits(Dim::Register) - unsigned(std::popcount(freeRegisters)) -
                unsigned(vectorBits.size()));
}

unsigned AccessPlan::registerOf(unsigned instruction, unsigned element) const {
  unsigned number = 0;
  for (unsigned bit = 0; bit < vectorBits.size(); ++bit)
    number |= (element >> bit & 1) << vectorBits[bit];
  for (unsigned bit = 0; bit < layout.inputBits(Dim::Register); ++bit) {
    if ((freeRegisters >> bit & 1) || std::ranges::count(vectorBits, bit) > 0)
      continue;
    number |= (instruction & 1) << bit;
    instruction >>= 1;
  }
  return number;
}

unsigned AccessPlan::sourceRegister(unsigned number) const {
  // A free bit moves by nothing or by the sum of others; the solution takes those.
  const auto columns =
      layout.columns().subspan(layout.inputShift(Dim::Register), layout.inputBits(Dim::Register));
  return unsigned(*layout::Echelon(columns).solve(layout::multiply(columns, number)));
}

std::optional<LaneElements> AccessPlan::elements(unsigned instruction, unsigned warp, unsigned lane) const {
  assert(instruction < instructions() && warp < warps() && lane < kWarpLanes);
  if (!takesPart(warp, lane))
    return std::nullopt;
  const uint64_t laneInLayout = lane & (layout.inputSize(Dim::Lane) - 1);
  const std::array<layout::Coordinate, 3> place = {
      {{Dim::Register, registerOf(instruction, 0)}, {Dim::Lane, laneInLayout}, {Dim::Warp, warp}}};
  LaneElements result;
  result.count = vectorElements();
  result.numbers[0] = layout.apply(layout.packInput(place));
  for (unsigned bit = 0; bit < vectorBits.size(); ++bit)
    for (unsigned element = 0; element < 1u << bit; ++element)
      result.numbers[element | 1u << bit] =
          result.numbers[element] ^ layout.basis(Dim::Register, vectorBits[bit]);
  return result;
}

AccessPlan planAccess(LinearLayout layout, unsigned elementBytes, AccessKind kind, unsigned dim,
                      unsigned alignedElements) {
  AccessPlan plan;
  plan.elementBytes = elementBytes;
  plan.kind = kind;
  plan.freeRegisters = layout.freeVariableMask(Dim::Register);
  plan.freeWarps = layout.freeVariableMask(Dim::Warp);
  // Lanes above those that the layout has repeat them.
  plan.freeLanes =
      layout.freeVariableMask(Dim::Lane) | ((kWarpLanes - 1) & ~(layout.inputSize(Dim::Lane) - 1));
  const uint64_t neighbour = uint64_t(1) << layout.outputShift(layout::tileDim(dim));
  while (plan.vectorElements() * 2 <= alignedElements && plan.widthBytes() * 2 <= kWidestAccessBytes &&
         plan.vectorBits.size() < layout.outputBits(layout::tileDim(dim))) {
    const auto bit = registerBitOf(layout, neighbour << plan.vectorBits.size(), plan.freeRegisters);
    if (!bit)
      break;
    plan.vectorBits.push_back(*bit);
  }
  plan.layout = std::move(layout);
  return plan;
}

std::optional<AccessPlan> planAccessOfWidth(LinearLayout layout, unsigned elementBytes, AccessKind kind,
                                            unsigned dim, unsigned vectorElements) {
  AccessPlan plan = planAccess(std::move(layout), elementBytes, kind, dim, vectorElements);
  if (plan.vectorElements() != vectorElements)
    return std::nullopt;
  return plan;
}

} // namespace tilescope::model
