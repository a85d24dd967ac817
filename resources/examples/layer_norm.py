"""Layer norm, forward and backward.

Forward, a program takes one row: it reads it once and works out mean, variance and result on chip. Backward, the
gradient of a row needs that row alone, but those of weight and bias are sums over all rows. So a program takes
several rows and sums its share of them in registers; a second kernel adds up the shares.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def forward_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, mean_ptr, rstd_ptr, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / n_cols
    # Past the end of the row x is 0, but x - mean is not, and must not count in the variance.
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / n_cols
    rstd = tl.rsqrt(variance + eps)
    weight = tl.load(weight_ptr + cols, mask=mask, other=0.0)
    bias = tl.load(bias_ptr + cols, mask=mask, other=0.0)
    tl.store(out_ptr + row * n_cols + cols, centred * rstd * weight + bias, mask=mask)
    # Two numbers a row are all that the backward pass needs besides x.
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)


@triton.jit
def backward_kernel(
    dout_ptr, x_ptr, weight_ptr, mean_ptr, rstd_ptr,
    dx_ptr, dweight_ptr, dbias_ptr,
    n_rows, n_cols,
    ROWS: tl.constexpr, BLOCK: tl.constexpr,
):
    pid = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    weight = tl.load(weight_ptr + cols, mask=mask, other=0.0)
    dweight = tl.zeros((BLOCK,), dtype=tl.float32)
    dbias = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(pid * ROWS, min(pid * ROWS + ROWS, n_rows)):
        x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
        dout = tl.load(dout_ptr + row * n_cols + cols, mask=mask, other=0.0)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        x_hat = (x - mean) * rstd  # computed again: cheaper than storing it in the forward pass
        # Shifting or stretching a whole row changes nothing in its output, so neither part is in the gradient.
        dx_hat = dout * weight
        shift = tl.sum(dx_hat, axis=0) / n_cols
        stretch = tl.sum(dx_hat * x_hat, axis=0) / n_cols
        tl.store(dx_ptr + row * n_cols + cols, (dx_hat - shift - x_hat * stretch) * rstd, mask=mask)
        dweight += dout * x_hat
        dbias += dout
    tl.store(dweight_ptr + pid * n_cols + cols, dweight, mask=mask)
    tl.store(dbias_ptr + pid * n_cols + cols, dbias, mask=mask)


@triton.jit
def add_shares_kernel(shares_ptr, out_ptr, n_shares, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    cols = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_N,), dtype=tl.float32)
    for first in range(0, n_shares, BLOCK_M):
        rows = first + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < n_shares) & (cols[None, :] < n_cols)
        shares = tl.load(shares_ptr + rows[:, None] * n_cols + cols[None, :], mask=mask, other=0.0)
        total += tl.sum(shares, axis=0)
    tl.store(out_ptr + cols, total, mask=cols < n_cols)


def layer_norm(x, weight, bias, eps=1e-5):
    n_rows, n_cols = x.shape
    out = torch.empty_like(x)
    mean = torch.empty(n_rows, device=x.device)
    rstd = torch.empty(n_rows, device=x.device)
    block = triton.next_power_of_2(n_cols)
    forward_kernel[(n_rows,)](x, weight, bias, out, mean, rstd, n_cols, eps, BLOCK=block)
    return out, mean, rstd


def layer_norm_backward(dout, x, weight, mean, rstd, rows_per_program=16):
    n_rows, n_cols = x.shape
    n_shares = triton.cdiv(n_rows, rows_per_program)
    dx = torch.empty_like(x)
    dweight_shares = torch.empty((n_shares, n_cols), device=x.device)
    dbias_shares = torch.empty((n_shares, n_cols), device=x.device)
    block = triton.next_power_of_2(n_cols)
    backward_kernel[(n_shares,)](
        dout, x, weight, mean, rstd, dx, dweight_shares, dbias_shares, n_rows, n_cols,
        ROWS=rows_per_program, BLOCK=block,
    )
    dweight = torch.empty_like(weight)
    dbias = torch.empty_like(weight)
    grid = lambda meta: (triton.cdiv(n_cols, meta["BLOCK_N"]),)
    add_shares_kernel[grid](dweight_shares, dweight, n_shares, n_cols, BLOCK_M=32, BLOCK_N=128)
    add_shares_kernel[grid](dbias_shares, dbias, n_shares, n_cols, BLOCK_M=32, BLOCK_N=128)
    return dx, dweight, dbias


def layer_norm_backward_eager(dout, x, weight, eps=1e-5):
    rstd = torch.rsqrt(x.var(dim=1, correction=0, keepdim=True) + eps)
    x_hat = (x - x.mean(dim=1, keepdim=True)) * rstd
    dx_hat = dout * weight
    shift = dx_hat.mean(dim=1, keepdim=True)
    stretch = (dx_hat * x_hat).mean(dim=1, keepdim=True)
    dx = (dx_hat - shift - x_hat * stretch) * rstd
    return dx, (dout * x_hat).sum(dim=0), dout.sum(dim=0)


torch.manual_seed(0)
x = torch.randn((700, 1000), device="cuda") * 3 + 1
weight = torch.rand(1000, device="cuda")
bias = torch.rand(1000, device="cuda")
dout = torch.randn_like(x)

out, mean, rstd = layer_norm(x, weight, bias)
torch.testing.assert_close(out, torch.nn.functional.layer_norm(x, (1000,), weight, bias), rtol=1e-4, atol=1e-4)
print("forward", tuple(out.shape), "ok")

names = ("dx", "dweight", "dbias")
gradients = layer_norm_backward(dout, x, weight, mean, rstd)
expected = layer_norm_backward_eager(dout, x, weight)
for name, ours, theirs in zip(names, gradients, expected):
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)
    print(name, tuple(ours.shape), "ok")
