import torch
import triton
import triton.language as tl


# Columns that run over into the next row.
@triton.jit
def rows(out_ptr, stride, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    tl.store(out_ptr + r * stride + c, r * 100 + c)  # expect[stored-twice] rows; (0, 0, 0); 1; out; 6; 0, 6; 1, 0


# A scatter whose indices are not all different.
@triton.jit
def scattered(x_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    index = tl.load(index_ptr + offsets, mask=mask)
    tl.store(out_ptr + tl.program_id(0) * 8 + index, x, mask=mask)  # expect[stored-twice] (1, 0, 0); 1; out; 11; 1; 5


# A sum that was forgotten: each element goes to the same place.
@triton.jit
def not_summed(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets * 0, x)  # expect[stored-twice] total; 0; 0; 1


x = torch.arange(16, device="cuda", dtype=torch.float32)
out = torch.zeros(32, dtype=torch.int32, device="cuda")
rows[(1,)](out, 6, ROWS=4, BLOCK=8)
index = torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 0, 3, 1, 2, 4, 3, 6, 7], dtype=torch.int32, device="cuda")
scattered[(2,)](x.to(torch.int32), index, out, 16, BLOCK=8)
total = torch.zeros(1, device="cuda")
not_summed[(1,)](x, total, BLOCK=16)
