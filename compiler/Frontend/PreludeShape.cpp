// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and order of elements, in the language itself.
#include "compiler/Frontend/Prelude.h"

namespace tilescope::frontend {

const char *const shapePrelude = R"py(
def zeros(shape, dtype):
    return tl.full(shape, 0, dtype)

def zeros_like(input):
    return tl.full(input.shape, 0, input.dtype)

@method
def ravel(x, can_reorder=False):
    return tl.reshape(x, x.numel, can_reorder=can_reorder)

# An axis counted from the front.
def _axis(dim: tl.constexpr, rank: tl.constexpr):
    tl._require(-rank <= dim and dim < rank, "axis-out-of-range", dim, rank)
    return dim + rank if dim < 0 else dim

def squeeze(x, dim: tl.constexpr):
    at: tl.constexpr = _axis(dim, len(x.shape))
    tl._require(x.shape[at] == 1, "squeeze-size", dim, x.shape[at])
    return tl.reshape(x, x.shape[:at] + x.shape[at + 1:])

def unsqueeze(x, dim: tl.constexpr):
    at: tl.constexpr = _axis(dim, len(x.shape) + 1)
    return tl.reshape(x, x.shape[:at] + (1,) + x.shape[at:])

def interleave(a, b):
    c = tl.join(a, b)
    if len(c.shape) == 1:
        return c
    return tl.reshape(c, c.shape[:-2] + (2 * c.shape[-2],))

# Swaps the two halves of an axis of length 2; bits are integers.
def _swapped(bits, axis: tl.constexpr):
    return bits ^ tl.xor_sum(bits, axis, True)

def _bits(x):
    return x.to(tl.core.get_int_dtype(x.dtype.primitive_bitwidth, True), bitcast=True)

# To turn an axis of 2**n elements round is to turn every bit of their place.
@method
def flip(x, dim=None):
    at: tl.constexpr = _axis(-1 if dim is None else dim, len(x.shape))
    steps: tl.constexpr = tl.standard._log2(x.shape[at])
    y = tl.reshape(_bits(x), x.shape[:at] + [2 for _ in range(steps)] + x.shape[at + 1:])
    for i in tl.static_range(steps):
        y = _swapped(y, at + i)
    return tl.reshape(y, x.shape).to(x.dtype, bitcast=True)

def swizzle2d(i, j, size_i, size_j, size_g):
    place = i * size_j + j
    group_size = size_g * size_j
    first = place // group_size * size_g
    rows = tl.minimum(size_i - first, size_g)
    inside = place % group_size
    return first + inside % rows, inside // rows
)py";

} // namespace tilescope::frontend
