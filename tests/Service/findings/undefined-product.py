import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=rk[None, :] < K)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=rk[:, None] < K)
        acc = tl.dot(a, b, acc)  # expect[undefined-product] 1472; [0:64, 41:64] | fix other=0.0
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def matmul_b(a_ptr, b_ptr, c_ptr, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=rk[None, :] < K, other=0.0)
    b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N))
    c = tl.dot(a, b)  # expect[undefined-product] 80; [12:16, 0:20]
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], c, mask=rn[None, :] < N)


@triton.jit
def scores(q_ptr, k_ptr, out_ptr, D, BM: tl.constexpr, BD: tl.constexpr):
    r = tl.arange(0, BM)
    d = tl.arange(0, BD)
    q = tl.load(q_ptr + r[:, None] * D + d[None, :], mask=d[None, :] < D)
    k = tl.load(k_ptr + r[None, :] * D + d[:, None], mask=d[:, None] < D, other=0.0)
    s = tl.dot(q, k)  # expect[undefined-product] 64; [0:16, 12:16]
    tl.store(out_ptr + r[:, None] * BM + r[None, :], s)


a = torch.ones((64, 1001), device="cuda", dtype=torch.float16)
b = torch.ones((1001, 64), device="cuda", dtype=torch.float16)
out = torch.zeros((64, 64), device="cuda")
matmul[(1, 1)](a, b, out, 64, 64, 1001, BM=64, BN=64, BK=64)
matmul_b[(1,)](a, b, out, 20, 12, BM=16, BN=32, BK=16)
scores[(1,)](a, b, out, 12, BM=16, BD=16)
