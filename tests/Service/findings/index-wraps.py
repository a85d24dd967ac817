import torch
import triton
import triton.language as tl


@triton.jit
def row(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + 70000 * stride + offsets)  # expect[index-wraps] 70000; 40000 ## expect[out-of-bounds-load]
    tl.store(out_ptr + offsets, x)


@triton.jit
def tile(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)
    offsets = rows * stride  # expect[index-wraps] 3; 1000000000
    x = tl.load(x_ptr + offsets)  # expect[out-of-bounds-load]
    tl.store(out_ptr + rows, x)


@triton.jit
def back_inside(x_ptr, out_ptr, big, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    start = big + big  # expect[index-wraps] 2147483647; 2147483647
    x = tl.load(x_ptr + start + 4 + offsets)
    tl.store(out_ptr + offsets, x)


x = torch.zeros(1024, device="cuda")
out = torch.zeros(16, device="cuda")
row[(1,)](x, out, 40000, BLOCK=16)
tile[(1,)](x, out, 1000000000, BLOCK=4)
back_inside[(1,)](x, out, 2147483647, BLOCK=16)
