import torch
import triton
import triton.language as tl


@triton.jit
def rows(out_ptr, stride, columns, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    value = tl.where(mask, 1.0, 0.0)
    tl.store(out_ptr + tl.program_id(0) * stride + offsets, value)  # expect[out-of-bounds-store] (512, 0, 0); 1000; 4 ## expect[write-race]


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)  # expect[out-of-bounds-load] (3, 0, 0); 128; x; 4 | note lands-in-tensor y; 0
    y = tl.load(y_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x + y, mask=offsets < n)


# The mask is there, and the store has none.
@triton.jit
def copied(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + offsets, mask=offsets < columns, other=0.0)
    tl.store(out_ptr + row * columns + offsets, x)  # expect[out-of-bounds-store] (7, 0, 0); 60; copy; 4 ## expect[write-race]


# The last row of one matrix is read on into the next.
@triton.jit
def shifted(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.arange(0, ROWS)
    c = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + (r[:, None] + 1) * columns + c[None, :])  # expect[out-of-bounds-load] (0, 0, 0); 7, 0; first; 4 | note lands-in-tensor second; 0
    tl.store(out_ptr + r[:, None] * columns + c[None, :], x)


@triton.jit
def before(x_ptr, out_ptr):
    offsets = tl.arange(0, 4)
    x = tl.load(x_ptr + offsets - 2)  # expect[out-of-bounds-load] (0, 0, 0); 0; 8
    tl.store(out_ptr + offsets, x)


matrix = torch.zeros((513, 1000), device="cuda")
rows[(513,)](matrix, matrix.stride(0), 1000, BLOCK=1024)
x = torch.zeros(896, device="cuda")
y = torch.zeros(896, device="cuda")
out = torch.zeros(1024, device="cuda")
add[(4,)](x, y, out, 896, BLOCK=256)
before[(1,)](x, out)
copy = torch.zeros(480, device="cuda")
copied[(8,)](x, copy, 60, BLOCK=64)
first = torch.zeros((8, 16), device="cuda")
second = torch.zeros((8, 16), device="cuda")
shifted[(1,)](first, out, 8, 16, ROWS=8, COLUMNS=16)
