// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix (PTX ISA, "Warp-level matrix instructions: ldmatrix"): a warp loads up to four matrices of eight rows of 16
// bytes. Each lane names a row of one of them, and gets of each matrix a word: of row lane / 4 the word lane % 4, or
// transposed, of elements of 16 bits, of rows 2 · (lane % 4) and the next the element lane / 4. Code generation and the
// model ask here whether a tile can be loaded so.
#pragma once

#include "compiler/Layout/Conflicts.h"

namespace tilescope::layout {

struct MatrixLoad {
  bool isTransposed = false;
  std::vector<unsigned> inWord;   ///< bits of registers that number the elements of a word, the lowest first
  std::vector<unsigned> matrices; ///< bits of registers that number the matrices of an instruction: at most two
  /// To (offset) in bytes: from lanes to the rows that they name, and from warps and the other bits of registers.
  LinearLayout rows;
  SharedAccess access;
};

/// `registers` (register, lane, warp) and `shared` (offset) as `sharedAccess` has them. Nothing where lanes do not share
/// rows of 16 bytes as the instruction has it.
std::optional<MatrixLoad> matrixLoad(const LinearLayout &registers, const LinearLayout &shared, unsigned bits);

} // namespace tilescope::layout
