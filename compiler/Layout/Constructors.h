// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that passes ask for by name. All are in normal form: no register holds a copy of another one
// (`withoutCopies`); lanes and warps may, where a tile is smaller than the program. Shapes are powers of two;
// `order` names dimensions, the fastest first, as Triton has it.
#pragma once

#include "compiler/Layout/LinearLayout.h"

namespace tilescope::layout {

using Shape = std::span<const int64_t>;

/// dim0 … with the sizes of a shape.
std::vector<Extent> tileExtents(Shape shape);

/// Each thread holds `sizePerThread` neighbours, 32 lanes make `threadsPerWarp`, warps make `warps`; a larger
/// tile is gone over again, dimension by dimension in `order`.
struct Blocked {
  std::vector<int64_t> sizePerThread, threadsPerWarp, warps;
  std::vector<unsigned> order;
};
LinearLayout blocked(Shape shape, const Blocked &parameters);
/// Products without tensor cores: MxK (operand 0) or KxN (operand 1) where every thread has all of K for the
/// rows or columns that it has of the blocked accumulator.
LinearLayout fmaOperand(Shape shape, const Blocked &accumulator, unsigned operand);

/// The layout of a tile reduced along `dim`: every thread keeps what it had, once.
LinearLayout slice(const LinearLayout &layout, unsigned dim);
/// With a new dimension `dim` of size 1; those from it on move up by one.
LinearLayout expandDims(const LinearLayout &layout, unsigned dim);
/// The layout that a tile must have to be stretched to `layout` along `dims` without moving anything.
LinearLayout squeezed(const LinearLayout &layout, std::span<const unsigned> dims);
/// Without registers that hold copies of others.
LinearLayout withoutCopies(const LinearLayout &layout);

/// Products by tensor cores. `warps` is how many there are along M and N, and along the dimension that tiles
/// of rank 3 have in front; what is left of that lies in registers.
struct TensorCore {
  unsigned warpsM = 1, warpsN = 1, warpsBatch = 1;
  friend bool operator==(const TensorCore &, const TensorCore &) = default;
};
/// MxN of mma.sync m16n8 (PTX ISA, "Matrix Fragments for mma.m16n8k16"). Warps are numbered along N first.
LinearLayout mmaAccumulator(Shape shape, TensorCore warps);
/// MxK (operand 0) or KxN (operand 1) of elements of `bits`, 8 to 32: 32 / bits neighbours along K make a
/// register.
LinearLayout mmaOperand(Shape shape, TensorCore warps, unsigned operand, unsigned bits);
/// MxN of wgmma.mma_async (PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16"): `n` columns an
/// instruction. Warps are numbered along M first: four make a warpgroup, so warpsM is a multiple of four.
LinearLayout wgmmaAccumulator(Shape shape, TensorCore warps, unsigned n);
/// MxK in registers. Each of the four warps has its 16 rows as mma.sync has them.
LinearLayout wgmmaOperand(Shape shape, TensorCore warps, unsigned bits);

/// Shared memory in `order`, where rows are swizzled: groups of `vector` elements of a row are exchanged by
/// the row's phase, (row / perPhase) % maxPhase. maxPhase 1 is no swizzling.
struct Swizzle {
  unsigned vector = 1, perPhase = 1, maxPhase = 1;
  friend bool operator==(const Swizzle &, const Swizzle &) = default;
};
LinearLayout sharedLayout(Shape shape, std::span<const unsigned> order, Swizzle swizzle = {});

/// Shared memory as wgmma and TMA read it (PTX ISA, "Shared Memory Matrix Layout" of wgmma; Triton's
/// NVMMASharedLayout), of rank 2. Columns that fill `swizzleBytes` (32, 64 or 128) of a row make a panel, in
/// which the 16-byte pieces of a row are exchanged by its 128-byte line, modulo swizzleBytes / 16; panels lie
/// one behind the other. 0 is rows as they are. `transposed`: columns take the place of rows.
LinearLayout nvmmaShared(Shape shape, unsigned bits, unsigned swizzleBytes, bool transposed = false);

} // namespace tilescope::layout
