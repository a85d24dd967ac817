"""Many matrix products of different sizes in one launch.

Small products one after the other leave most of a GPU idle. Here the tiles of all products stand in one queue, and a
fixed number of programs takes them in turn: program p has tiles p, p + NUM_PROGRAMS, p + 2 * NUM_PROGRAMS, and so on.
Sizes and addresses of the matrices lie in tables on the GPU, where the kernel looks them up.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_tile(a_ptr, b_ptr, c_ptr, M, N, K, pid_m, pid_n,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """One tile of C = A @ B; all three are contiguous by rows."""
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        ks = start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + rows[:, None] * K + ks[None, :],
                    mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(b_ptr + ks[:, None] * N + cols[None, :],
                    mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(tl.float16),
             mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit
def grouped_matmul_kernel(sizes_ptr, addresses_ptr, n_products, NUM_PROGRAMS: tl.constexpr,
                          BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    tile = tl.program_id(0)
    first = 0  # the place in the queue of the product's first tile
    for product in range(n_products):
        M = tl.load(sizes_ptr + product * 3)
        N = tl.load(sizes_ptr + product * 3 + 1)
        K = tl.load(sizes_ptr + product * 3 + 2)
        num_n = tl.cdiv(N, BLOCK_N)
        end = first + tl.cdiv(M, BLOCK_M) * num_n
        if tile < end:
            # An address in a table is a number: say what it points to.
            a_ptr = tl.load(addresses_ptr + product * 3).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(addresses_ptr + product * 3 + 1).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(addresses_ptr + product * 3 + 2).to(tl.pointer_type(tl.float16))
            while tile < end:
                pid_m = (tile - first) // num_n
                pid_n = (tile - first) % num_n
                matmul_tile(a_ptr, b_ptr, c_ptr, M, N, K, pid_m, pid_n, BLOCK_M, BLOCK_N, BLOCK_K)
                tile += NUM_PROGRAMS
        first = end


def grouped_matmul(a_list, b_list, num_programs=16):
    device = a_list[0].device
    c_list, sizes, addresses = [], [], []
    for a, b in zip(a_list, b_list):
        c = torch.empty((a.shape[0], b.shape[1]), device=device, dtype=a.dtype)
        c_list.append(c)
        sizes.append([a.shape[0], b.shape[1], a.shape[1]])
        addresses.append([a.data_ptr(), b.data_ptr(), c.data_ptr()])
    grouped_matmul_kernel[(num_programs,)](
        torch.tensor(sizes, device=device, dtype=torch.int32),
        torch.tensor(addresses, device=device, dtype=torch.int64),
        len(sizes), NUM_PROGRAMS=num_programs, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32,
    )
    return c_list


torch.manual_seed(0)
a_list, b_list = [], []
for M, N, K in [(256, 256, 128), (100, 300, 200), (64, 64, 500), (200, 40, 72)]:
    a_list.append(torch.rand((M, K), device="cuda", dtype=torch.float16) - 0.5)
    b_list.append(torch.rand((K, N), device="cuda", dtype=torch.float16) - 0.5)

for a, b, c in zip(a_list, b_list, grouped_matmul(a_list, b_list)):
    torch.testing.assert_close(c, torch.matmul(a, b), rtol=1e-2, atol=1e-2)
    print(tuple(a.shape), "@", tuple(b.shape), "=", tuple(c.shape), "ok")
