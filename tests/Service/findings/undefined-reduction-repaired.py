import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr, tl.sum(x))


@triton.jit
def largest_of_rows(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    rows = tl.arange(0, 4)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows[:, None] * columns + offsets[None, :], mask=offsets[None, :] < columns,
                other=float("-inf"))
    best = tl.max(x.to(tl.float32) * 2.0, axis=1)
    tl.store(out_ptr + rows, best)


@triton.jit
def variance(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    distance = tl.where(mask, x - 1.0, 0.0)
    squares = distance * distance
    tl.store(out_ptr + tl.program_id(0), tl.sum(squares))


# Rows that lie outside are undefined as a whole: their sums are masked off again, which does no harm.
@triton.jit
def sums_of_rows(x_ptr, out_ptr, rows, BLOCK: tl.constexpr):
    r = tl.program_id(0) * 4 + tl.arange(0, 4)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r[:, None] * BLOCK + c[None, :], mask=r[:, None] < rows)
    tl.store(out_ptr + r, tl.sum(x, axis=1), mask=r < rows)


# So are running sums behind the last element that counts.
@triton.jit
def running(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, tl.cumsum(x, axis=0), mask=offsets < n)


# Masked off, computed with, and masked off again.
@triton.jit
def scaled(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.exp(x) * 2.0 + 1.0
    tl.store(out_ptr + offsets, y, mask=mask & (y > 2.0))


x = torch.arange(1, 50, device="cuda", dtype=torch.float32)
out = torch.zeros(64, device="cuda")
total[(1,)](x, out, 5, BLOCK=8)
largest_of_rows[(1,)](x.half(), out, 6, BLOCK=16)
variance[(2,)](x, out, 26, BLOCK=16)
sums_of_rows[(2,)](x, out, 5, BLOCK=8)
running[(1,)](x, out, 11, BLOCK=16)
scaled[(4,)](x, out, 49, BLOCK=16)
