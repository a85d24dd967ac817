// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a tile goes from one layout of registers to another: inside each thread, by shuffles inside each warp,
// or through shared memory. All of it follows from one map, from each place of the result to the place of the
// operand that has the same element (Zhou et al. 2025, arXiv 2505.23819). Code generation and animations read
// the plan.
#pragma once

#include "compiler/Layout/Swizzling.h"

#include <optional>

namespace tilescope::layout {

enum class Movement : uint8_t {
  None,         ///< the layouts are the same
  WithinThread, ///< registers of a thread change places
  WithinWarp,   ///< lanes of a warp exchange words
  AcrossWarps,  ///< through shared memory, with a barrier
};
/// "none", "within-thread", "within-warp", "across-warps".
std::string_view name(Movement movement);

/// Bits of registers that number the elements of one 32-bit word, in the operand and in the result.
struct PackedBit {
  unsigned operand = 0, result = 0;
};

/// An exchange in rounds. In round i each lane sends one word, reads one from a lane and puts it into one of
/// its registers. "Registers" are words here: the packed bits are left out of their numbers. All three maps
/// are from (register: the round, lane, warp).
struct Shuffles {
  std::vector<PackedBit> packed;
  LinearLayout send; ///< to (register) of the operand that a lane gives to whoever reads from it
  LinearLayout from; ///< to (lane) that a lane reads from
  LinearLayout fill; ///< to (register) of the result
  /// Bits of lanes that take turns, where one lane would have to send two words at once: a lane puts what it
  /// reads into a register only in rounds whose highest bits are those bits of its number.
  uint64_t turns = 0;
  unsigned rounds = 1;
  unsigned localRounds = 0;  ///< of them, those in which every lane reads from itself: a move
  unsigned instructions = 0; ///< shfl.sync of a warp; elements of 64 bits take two each
};

/// Through a buffer that holds the whole tile once (`exchangeLayout`).
struct SharedExchange {
  LinearLayout shared;
  uint64_t bytes = 0;
  SharedAccess store, load;
};

struct Conversion {
  Movement movement = Movement::None;
  /// (register, lane, warp) of the result to those of the operand.
  LinearLayout sources;
  std::optional<Shuffles> shuffles;       ///< only within a warp
  std::optional<SharedExchange> exchange; ///< only across warps
};

/// Both layouts are of one tile with elements of `bits` (8 to 64), from (register, lane, warp) of the same
/// sizes but for registers, and reach all of it. Nothing moves further than it has to.
Conversion convert(const LinearLayout &operand, const LinearLayout &result, unsigned bits);

} // namespace tilescope::layout
