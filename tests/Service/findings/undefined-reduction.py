import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr, tl.sum(x))  # expect[undefined-reduction] 3; [5:8] | fix other=0.0


@triton.jit
def largest_of_rows(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    rows = tl.arange(0, 4)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows[:, None] * columns + offsets[None, :], mask=offsets[None, :] < columns)
    best = tl.max(x.to(tl.float32) * 2.0, axis=1)  # expect[undefined-reduction] 40; [0:4, 6:16] | fix other=float("-inf")
    tl.store(out_ptr + rows, best)


@triton.jit
def variance(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    distance = x - 1.0
    squares = distance * distance
    tl.store(out_ptr + tl.program_id(0), tl.sum(squares))  # expect[undefined-reduction] (1, 0, 0); 6; [10:16]


@triton.jit
def first_of_all(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr, tl.argmax(x, axis=0))  # expect[undefined-reduction] 2; [6:8] | fix other=float("-inf")


x = torch.arange(1, 50, device="cuda", dtype=torch.float32)
total[(1,)](x, torch.zeros(1, device="cuda"), 5, BLOCK=8)
largest_of_rows[(1,)](x.half(), torch.zeros(4, device="cuda"), 6, BLOCK=16)
variance[(2,)](x, torch.zeros(2, device="cuda"), 26, BLOCK=16)
first_of_all[(1,)](x, torch.zeros(1, dtype=torch.int32, device="cuda"), 6, BLOCK=8)
