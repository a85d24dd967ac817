import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=float("-inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * n + offsets, e / tl.sum(e, axis=0), mask=offsets < n)


# An infinity that is meant, and one that was given, are no mistakes of the kernel.
@triton.jit
def meant(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.where(offsets < n, x, float("-inf")))
    tl.store(out_ptr + BLOCK + offsets, x + 1.0)


x = torch.zeros(32, device="cuda")
x[10] = 100.0
out = torch.zeros(32, device="cuda")
softmax[(4,)](x, out, 8, BLOCK=8)
x[3] = float("nan")
x[4] = float("inf")
meant[(1,)](x, out, 5, BLOCK=16)
