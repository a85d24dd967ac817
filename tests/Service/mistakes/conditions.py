import torch
import triton
import triton.language as tl


@triton.jit
def both(x_ptr, M, N, B: tl.constexpr):
    r = tl.arange(0, B)
    tl.store(x_ptr + r, 1.0, mask=r < M and r < N)  # expect[logical-on-tiles] | at r < M and r < N | fix (r < M) & (r < N)


@triton.jit
def either(x_ptr, M, N, B: tl.constexpr):
    r = tl.arange(0, B)
    c = tl.arange(0, B)
    outside = (r[:, None] >= M) or (c[None, :] >= N)  # expect[logical-on-tiles] | fix (r[:, None] >= M)
    tl.store(x_ptr + r[:, None] * B + c[None, :], 1.0, mask=outside)


@triton.jit
def chained(x_ptr, M, N, B: tl.constexpr):
    r = tl.arange(0, B)
    tl.store(x_ptr + r, 1.0, mask=r < M & r < N)  # expect[comparison-precedence] | at r < M & r < N | fix (r < M) & (r < N)


@triton.jit
def chained_tiles(x_ptr, M, N, B: tl.constexpr):
    r = tl.arange(0, B)[:, None]
    c = tl.arange(0, B)[None, :]
    inside = r < M & c < N  # expect[comparison-precedence] | fix (r < M) & (c < N)
    tl.store(x_ptr + r * B + c, 1.0, mask=inside)


@triton.jit
def branch(x_ptr, n, B: tl.constexpr):
    r = tl.arange(0, B)
    if r < n:  # expect[tile-condition] int1[16] | at r < n
        tl.store(x_ptr + r, 1.0)


x = torch.zeros(256, device="cuda")
both[(1,)](x, 5, 6, B=16)
either[(1,)](x, 5, 6, B=16)
chained[(1,)](x, 5, 6, B=16)
chained_tiles[(1,)](x, 5, 6, B=16)
branch[(1,)](x, 5, B=16)
