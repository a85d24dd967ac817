import torch
import triton
import triton.language as tl


@triton.jit
def both(x_ptr, M, N, B: tl.constexpr):
    r = tl.arange(0, B)
    tl.store(x_ptr + r, 1.0, mask=(r < M) & (r < N))


@triton.jit
def either(x_ptr, M, N, B: tl.constexpr):
    r = tl.arange(0, B)
    c = tl.arange(0, B)
    outside = (r[:, None] >= M) | (c[None, :] >= N)
    tl.store(x_ptr + r[:, None] * B + c[None, :], 1.0, mask=outside)


# A chain that is meant, of numbers; `and` of numbers is a branch.
@triton.jit
def scalars(x_ptr, n, B: tl.constexpr):
    r = tl.arange(0, B)
    if n > 2 and n < B:
        tl.store(x_ptr + r, 1.0, mask=r < n)


x = torch.zeros(256, device="cuda")
both[(1,)](x, 5, 6, B=16)
either[(1,)](x, 5, 6, B=16)
scalars[(1,)](x, 5, B=16)
