import torch
import triton
import triton.language as tl


@triton.jit
def widened(x_ptr, out_ptr, n, R: tl.constexpr, X: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, X)
    x = tl.load(x_ptr + r, mask=r < n, other=0.0)
    tl.store(out_ptr + c[:, None] * R + r[None, :], tl.broadcast_to(x[None, :], (X, R)))


@triton.jit
def columns(x_ptr, out_ptr, n, R: tl.constexpr, X: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, X)
    x = tl.load(x_ptr + c[:, None] * R + r[None, :], mask=(c[:, None] < n) & (r[None, :] < n), other=0.0)
    tl.store(out_ptr + c[:, None] * R + r[None, :], x)


@triton.jit
def rows_and_columns(x_ptr, out_ptr, n, R: tl.constexpr, X: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, X)
    x = tl.load(x_ptr + c[:, None] * R + r[None, :])
    tl.store(out_ptr + r[:, None] * X + c[None, :], tl.trans(x))


x = torch.zeros(64, device="cuda")
out = torch.zeros(64, device="cuda")
widened[(1,)](x, out, 3, R=8, X=4)
columns[(1,)](x, out, 3, R=8, X=4)
rows_and_columns[(1,)](x, out, 3, R=8, X=4)
