import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=float("-inf"))
    e = tl.exp(x)  # expect[non-finite] (1, 0, 0); 1; inf; 0 | note stored-here out; 8
    tl.store(out_ptr + row * n + offsets, e, mask=offsets < n)


@triton.jit
def online(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    m = float("-inf")
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets >= n, other=float("-inf"))
    new = tl.maximum(m, tl.max(x, axis=0))
    scale = tl.exp(m - new)  # expect[non-finite] NaN
    tl.store(out_ptr, scale)


@triton.jit
def inverse(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    norm = tl.sqrt(x)
    tl.store(out_ptr + offsets, 1.0 / norm)  # expect[non-finite] (0, 0, 0); 2; inf; 0


# What one instruction makes is one finding, wherever it is stored.
@triton.jit
def stored_thrice(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    ratio = x / tl.sum(x, axis=0)  # expect[non-finite] (0, 0, 0); 2; NaN; 0 | note stored-here out_of_three; 0
    tl.store(out_ptr + offsets, ratio)
    tl.store(out_ptr + 16 + offsets, ratio * 2.0)
    tl.store(out_ptr + 32 + offsets, tl.exp(ratio))


x = torch.zeros(32, device="cuda")
x[8] = 100.0
out = torch.zeros(32, device="cuda")
softmax[(4,)](x, out, 8, BLOCK=8)
online[(1,)](x, out, 8, BLOCK=8)
out_of_three = torch.zeros(64, device="cuda")
stored_thrice[(2,)](torch.zeros(16, device="cuda"), out_of_three, BLOCK=8)
inverse[(2,)](x, out, BLOCK=16)
