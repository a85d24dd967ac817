# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that interp-bench times and interp-compare.py runs with real Triton: tensors first, then constants.

Sizes are constants because Triton's interpreter cannot loop to a run-time bound with the newer versions of numpy.
"""
import triton
import triton.language as tl


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < SIZE
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@triton.jit
def softmax(x_ptr, out_ptr, COLUMNS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < COLUMNS
    x = tl.load(x_ptr + row * COLUMNS + columns, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * COLUMNS + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def layer_norm(x_ptr, weight_ptr, bias_ptr, out_ptr, mean_ptr, rstd_ptr, COLUMNS: tl.constexpr, BLOCK: tl.constexpr,
               EPSILON: tl.constexpr = 1e-5):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, COLUMNS, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * COLUMNS + columns, mask=columns < COLUMNS, other=0.0)
    mean = tl.sum(total, axis=0) / COLUMNS
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, COLUMNS, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * COLUMNS + columns, mask=columns < COLUMNS, other=0.0)
        centred = tl.where(columns < COLUMNS, x - mean, 0.0)
        squares += centred * centred
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / COLUMNS + EPSILON)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, COLUMNS, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < COLUMNS
        x = tl.load(x_ptr + row * COLUMNS + columns, mask=mask, other=0.0)
        weight = tl.load(weight_ptr + columns, mask=mask)
        bias = tl.load(bias_ptr + columns, mask=mask)
        tl.store(out_ptr + row * COLUMNS + columns, (x - mean) * rstd * weight + bias, mask=mask)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BLOCK_M: tl.constexpr,
           BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None] * K + inner[None, :]
    b_ptrs = b_ptr + inner[:, None] * N + columns[None, :]
    total = tl.zeros([BLOCK_M, BLOCK_N], dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=inner[None, :] < K - start, other=0.0)
        b = tl.load(b_ptrs, mask=inner[:, None] < K - start, other=0.0)
        total = tl.dot(a, b, total)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * N
    c_ptrs = c_ptr + rows[:, None] * N + columns[None, :]
    tl.store(c_ptrs, total.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, LENGTH: tl.constexpr, DIM: tl.constexpr, BLOCK_M: tl.constexpr,
              BLOCK_N: tl.constexpr, SCALE: tl.constexpr = 0.125):
    head = tl.program_id(1) * LENGTH * DIM
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    dims = tl.arange(0, DIM)
    q = tl.load(q_ptr + head + rows[:, None] * DIM + dims[None, :])
    highest = tl.full([BLOCK_M], -float("inf"), dtype=tl.float32)
    weight = tl.zeros([BLOCK_M], dtype=tl.float32)
    total = tl.zeros([BLOCK_M, DIM], dtype=tl.float32)
    for start in range(0, LENGTH, BLOCK_N):
        k = tl.load(k_ptr + head + (start + columns)[None, :] * DIM + dims[:, None])
        scores = tl.dot(q, k) * (SCALE * 1.44269504)
        higher = tl.maximum(highest, tl.max(scores, axis=1))
        p = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(highest - higher)
        weight = weight * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + head + (start + columns)[:, None] * DIM + dims[None, :])
        total = tl.dot(p.to(tl.float16), v, total * shrink[:, None])
        highest = higher
    out = total / weight[:, None]
    tl.store(out_ptr + head + rows[:, None] * DIM + dims[None, :], out.to(tl.float16))
