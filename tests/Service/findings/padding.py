import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0)
    e = tl.exp(x - tl.max(x, axis=0))  # expect[padding-wins] 5; 0; -1 | fix float("-inf")
    e = tl.where(mask, e, 0.0)
    tl.store(out_ptr + row * columns + offsets, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def smallest(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr, tl.min(x * 0.5))  # expect[padding-wins] 6; 0; 0.5 | fix float("inf")


@triton.jit
def largest_integer(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=-1)
    tl.store(out_ptr, tl.max(x))  # expect[padding-wins] 3; -1; -5 | fix -2147483648


@triton.jit
def place_of_least(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr, tl.argmin(x, axis=0))  # expect[padding-wins] 5; 0; 1 | fix float("inf")


x = -torch.arange(1, 21, device="cuda", dtype=torch.float32)
out = torch.zeros(20, device="cuda")
softmax[(4,)](x, out, 5, BLOCK=8)
smallest[(1,)](-x, out, 6, BLOCK=8)
place_of_least[(1,)](-x, torch.zeros(1, dtype=torch.int32, device="cuda"), 5, BLOCK=8)
largest_integer[(1,)](torch.tensor([-7, -5, -6], dtype=torch.int32, device="cuda"),
                      torch.zeros(1, dtype=torch.int32, device="cuda"), 3, BLOCK=4)
