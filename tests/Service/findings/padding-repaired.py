import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    e = tl.where(mask, e, 0.0)
    tl.store(out_ptr + row * columns + offsets, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def smallest(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=float("inf"))
    tl.store(out_ptr, tl.min(x * 0.5))


@triton.jit
def largest_integer(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=-2147483648)
    tl.store(out_ptr, tl.max(x))


# Ties are no harm: the first is taken.
@triton.jit
def place_of_greatest(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=-1.0)
    tl.store(out_ptr, tl.argmax(x, axis=0))


x = -torch.arange(1, 21, device="cuda", dtype=torch.float32)
out = torch.zeros(20, device="cuda")
softmax[(4,)](x, out, 5, BLOCK=8)
smallest[(1,)](-x, out, 6, BLOCK=8)
place_of_greatest[(1,)](x, torch.zeros(1, dtype=torch.int32, device="cuda"), 5, BLOCK=8)
largest_integer[(1,)](torch.tensor([-7, -5, -6], dtype=torch.int32, device="cuda"),
                      torch.zeros(1, dtype=torch.int32, device="cuda"), 3, BLOCK=4)
