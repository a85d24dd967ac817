import torch
import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    acc = tl.zeros((BM,), tl.float32)
    for _ in range(0, N, BN):
        x = tl.load(p, boundary_check=(1,), padding_option="zero")
        acc += tl.sum(x, 1)
        p = tl.advance(p, (0, BN))
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(out_ptr + r, acc, mask=r < M)


# What lies outside needs no check where what comes of it is masked off again.
@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_block_ptr(a_ptr, (M, K), (K, 1), (0, 0), (BM, K), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (N, 1), (0, 0), (K, BN), (1, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (0, 0), (BM, BN), (1, 0))
    tl.store(c, tl.dot(tl.load(a), tl.load(b)), boundary_check=(0, 1))


@triton.jit
def masked_again(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (0, 8), (BM, BN), (1, 0))
    x = tl.load(p, boundary_check=(0,))
    x = tl.where(8 + tl.arange(0, BN)[None, :] < N, x, 0.0)
    tl.store(out_ptr + tl.arange(0, BM), tl.sum(x, 1))


x = torch.ones(20 * 11, device="cuda")
out = torch.zeros(64, device="cuda")
sums[(2,)](x, out, 8, 11, BM=4, BN=8)
masked_again[(1,)](x, out, 8, 11, BM=4, BN=8)
a = torch.ones(32 * 16, device="cuda", dtype=torch.float16)
b = torch.ones(17 * 16, device="cuda", dtype=torch.float16)
product[(1,)](a, b, torch.zeros(10 * 11, device="cuda"), 10, 11, K=16, BM=16, BN=16)
