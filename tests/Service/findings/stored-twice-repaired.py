import torch
import triton
import triton.language as tl


@triton.jit
def rows(out_ptr, stride, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    tl.store(out_ptr + r * stride + c, r * 100 + c, mask=c < stride)


# The elements that meet are masked off, or the same.
@triton.jit
def scattered(x_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    index = tl.load(index_ptr + offsets, mask=mask)
    tl.store(out_ptr + tl.program_id(0) * 8 + index, x, mask=mask)
    tl.store(out_ptr + tl.program_id(0) * 8 + index, index, mask=mask)


@triton.jit
def summed(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets * 0, tl.sum(x))
    tl.atomic_add(out_ptr + offsets * 0, x)


# Backwards, and every second one: no two meet.
@triton.jit
def permuted(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + BLOCK - 1 - offsets, x)
    tl.store(out_ptr + (offsets * 2) % BLOCK + offsets // (BLOCK // 2), x)


x = torch.arange(16, device="cuda", dtype=torch.float32)
out = torch.zeros(32, dtype=torch.int32, device="cuda")
rows[(1,)](out, 6, ROWS=4, BLOCK=8)
index = torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 0, 3, 1, 2, 4, 3, 6, 7], dtype=torch.int32, device="cuda")
scattered[(2,)](x.to(torch.int32), index, out, 13, BLOCK=8)
summed[(1,)](x, torch.zeros(1, device="cuda"), BLOCK=16)
permuted[(1,)](x, torch.zeros(16, device="cuda"), BLOCK=16)
