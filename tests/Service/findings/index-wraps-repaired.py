import torch
import triton
import triton.language as tl


# Wrapped elements that are masked off, and numbers that are no indices, do no harm.
@triton.jit
def tile(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows * stride, mask=rows < 1, other=0.0)
    tl.store(out_ptr + rows, x)


@triton.jit
def hashed(out_ptr, seed, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, (offsets + seed) * 1664525 + 1013904223)


# A hash wraps, and becomes an index that does not.
@triton.jit
def hashed_index(x_ptr, out_ptr, seed, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    slot = ((offsets + seed) * 1664525 + 1013904223) >> 5 & (SIZE - 1)
    tl.store(out_ptr + offsets, tl.load(x_ptr + slot))


@triton.jit
def wide(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    far = 70000 * stride.to(tl.int64)
    x = tl.load(x_ptr + (far - far) + offsets)
    tl.store(out_ptr + offsets, x)


x = torch.zeros(1024, device="cuda")
out = torch.zeros(16, device="cuda")
tile[(1,)](x, out, 1000000000, BLOCK=4)
hashed[(1,)](torch.zeros(16, dtype=torch.int32, device="cuda"), 2000000000, BLOCK=16)
hashed_index[(1,)](x, out, 2000000000, SIZE=1024, BLOCK=16)
wide[(1,)](x, out, 40000, BLOCK=16)
