"""Softmax of rows that are too long for one tile.

A program walks its row twice, a tile at a time. The first walk keeps the largest element so far and the sum of the
exponentials relative to it: a tile that raises the maximum scales the sum down. The second walk writes the result.
So the row is read twice and written once, however long it is; plain softmax would read it a third time for its sum.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def online_softmax_kernel(x_ptr, out_ptr, row_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_row = x_ptr + row * row_stride
    out_row = out_ptr + row * row_stride

    largest = -float("inf")
    total = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_row + cols, mask=cols < n_cols, other=-float("inf"))  # exp(-inf) = 0 adds nothing
        new_largest = tl.maximum(largest, tl.max(x, axis=0))
        total = total * tl.exp(largest - new_largest) + tl.sum(tl.exp(x - new_largest), axis=0)
        largest = new_largest

    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_row + cols, mask=cols < n_cols)
        tl.store(out_row + cols, tl.exp(x - largest) / total, mask=cols < n_cols)


def online_softmax(x):
    n_rows, n_cols = x.shape
    out = torch.empty_like(x)
    online_softmax_kernel[(n_rows,)](x, out, x.stride(0), n_cols, BLOCK=1024)
    return out


torch.manual_seed(0)
x = torch.randn((48, 20_000), device="cuda") * 4
out = online_softmax(x)
torch.testing.assert_close(out, torch.softmax(x, dim=1))
print(tuple(out.shape), "in tiles of 1024: ok")
