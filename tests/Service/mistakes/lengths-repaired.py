import torch
import triton
import triton.language as tl


@triton.jit
def range_of_200(x_ptr):
    r = tl.arange(0, 256)
    tl.store(x_ptr + r, 1.0, mask=r < 200)


@triton.jit
def block_of_48(x_ptr, columns, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    tile = tl.where(c[None, :] < columns, tl.full((16, BLOCK), 1.0, dtype=tl.float32), 0.0)
    tl.store(x_ptr + tl.arange(0, 16), tl.sum(tile, axis=1))


@triton.jit
def run_time_range(x_ptr, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        r = start + tl.arange(0, BLOCK)
        tl.store(x_ptr + r, 1.0, mask=r < n)


@triton.jit
def short_product(x_ptr, y_ptr, out_ptr, M: tl.constexpr, K: tl.constexpr, WIDE: tl.constexpr):
    m = tl.arange(0, M)
    k = tl.arange(0, WIDE)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
    y = tl.load(y_ptr + k[:, None] * M + m[None, :], mask=k[:, None] < K, other=0.0)
    tl.store(out_ptr + m[:, None] * M + m[None, :], tl.dot(x, y))


x = torch.zeros(1024, device="cuda")
half = torch.zeros((16, 16), device="cuda", dtype=torch.float16)
range_of_200[(1,)](x)
block_of_48[(1,)](x, 48, BLOCK=64)
run_time_range[(1,)](x, 128, BLOCK=64)
short_product[(1,)](half, half, x, M=16, K=8, WIDE=16)
