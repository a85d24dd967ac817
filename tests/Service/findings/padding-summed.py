import torch
import triton
import triton.language as tl


# A variance: the padding is 0, and 0 - mean is not.
@triton.jit
def layer_norm(x_ptr, out_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + row * n + offsets, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / n
    distance = x - mean
    variance = tl.sum(distance * distance, axis=0) / n  # expect[padding-summed] layer_norm; (0, 0, 0); 4; 3; [5:8]; 9 | at tl.sum(distance * distance, axis=0)
    tl.store(out_ptr + row * n + offsets, distance / tl.sqrt(variance + eps), mask=mask)


# A softmax: exp(0) is not 0.
@triton.jit
def softmax(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0)
    e = tl.exp(x)
    tl.store(out_ptr + offsets, e / tl.sum(e, axis=0), mask=mask)  # expect[padding-summed] 3; [5:8]; 1 | note padded-here


# In a row of a tile, block by block: what the last block adds was loaded by no one.
@triton.jit
def variances(x_ptr, out_ptr, rows, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.arange(0, ROWS)[:, None]
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)[None, :]
        total += tl.load(x_ptr + r * n + c, mask=(r < rows) & (c < n), other=0.0)
    mean = tl.sum(total, axis=1) / n
    squares = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)[None, :]
        x = tl.load(x_ptr + r * n + c, mask=(r < rows) & (c < n), other=0.0)
        squares += (x - mean[:, None]) * (x - mean[:, None])
    out = tl.sum(squares, axis=1) / n  # expect[padding-summed] 9; [0:3, 5:8]
    tl.store(out_ptr + tl.arange(0, ROWS), out, mask=tl.arange(0, ROWS) < rows)


x = torch.arange(1, 61, device="cuda", dtype=torch.float32)
out = torch.zeros(60, device="cuda")
layer_norm[(4,)](x, out, 5, 1e-5, BLOCK=8)
softmax[(1,)](x, out, 5, BLOCK=8)
variances[(1,)](x, out, 3, 13, ROWS=4, BLOCK=8)
