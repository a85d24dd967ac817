"""Sums over many programs, with atomics.

Programs run in any order, many at a time, and cannot wait for each other. Where several of them add to the same
element they must do so atomically: read, add and write with nobody in between. An atomic is slower than a store, so
each program first sums all it can by itself. The order of the additions is left open, and with it the last bits of
a sum of floats; counts of integers come out the same every time.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, total_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.atomic_add(total_ptr, tl.sum(x, axis=0))  # one atomic for BLOCK elements


@triton.jit
def column_sums_kernel(x_ptr, sums_ptr, n_rows, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    x = tl.load(x_ptr + rows[:, None] * n_cols + cols[None, :], mask=mask, other=0.0)
    tl.atomic_add(sums_ptr + cols, tl.sum(x, axis=0), mask=cols < n_cols)  # one for each column of the tile


@triton.jit
def count_kernel(values_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    values = tl.load(values_ptr + offsets, mask=mask, other=0)
    # Equal values in one tile add to the same element: the slowest case, and still right.
    tl.atomic_add(counts_ptr + values, 1, mask=mask)


def total_sum(x):
    total = torch.zeros(1, device=x.device)  # zeros and not empty: the programs only add to it
    grid = lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)
    sum_kernel[grid](x, total, x.numel(), BLOCK=1024)
    return total


def column_sums(x):
    n_rows, n_cols = x.shape
    sums = torch.zeros(n_cols, device=x.device)
    grid = lambda meta: (triton.cdiv(n_rows, meta["BLOCK_M"]), triton.cdiv(n_cols, meta["BLOCK_N"]))
    column_sums_kernel[grid](x, sums, n_rows, n_cols, BLOCK_M=64, BLOCK_N=64)
    return sums


def counts(values, n_bins):
    result = torch.zeros(n_bins, device=values.device, dtype=torch.int32)
    grid = lambda meta: (triton.cdiv(values.numel(), meta["BLOCK"]),)
    count_kernel[grid](values, result, values.numel(), BLOCK=512)
    return result


torch.manual_seed(0)
x = torch.rand((500, 300), device="cuda")
torch.testing.assert_close(total_sum(x), x.sum().reshape(1), rtol=1e-4, atol=1e-4)
print("sum of", x.numel(), "elements ok")
torch.testing.assert_close(column_sums(x), x.sum(dim=0), rtol=1e-4, atol=1e-4)
print("sums of", x.shape[1], "columns ok")

values = torch.randint(0, 20, (10_000,), device="cuda")
found = counts(values, n_bins=20)
assert torch.equal(found, torch.bincount(values, minlength=20).to(torch.int32))
print("counts of", values.numel(), "values ok, together", found.sum().item())
