// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts of the prelude, by theme: the part of triton.language that can be said in the language itself.
// In them `tl` is triton.language, functions see each other, `@method` marks those that are also methods
// (`x.flip()`), and tl._require(condition, id, arguments…) gives a diagnostic where the condition is false.
#pragma once

namespace tilescope::frontend {

extern const char *const arithmeticPrelude; ///< PreludeArithmetic.cpp: cdiv, softmax, reductions, argmax
extern const char *const shapePrelude;      ///< PreludeShape.cpp: zeros, ravel, squeeze, flip, swizzle2d
extern const char *const sortPrelude;       ///< PreludeSort.cpp: sort, topk, bitonic_merge
extern const char *const memoryPrelude;     ///< PreludeMemory.cpp: atomic_poll
extern const char *const randomPrelude;     ///< PreludeRandom.cpp: philox and what is drawn from it

} // namespace tilescope::frontend
