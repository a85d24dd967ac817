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

/// The layout of a tile reduced along `dim`: every thread keeps what it had, once.
LinearLayout slice(const LinearLayout &layout, unsigned dim);
/// With a new dimension `dim` of size 1; those from it on move up by one.
LinearLayout expandDims(const LinearLayout &layout, unsigned dim);
/// The layout that a tile must have to be stretched to `layout` along `dims` without moving anything.
LinearLayout squeezed(const LinearLayout &layout, std::span<const unsigned> dims);
/// Without registers that hold copies of others.
LinearLayout withoutCopies(const LinearLayout &layout);

/// Products by mma.sync m16n8 (PTX ISA, "Matrix fragments for mma.m16n8k…"); `warps` is how many there are
/// along M and N. Tiles of rank 3 have a dimension in front, which lies in registers.
struct TensorCore {
  unsigned warpsM = 1, warpsN = 1;
};
/// MxN.
LinearLayout mmaAccumulator(Shape shape, TensorCore warps);
/// MxK (operand 0) or KxN (operand 1) of elements of `bits`, 8 to 32: 32 / bits neighbours along K make a
/// register.
LinearLayout mmaOperand(Shape shape, TensorCore warps, unsigned operand, unsigned bits);

/// Shared memory in `order`, where rows are swizzled: groups of `vector` elements of a row are exchanged by
/// the row's phase, (row / perPhase) % maxPhase. maxPhase 1 is no swizzling.
struct Swizzle {
  unsigned vector = 1, perPhase = 1, maxPhase = 1;
  friend bool operator==(const Swizzle &, const Swizzle &) = default;
};
LinearLayout sharedLayout(Shape shape, std::span<const unsigned> order, Swizzle swizzle = {});

} // namespace tilescope::layout
