import torch
import triton
import triton.language as tl


@triton.jit
def widened(x_ptr, out_ptr, n, R: tl.constexpr, X: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, X)
    inside = (c[:, None] < n) & (r[None, :] < n)
    x = tl.load(x_ptr + r[None, :], mask=inside, other=0.0)  # expect[mask-broadcasts] [1, 8]; [4, 8] | at inside
    tl.store(out_ptr + c[:, None] * R + r[None, :], x)


@triton.jit
def columns(x_ptr, out_ptr, n, R: tl.constexpr, X: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, X)
    x = tl.load(x_ptr + c[:, None], mask=(c[:, None] < n) & (r[None, :] < n), other=0.0)  # expect[mask-broadcasts] [4, 1]; [4, 8]
    tl.store(out_ptr + c[:, None] * R + r[None, :], x)


@triton.jit
def disagree(x_ptr, out_ptr, n, R: tl.constexpr, X: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, X)
    x = tl.load(x_ptr + r, mask=c < n, other=0.0)  # expect[mask-pointer-shape] [4]; [8]; 0 | at c < n
    tl.store(out_ptr + r, x)


@triton.jit
def rows_and_columns(x_ptr, out_ptr, n, R: tl.constexpr, X: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, X)
    x = tl.load(x_ptr + c[:, None] * R + r[None, :])
    tl.store(out_ptr + r[:, None] * X + c[None, :], x)  # expect[value-shape] store; [4, 8]; [8, 4] | at x


x = torch.zeros(64, device="cuda")
widened[(1,)](x, x, 3, R=8, X=4)
columns[(1,)](x, x, 3, R=8, X=4)
disagree[(1,)](x, x, 3, R=8, X=4)
rows_and_columns[(1,)](x, x, 3, R=8, X=4)
