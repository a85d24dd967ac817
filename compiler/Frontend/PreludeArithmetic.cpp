// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and reductions of the prelude. The combine functions have the names that they have in
// triton.language.standard, for kernels pass them to tl.reduce.
#include "compiler/Frontend/Prelude.h"

namespace tilescope::frontend {

const char *const arithmeticPrelude = R"py(
@method
def cdiv(x, div):
    return (x + (div - 1)) // div

@method
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))

# keep_dims is there for old callers and changes nothing.
@method
def softmax(x, dim=None, *, keep_dims=None, ieee_rounding=False):
    axis: tl.constexpr = 0 if dim is None else dim
    numerator = tl.exp(x - tl.max(x, axis, keep_dims=True))
    return tl.fdiv(numerator, tl.sum(numerator, axis, keep_dims=True), ieee_rounding)

# Says something to sanitisers alone.
def expect_zero(x, mask):
    return x

def _sum_combine(a, b):
    return a + b

def _prod_combine(a, b):
    return a * b

def _xor_combine(a, b):
    return a ^ b

def _or_combine(a, b):
    return a | b

def _elementwise_max(a, b):
    return tl.maximum(a, b)

def _elementwise_min(a, b):
    return tl.minimum(a, b)

@method
def xor_sum(input, axis=None, keep_dims=False):
    tl._require(input.dtype.is_int(), "dtype-not-supported", "xor_sum", "int", input.type)
    return tl.reduce(input, axis, _xor_combine, keep_dims)

@method
def reduce_or(input, axis, keep_dims=False):
    tl._require(input.dtype.is_int(), "dtype-not-supported", "reduce_or", "int", input.type)
    return tl.reduce(input, axis, _or_combine, keep_dims)

# NaN is neither greater nor less: then the second of the two is taken, as Triton has it.

def _argmax_combine(a, i, b, j, tie_break_left):
    first = a > b
    if tie_break_left:
        first = first | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)

def _argmax_combine_tie_break_left(a, i, b, j):
    return _argmax_combine(a, i, b, j, True)

def _argmax_combine_tie_break_fast(a, i, b, j):
    return _argmax_combine(a, i, b, j, False)

def _argmin_combine(a, i, b, j, tie_break_left):
    first = a < b
    if tie_break_left:
        first = first | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)

def _argmin_combine_tie_break_left(a, i, b, j):
    return _argmin_combine(a, i, b, j, True)

def _argmin_combine_tie_break_fast(a, i, b, j):
    return _argmin_combine(a, i, b, j, False)

# Each element's place along an axis.
def _indices(input, axis: tl.constexpr):
    index = tl.arange(0, input.shape[axis])
    for i in tl.static_range(len(input.shape)):
        if i != axis:
            index = tl.expand_dims(index, i)
    return tl.broadcast_to(index, input.shape)

def _reduce_indexed(input, axis, keep_dims, combine):
    tl._require(axis is not None, "axis-needed")
    at: tl.constexpr = _axis(axis, len(input.shape))
    return tl.reduce((input, _indices(input, at)), at, combine, keep_dims)

def _max_indexed(input, axis, tie_break_left, keep_dims):
    if tie_break_left:
        return _reduce_indexed(input, axis, keep_dims, _argmax_combine_tie_break_left)
    return _reduce_indexed(input, axis, keep_dims, _argmax_combine_tie_break_fast)

def _min_indexed(input, axis, tie_break_left, keep_dims):
    if tie_break_left:
        return _reduce_indexed(input, axis, keep_dims, _argmin_combine_tie_break_left)
    return _reduce_indexed(input, axis, keep_dims, _argmin_combine_tie_break_fast)

@method
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    return _max_indexed(input, axis, tie_break_left, keep_dims)[1]

@method
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    return _min_indexed(input, axis, tie_break_left, keep_dims)[1]
)py";

} // namespace tilescope::frontend
