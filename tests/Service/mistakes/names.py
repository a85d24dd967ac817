import torch
import triton
import triton.language as tl


@triton.jit
def scaled(x, factor: tl.constexpr):
    return x * factor


@triton.jit
def misspelt(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + ofsets, mask=offsets < n)  # expect[undefined-name] ofsets | at ofsets | fix offsets
    tl.store(x_ptr + offsets, tl.sqr(x), mask=offsets < n)  # expect[unknown-library-function] triton.language.sqr


@triton.jit
def too_few(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, mask=offsets < n)  # expect[missing-argument] store; value


@triton.jit
def too_many(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, msk=offsets < n)  # expect[unknown-keyword] load; msk | at msk | fix mask
    tl.store(x_ptr + offsets, scaled(x, 2, 3), mask=offsets < n)  # expect[too-many-arguments] scaled; 2; 3


@triton.jit
def constants(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(n + offsets)  # expect[not-a-pointer] load; int32[16]
    tl.store(x_ptr + offsets, tl.sum(3))  # expect[tile-expected] constexpr[3] | at 3


x = torch.zeros(64, device="cuda")
misspelt[(1,)](x, 5, BLOCK=16)
too_few[(1,)](x, 5, BLOCK=16)
too_many[(1,)](x, 5, BLOCK=16)
constants[(1,)](x, 5, BLOCK=16)
