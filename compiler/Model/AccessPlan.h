// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the threads of a program reach one tile in memory: which elements each instruction of each lane takes.
// One plan is made for an access; the code generator emits its instructions and the model counts them, so
// that the two cannot differ. Nothing in it depends on where the tile lies or on what is masked off.
#pragma once

#include "compiler/Layout/LinearLayout.h"

#include <array>
#include <optional>
#include <span>

namespace tilescope::model {

enum class AccessKind : uint8_t { Load, Store, Atomic, Copy };

constexpr unsigned kWarpLanes = 32;
constexpr unsigned kWidestAccessBytes = 16; ///< of one thread's instruction

/// Elements of one instruction of one lane, as packed (row-major) numbers of the tile: neighbours in memory,
/// lowest address first.
struct LaneElements {
  std::array<uint64_t, kWidestAccessBytes> numbers{};
  unsigned count = 0;
  uint64_t first() const { return numbers[0]; }
  std::span<const uint64_t> all() const { return std::span(numbers).first(count); }
};

struct AccessPlan {
  /// (register, lane, warp) -> the tile's dimensions. No lanes: all 32 hold the same.
  layout::LinearLayout layout;
  unsigned elementBytes = 4; ///< 1, 2, 4 or 8
  AccessKind kind = AccessKind::Load;
  /// Bits of the register number that count the elements of an instruction, the one that counts neighbours
  /// first. The other bits that aren't free count instructions, lowest first.
  std::vector<unsigned> vectorBits;
  /// Bits of register, lane and warp numbers that choose between copies (`freeVariableMask`): a register,
  /// lane or warp with one of them set is a replica. Replicated registers make no instruction: they take the
  /// value of their `sourceRegister`. Replicated lanes and warps load, since they need the value too; they
  /// are predicated off in stores, atomics and copies to shared memory.
  uint64_t freeRegisters = 0, freeLanes = 0, freeWarps = 0;

  unsigned vectorElements() const { return 1u << vectorBits.size(); } ///< of one thread's instruction
  unsigned widthBytes() const { return elementBytes * vectorElements(); }
  unsigned instructions() const; ///< of each thread
  unsigned warps() const { return unsigned(layout.inputSize(layout::Dim::Warp)); }

  bool isReplica(unsigned warp, unsigned lane) const {
    return (warp & freeWarps) != 0 || (lane & freeLanes) != 0;
  }
  /// Whether the lane issues the access at all (where no element of it is masked off).
  bool takesPart(unsigned warp, unsigned lane) const {
    return kind == AccessKind::Load || !isReplica(warp, lane);
  }
  /// The register of element `element` (from 0, by address) of an instruction.
  unsigned registerOf(unsigned instruction, unsigned element) const;
  /// The register of some instruction that holds the same element as `number` in every thread: itself, unless
  /// it is a replica.
  unsigned sourceRegister(unsigned number) const;
  /// What a lane takes; nothing where it takes no part.
  std::optional<LaneElements> elements(unsigned instruction, unsigned warp, unsigned lane) const;
};

/// The plan of an access to a tile whose neighbours along `dim` are neighbours in memory, in aligned groups
/// of `alignedElements` (a power of two) that are masked off together or not at all. Instructions are as wide
/// as this and the layout allow, at most 16 bytes; 1 for `alignedElements` promises nothing.
AccessPlan planAccess(layout::LinearLayout layout, unsigned elementBytes, AccessKind kind, unsigned dim,
                      unsigned alignedElements);

/// The same where instructions of `vectorElements` were chosen already: nothing where the layout does not
/// have so many neighbours along `dim` in a thread.
std::optional<AccessPlan> planAccessOfWidth(layout::LinearLayout layout, unsigned elementBytes,
                                            AccessKind kind, unsigned dim, unsigned vectorElements);

/// Calls visit(instruction, warp, lane, LaneElements) for all that take part, lanes fastest.
template <typename Visit> void forEachAccess(const AccessPlan &plan, Visit visit) {
  for (unsigned instruction = 0; instruction < plan.instructions(); ++instruction)
    for (unsigned warp = 0; warp < plan.warps(); ++warp)
      for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        if (const auto elements = plan.elements(instruction, warp, lane))
          visit(instruction, warp, lane, *elements);
}

} // namespace tilescope::model
