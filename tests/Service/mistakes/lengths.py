import torch
import triton
import triton.language as tl


@triton.jit
def range_of_200(x_ptr):
    r = tl.arange(0, 200)  # expect[arange-length] 200; 256 | at 200 | fix 256
    tl.store(x_ptr + r, 1.0)


@triton.jit
def block_of_48(x_ptr, BLOCK: tl.constexpr):
    tile = tl.zeros((16, BLOCK), dtype=tl.float32)  # expect[shape-not-power-of-two] [16, 48]; 48
    tl.store(x_ptr + tl.arange(0, 16), tl.sum(tile, axis=1))


@triton.jit
def run_time_range(x_ptr, n):
    r = tl.arange(0, n)  # expect[run-time-shape] int32 | at n
    tl.store(x_ptr + r, 1.0)


@triton.jit
def run_time_tile(x_ptr, rows, BLOCK: tl.constexpr):
    tile = tl.zeros((rows, BLOCK), dtype=tl.float32)  # expect[run-time-shape] int32
    tl.store(x_ptr + tl.arange(0, BLOCK), tl.sum(tile, axis=0))


@triton.jit
def short_product(x_ptr, y_ptr, out_ptr, M: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    k = tl.arange(0, K)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :])
    y = tl.load(y_ptr + k[:, None] * M + m[None, :])
    tl.store(out_ptr + m[:, None] * M + m[None, :], tl.dot(x, y))  # expect[dot-too-small] 8; 16; fp16[16, 8]; fp16[8, 16] | at tl.dot(x, y)


@triton.jit
def short_bytes(x_ptr, y_ptr, out_ptr, M: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    k = tl.arange(0, K)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :])
    y = tl.load(y_ptr + k[:, None] * M + m[None, :])
    tl.store(out_ptr + m[:, None] * M + m[None, :], tl.dot(x, y))  # expect[dot-too-small] 16; 32; int8[16, 16]; int8[16, 16]


x = torch.zeros(1024, device="cuda")
half = torch.zeros((16, 16), device="cuda", dtype=torch.float16)
byte = torch.zeros((16, 16), device="cuda", dtype=torch.int8)
range_of_200[(1,)](x)
block_of_48[(1,)](x, BLOCK=48)
run_time_range[(1,)](x, 128)
run_time_tile[(1,)](x, 16, BLOCK=16)
short_product[(1,)](half, half, x, M=16, K=8)
short_bytes[(1,)](byte, byte, torch.zeros(256, device="cuda", dtype=torch.int32), M=16, K=16)
