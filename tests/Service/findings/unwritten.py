import torch
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x * 2.0, mask=offsets < n)  # expect[unwritten-elements] doubled; 1000; 232; 768 | note programs-needed 3; 4


@triton.jit
def evens(out_ptr, n, BLOCK: tl.constexpr):
    offsets = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)) * 2
    tl.store(out_ptr + offsets, 1.0, mask=offsets < n)  # expect[unwritten-elements] every; 64; 32; 1


@triton.jit
def rows(out_ptr, columns, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    tl.store(out_ptr + row * columns + offsets, row, mask=offsets < columns - 1)  # expect[unwritten-elements] table; 40; 4; 9


x = torch.ones(1000, device="cuda")
doubled = torch.empty(1000, device="cuda")
double[(1000 // 256,)](x, doubled, 1000, BLOCK=256)
torch.allclose(doubled, x * 2.0)
every = torch.empty(64, device="cuda")
evens[(2,)](every, 64, BLOCK=16)
every.sum().item()
table = torch.empty((4, 10), dtype=torch.int32, device="cuda")
rows[(4,)](table, 10, BLOCK=16)
print(table.float().mean().item() > 0)
