import torch
import triton
import triton.language as tl


@triton.jit
def stored(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x * 2.0, mask=offsets < n)


@triton.jit
def gathered(index_ptr, x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + offsets, mask=offsets < n)
    x = tl.load(x_ptr + index, mask=offsets < n)
    tl.store(out_ptr + offsets, x, mask=offsets < n)


@triton.jit
def chosen(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, 1.0, mask=mask & (x > 0.0))


@triton.jit
def branched(x_ptr, out_ptr, n):
    x = tl.load(x_ptr, mask=n > 100, other=0.0)
    if x > 0.0:
        tl.store(out_ptr, 1.0)


@triton.jit
def counted(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.atomic_add(out_ptr + offsets, x, mask=offsets < n)


@triton.jit
def running(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets >= n, other=0.0)
    tl.store(out_ptr + offsets, tl.cumsum(x, axis=0))


@triton.jit
def copied(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + offsets, x, mask=offsets < n)


@triton.jit
def histogram(x_ptr, bins_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    bin = (x * 0.125).to(tl.int32)
    tl.atomic_add(bins_ptr + bin, 1, mask=offsets < n)


x = torch.arange(1, 65, device="cuda", dtype=torch.float32)
out = torch.zeros(64, device="cuda")
stored[(4,)](x, out, 60, BLOCK=16)
gathered[(1,)](torch.zeros(5, dtype=torch.int32, device="cuda"), x, out, 5, BLOCK=8)
chosen[(1,)](x, out, 6, BLOCK=8)
branched[(1,)](x, out, 5)
counted[(1,)](x, out, 7, BLOCK=8)
running[(1,)](x, out, 2, BLOCK=8)
fresh = torch.empty(64, device="cuda")
copied[(4,)](x, fresh, 64, BLOCK=16)
copied[(4,)](fresh, out, 64, BLOCK=16)
bins = torch.zeros(9, dtype=torch.int32, device="cuda")
histogram[(4,)](x, bins, 64, BLOCK=16)
