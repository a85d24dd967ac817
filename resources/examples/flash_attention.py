"""Flash attention, forward: softmax(Q K^T) V without the matrix of scores.

Written out, attention stores one score for every pair of a query and a key. Here a program keeps BLOCK_M queries on
chip and walks over the keys and values BLOCK_N at a time. The softmax goes along with the walk (see
online_softmax.py): when a tile raises the maximum of a row, the row's sum and its part of the output are scaled down.
The scores never leave the chip; Q, K, V and the output are all that memory sees.
"""

import math

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr,
    length, scale,
    HEAD_DIM: tl.constexpr, CAUSAL: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):
    first_query = tl.program_id(0) * BLOCK_M
    queries = first_query + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, HEAD_DIM)
    head = tl.program_id(1) * length * HEAD_DIM  # where this head of this batch begins
    q_tile = head + queries[:, None] * HEAD_DIM + dims[None, :]
    q = tl.load(q_ptr + q_tile, mask=queries[:, None] < length, other=0.0)

    largest = tl.full((BLOCK_M,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)

    end = length
    if CAUSAL:  # no query of this program looks at keys after its last one
        end = min(length, first_query + BLOCK_M)
    for start in range(0, end, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        k = tl.load(  # K transposed: HEAD_DIM x BLOCK_N
            k_ptr + head + keys[None, :] * HEAD_DIM + dims[:, None],
            mask=keys[None, :] < length, other=0.0,
        )
        scores = tl.dot(q, k) * scale
        visible = keys[None, :] < length
        if CAUSAL:
            visible = visible & (keys[None, :] <= queries[:, None])
        scores = tl.where(visible, scores, -float("inf"))

        new_largest = tl.maximum(largest, tl.max(scores, axis=1))
        shrink = tl.exp2(largest - new_largest)
        weights = tl.exp2(scores - new_largest[:, None])
        total = total * shrink + tl.sum(weights, axis=1)
        v = tl.load(
            v_ptr + head + keys[:, None] * HEAD_DIM + dims[None, :],
            mask=keys[:, None] < length, other=0.0,
        )
        acc = tl.dot(weights.to(v.dtype), v, acc * shrink[:, None])
        largest = new_largest

    out = acc / total[:, None]
    tl.store(out_ptr + q_tile, out.to(tl.float16), mask=queries[:, None] < length)


def attention(q, k, v, causal):
    """q, k and v are contiguous, (batch, heads, length, head_dim)."""
    batch, heads, length, head_dim = q.shape
    out = torch.empty_like(q)
    # e^x = 2^(x log2 e): with the factor in the scale, the kernel needs only exp2, the one the GPU has.
    scale = math.log2(math.e) / math.sqrt(head_dim)
    grid = lambda meta: (triton.cdiv(length, meta["BLOCK_M"]), batch * heads)
    attention_kernel[grid](
        q, k, v, out, length, scale, HEAD_DIM=head_dim, CAUSAL=causal, BLOCK_M=64, BLOCK_N=32
    )
    return out


def attention_eager(q, k, v, causal):
    length = q.shape[2]
    scores = torch.matmul(q, k.transpose(2, 3)).float() / math.sqrt(q.shape[3])
    if causal:
        later = torch.triu(torch.ones((length, length), device=q.device, dtype=torch.bool), diagonal=1)
        scores = scores.masked_fill(later, -float("inf"))
    return torch.matmul(torch.softmax(scores, dim=-1).to(v.dtype), v)


torch.manual_seed(0)
shape = (2, 3, 300, 64)
q, k, v = (torch.randn(shape, device="cuda", dtype=torch.float16) for _ in range(3))
for causal in (False, True):
    out = attention(q, k, v, causal)
    torch.testing.assert_close(out, attention_eager(q, k, v, causal), rtol=1e-2, atol=1e-2)
    fused = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    torch.testing.assert_close(out, fused, rtol=1e-2, atol=1e-2)
    print(f"causal={causal}:", tuple(out.shape), "ok")
