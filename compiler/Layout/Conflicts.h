// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bank conflicts of shared memory, from the layouts alone. A map from lanes to words is linear, so every bank
// that is hit at all is hit by equally many words: 2^(rank of words - rank of banks). The rules that turn
// words into wavefronts are those measured on an H200 (compiler/docs/layout.md), for accesses without a mask.
#pragma once

#include "compiler/Layout/LinearLayout.h"

namespace tilescope::layout {

/// How the registers of a tile go to or come from shared memory.
struct SharedAccess {
  unsigned vector = 1;       ///< elements of an instruction, neighbours in memory
  unsigned instructions = 1; ///< of each warp
  unsigned wavefronts = 1;   ///< of each instruction
  unsigned ideal = 1;        ///< wavefronts of an instruction of this width without conflicts
  unsigned totalWavefronts() const { return instructions * wavefronts; }
  unsigned conflicts() const { return wavefronts - ideal; }
};

enum class Direction { Load, Store };

/// Bits of registers that count the elements of one instruction, the one that counts neighbours first: as many
/// as are the lowest bits of the offset, and nothing else is; up to 16 bytes of elements of `bits`. `offsets` is
/// from (register, lane, warp) to (offset). Code generation and the model ask here.
std::vector<unsigned> sharedVectorBits(const LinearLayout &offsets, unsigned bits);

/// `registers` (register, lane, warp) and `shared` (offset) are of one tile, of elements of `bits`, 8 to 64;
/// `shared` is a bijection. Instructions are as wide as can be, up to `mostElements` and 16 bytes, with the bits
/// of registers in any order.
SharedAccess sharedAccess(const LinearLayout &registers, const LinearLayout &shared, unsigned bits,
                          Direction direction, unsigned mostElements = 16);

} // namespace tilescope::layout
