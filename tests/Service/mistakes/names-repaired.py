import torch
import triton
import triton.language as tl


@triton.jit
def scaled(x, factor: tl.constexpr):
    return x * factor


@triton.jit
def misspelt(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets, tl.sqrt(x), mask=offsets < n)


@triton.jit
def arguments(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets, scaled(x, 2), mask=offsets < n)
    tl.store(x_ptr + n, tl.sum(tl.full((BLOCK,), 3, tl.int32)))


x = torch.ones(64, device="cuda")
misspelt[(1,)](x, 5, BLOCK=16)
arguments[(1,)](x, 5, BLOCK=16)
