"""Transpose, in two ways: what coalescing is worth.

The 32 lanes of a warp reach memory together, in sectors of 32 bytes. Neighbouring lanes on neighbouring elements
share a sector; lanes that are a row apart need one each and use 4 bytes of it. Both kernels move the same elements.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose_row_kernel(x_ptr, out_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    """Turns one row into one column: reads are coalesced, writes are n_rows elements apart."""
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask)
    tl.store(out_ptr + cols * n_rows + row, x, mask=mask)


@triton.jit
def transpose_tile_kernel(x_ptr, out_ptr, n_rows, n_cols, TILE: tl.constexpr):
    """Turns one tile on chip: reads follow the rows of x, writes the rows of out."""
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    cols = tl.program_id(1) * TILE + tl.arange(0, TILE)
    mask = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    x = tl.load(x_ptr + rows[:, None] * n_cols + cols[None, :], mask=mask)
    tl.store(out_ptr + cols[:, None] * n_rows + rows[None, :], tl.trans(x), mask=tl.trans(mask))


def transpose_by_rows(x):
    n_rows, n_cols = x.shape
    out = torch.empty((n_cols, n_rows), device=x.device, dtype=x.dtype)
    transpose_row_kernel[(n_rows,)](x, out, n_rows, n_cols, BLOCK=triton.next_power_of_2(n_cols))
    return out


def transpose_by_tiles(x):
    n_rows, n_cols = x.shape
    out = torch.empty((n_cols, n_rows), device=x.device, dtype=x.dtype)
    grid = lambda meta: (triton.cdiv(n_rows, meta["TILE"]), triton.cdiv(n_cols, meta["TILE"]))
    transpose_tile_kernel[grid](x, out, n_rows, n_cols, TILE=32)
    return out


torch.manual_seed(0)
x = torch.randn((600, 500), device="cuda")
for transpose in (transpose_by_rows, transpose_by_tiles):
    out = transpose(x)
    print(f"{transpose.__name__}: {tuple(out.shape)}", "ok" if torch.equal(out, x.T.contiguous()) else "wrong")
