"""A matrix product whose weights are integers of 4 bits.

Reading the weights is what a product with few rows spends its time on. Four bits instead of sixteen make that a
quarter: eight weights lie in one int32, and each GROUP of them along K shares a scale. The kernel unpacks and scales
a tile on chip and multiplies it at once; the weights never exist in full in memory.
"""

import torch
import triton
import triton.language as tl

GROUP = 64  # weights along K that share a scale


@triton.jit
def int4_matmul_kernel(
    x_ptr, packed_ptr, scales_ptr, out_ptr,
    M, N, K,
    GROUP: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        ks = start + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + rows[:, None] * K + ks[None, :], mask=rows[:, None] < M, other=0.0)
        # Eight rows of the tile come from the same word, each from its own 4 bits.
        packed = tl.load(packed_ptr + (ks[:, None] // 8) * N + cols[None, :], mask=cols[None, :] < N, other=0)
        integers = (packed >> (ks[:, None] % 8 * 4)) & 0xF
        # BLOCK_K divides GROUP, and GROUP divides K: the whole tile is in one group, and none crosses the end of K.
        scales = tl.load(scales_ptr + (start // GROUP) * N + cols, mask=cols < N, other=0.0)
        weight = (integers - 8).to(tl.float16) * scales[None, :]
        acc = tl.dot(x, weight, acc)
    tl.store(out_ptr + rows[:, None] * N + cols[None, :], acc.to(tl.float16),
             mask=(rows[:, None] < M) & (cols[None, :] < N))


def quantise(weight):
    """Rounds weight (K, N) to integers of -8 to 7 times a scale a group; packs them as 0 to 15."""
    K, N = weight.shape
    groups = weight.float().reshape(K // GROUP, GROUP, N)
    scales = (groups.abs().amax(dim=1, keepdim=True) / 7).half()
    integers = torch.clamp(torch.round(groups / scales.float()), -8, 7).to(torch.int32) + 8
    integers = integers.reshape(K // 8, 8, N)
    packed = torch.zeros((K // 8, N), device=weight.device, dtype=torch.int32)
    for i in range(8):
        packed |= integers[:, i] << (4 * i)
    return packed, scales.reshape(K // GROUP, N)


def dequantise(packed, scales):
    shifts = torch.arange(0, 32, 4, device=packed.device, dtype=torch.int32)
    integers = (packed[:, None, :] >> shifts[None, :, None]) & 0xF
    K, N = packed.shape[0] * 8, packed.shape[1]
    weight = (integers.reshape(-1, GROUP, N) - 8).half() * scales[:, None, :]
    return weight.reshape(K, N)


def int4_matmul(x, packed, scales):
    M, K = x.shape
    N = packed.shape[1]
    out = torch.empty((M, N), device=x.device, dtype=torch.float16)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]), triton.cdiv(N, meta["BLOCK_N"]))
    int4_matmul_kernel[grid](x, packed, scales, out, M, N, K, GROUP=GROUP, BLOCK_M=16, BLOCK_N=64, BLOCK_K=32)
    return out


torch.manual_seed(0)
x = torch.randn((20, 512), device="cuda", dtype=torch.float16)
weight = torch.randn((512, 1000), device="cuda", dtype=torch.float16) / 16
packed, scales = quantise(weight)
out = int4_matmul(x, packed, scales)
torch.testing.assert_close(out, torch.matmul(x, dequantise(packed, scales)), rtol=1e-2, atol=1e-2)
size = packed.numel() * packed.element_size() + scales.numel() * scales.element_size()
print(tuple(out.shape), "ok")
print(f"weights: {size} bytes instead of {weight.numel() * weight.element_size()}")
