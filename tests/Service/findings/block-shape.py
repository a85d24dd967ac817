import torch
import triton
import triton.language as tl


# The last block of a row goes on into the next row, which is in the tensor, but not in the block's shape.
@triton.jit
def sums(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    acc = tl.zeros((BM,), tl.float32)
    for _ in range(0, N, BN):
        x = tl.load(p)
        acc += tl.sum(x, 1)  # expect[undefined-reduction] (0, 0, 0); 20; [0:4, 3:8] | note outside-shape-here
        p = tl.advance(p, (0, BN))
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(out_ptr + r, acc, mask=r < M)


# One dimension is checked, the other one matters.
@triton.jit
def copied(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (0, 8), (BM, BN), (1, 0))
    x = tl.load(p, boundary_check=(0,))
    tl.store(out_ptr + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], x)  # expect[undefined-store] 20; [0:4, 3:8] | note outside-shape-here


x = torch.ones(20 * 11, device="cuda")
out = torch.zeros(64, device="cuda")
sums[(2,)](x, out, 8, 11, BM=4, BN=8)
copied[(1,)](x, out, 8, 11, BM=4, BN=8)
