import torch
import triton
import triton.language as tl


@triton.jit
def layer_norm(x_ptr, out_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + row * n + offsets, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / n
    distance = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(distance * distance, axis=0) / n
    tl.store(out_ptr + row * n + offsets, distance / tl.sqrt(variance + eps), mask=mask)


@triton.jit
def softmax(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=-float("inf"))
    e = tl.exp(x)
    tl.store(out_ptr + offsets, e / tl.sum(e, axis=0), mask=mask)


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
        distance = tl.where(c < n, x - mean[:, None], 0.0)
        squares += distance * distance
    out = tl.sum(squares, axis=1) / n
    tl.store(out_ptr + tl.arange(0, ROWS), out, mask=tl.arange(0, ROWS) < rows)


# Masked again by a product with the mask, or by an operand whose padding is 0.
@triton.jit
def weighted(x_ptr, w_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    w = tl.load(w_ptr + offsets, mask=mask, other=0.0)
    tl.store(out_ptr, tl.sum((x - 3.0) * w) + tl.sum(tl.exp(x) * mask.to(tl.float32)))


# What the last, partial block leaves as it was is no padding: compensated sums, and running maxima.
@triton.jit
def compensated(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    lost = tl.zeros((BLOCK,), tl.float32)
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
        y = x * 1.1 - lost
        raised = total + y
        lost = (raised - total) - y
        total = raised
        best = tl.maximum(best, tl.load(x_ptr + offsets, mask=offsets < n, other=-float("inf")) + 1.0)
    tl.store(out_ptr, tl.sum(total) + tl.max(best))


# How many there are is what is asked for.
@triton.jit
def counted(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr, tl.sum((x > 2.0).to(tl.int32)))
    tl.store(out_ptr + 1, tl.sum(tl.where(x > 2.0, x - 2.0, 0.0)).to(tl.int32))


x = torch.arange(1, 61, device="cuda", dtype=torch.float32)
out = torch.zeros(60, device="cuda")
layer_norm[(4,)](x, out, 5, 1e-5, BLOCK=8)
softmax[(1,)](x, out, 5, BLOCK=8)
variances[(1,)](x, out, 3, 13, ROWS=4, BLOCK=8)
weighted[(1,)](x, x, out, 5, BLOCK=8)
compensated[(1,)](x, out, 29, BLOCK=8)
counted[(1,)](x, torch.zeros(2, dtype=torch.int32, device="cuda"), 5, BLOCK=8)
