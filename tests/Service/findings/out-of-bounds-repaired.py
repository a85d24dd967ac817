import torch
import triton
import triton.language as tl


@triton.jit
def rows(out_ptr, stride, columns, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    tl.store(out_ptr + tl.program_id(0) * stride + offsets, 1.0, mask=mask)


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = tl.load(y_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x + y, mask=offsets < n)


@triton.jit
def copied(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + row * columns + offsets, x, mask=mask)


@triton.jit
def shifted(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.arange(0, ROWS)
    c = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + (r[:, None] + 1) * columns + c[None, :], mask=r[:, None] + 1 < rows, other=0.0)
    tl.store(out_ptr + r[:, None] * columns + c[None, :], x)


@triton.jit
def before(x_ptr, out_ptr):
    offsets = tl.arange(0, 4)
    x = tl.load(x_ptr + offsets - 2, mask=offsets >= 2, other=0.0)
    tl.store(out_ptr + offsets, x)


matrix = torch.zeros((513, 1000), device="cuda")
rows[(513,)](matrix, matrix.stride(0), 1000, BLOCK=1024)
x = torch.zeros(1000, device="cuda")
y = torch.zeros(1000, device="cuda")
out = torch.zeros(1000, device="cuda")
add[(4,)](x, y, out, 1000, BLOCK=256)
before[(1,)](x, out)
copied[(8,)](x, torch.zeros(480, device="cuda"), 60, BLOCK=64)
first = torch.zeros((8, 16), device="cuda")
second = torch.zeros((8, 16), device="cuda")
shifted[(1,)](first, out, 8, 16, ROWS=8, COLUMNS=16)
