# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Block pointers, compared with torch: newer Tritons have none any more, so there is nobody to ask."""
import torch
import triton
import triton.language as tl

device = "cuda"


@triton.jit
def copy(src, dst, M, N, y, x, CHECK: tl.constexpr, PADDING: tl.constexpr):
    source = tl.make_block_ptr(base=src, shape=(M, N), strides=(N, 1), offsets=(y, x), block_shape=(4, 8), order=(1, 0))
    target = tl.make_block_ptr(dst, (4, 8), (8, 1), (0, 0), (4, 8), (1, 0))
    block = tl.load(source, boundary_check=CHECK, padding_option=PADDING, cache_modifier=".cg")
    tl.store(target, block, boundary_check=[0, 1])


def padded(a, y, x, value):
    out = torch.full((4, 8), value, device=device)
    for i in range(4):
        for j in range(8):
            if 0 <= y + i < a.shape[0] and 0 <= x + j < a.shape[1]:
                out[i, j] = a[y + i, x + j]
    return out


a = torch.arange(60, dtype=torch.float32, device=device).reshape(5, 12)
for y, x in ((0, 0), (3, 5), (-2, -3), (4, 11), (100, 0), (0, -100)):
    out = torch.empty((4, 8), device=device)
    copy[(1,)](a, out, 5, 12, y, x, (0, 1), "zero")
    assert torch.equal(out, padded(a, y, x, 0.0)), (y, x)
    copy[(1,)](a, out, 5, 12, y, x, (1, 0), "nan")
    want = padded(a, y, x, float("nan"))
    assert torch.equal(torch.isnan(out), torch.isnan(want))
    assert torch.equal(torch.where(torch.isnan(out), 0.0, out), torch.where(torch.isnan(want), 0.0, want))
copy[(1,)](a, out, 5, 12, 1, 4, (), "")
assert torch.equal(out, a[1:5, 4:12])


@triton.jit
def block_of(base, rows, columns, row_stride, column_stride, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    return tl.make_block_ptr(base, (rows, columns), (row_stride, column_stride), (y, 0), (ROWS, COLUMNS), (1, 0))


@triton.jit
def next_of(pointer, step):
    pointer = tl.advance(pointer, (0, step))
    return pointer, step


@triton.jit
def matmul(a, b, c, M, N, K, am, ak, bk, bn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM
    j = tl.program_id(1) * BN
    left = block_of(a, M, K, am, ak, i, BM, BK)
    right = tl.make_block_ptr(b, (K, N), (bk, bn), (0, j), (BK, BN), (0, 1))
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(left, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(right, boundary_check=(0, 1), padding_option="zero")
        acc += tl.dot(x, y)
        left, step = next_of(left, BK)
        right = right.advance((step, 0))
    out = tl.make_block_ptr(c, (M, N), (N, 1), (i, j), (BM, BN), (1, 0))
    tl.store(out, acc.to(out.dtype.element_ty), boundary_check=(0, 1))


M, N, K = 37, 45, 70
x = torch.randint(-4, 5, (M, K), device=device).to(torch.float16)
y = torch.randint(-4, 5, (N, K), device=device).to(torch.float16)
z = torch.empty((M, N), dtype=torch.float16, device=device)
matmul[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, y, z, M, N, K, x.stride(0), x.stride(1), y.stride(1), y.stride(0), 16, 16, 16)
assert torch.equal(z.float(), x.float() @ y.float().T)


@triton.jit
def walk(src, dst, N, back, B: tl.constexpr):
    """Through branches, a while loop and a tuple."""
    pointers = (tl.make_block_ptr(src, (N,), (1,), (0,), (B,), (0,)), tl.make_block_ptr(dst, (N,), (1,), (0,), (B,), (0,)))
    source, target = pointers
    if back > 0:
        source = tl.advance(source, (back,))
    else:
        source = tl.advance(source, [N - B])
    done = 0
    while done < N:
        tl.store(target, tl.load(source, boundary_check=(0,), padding_option="zero") + 1, boundary_check=(0,))
        if back > 0:
            source = tl.advance(source, (B,))
        else:
            source = tl.advance(source, (-B,))
        target = tl.advance(target, (B,))
        done += B
    first = tl.make_block_ptr(dst, (N,), (1,), (0,), (1,), (0,))
    tl.store(first, -5)


src = torch.arange(20, dtype=torch.int32, device=device)
for back in (3, 0):
    dst = torch.zeros(20, dtype=torch.int32, device=device)
    walk[(1,)](src, dst, 20, back, 4)
    if back:
        want = torch.cat([src[3:], torch.zeros(3, dtype=torch.int32, device=device)]) + 1
    else:
        want = torch.cat([src[16 - 4 * i:20 - 4 * i] for i in range(5)]) + 1
    want[0] = -5
    assert torch.equal(dst, want), back


@triton.jit
def ranks(src, dst, B: tl.constexpr):
    source = tl.make_block_ptr(src, (3, 2, 2, 3, B), (12 * B, 6 * B, 3 * B, B, 1), (1, 0, 1, 1, 0), (2, 2, 1, 2, B),
                               (4, 3, 2, 1, 0))
    target = tl.make_block_ptr(dst, (2, 2, 1, 2, B), (4 * B, 2 * B, 2 * B, B, 1), (0, 0, 0, 0, 0), (2, 2, 1, 2, B),
                               (4, 3, 2, 1, 0))
    tl.store(target, tl.load(source))


src = torch.arange(3 * 2 * 2 * 3 * 4, dtype=torch.int16, device=device).reshape(3, 2, 2, 3, 4)
dst = torch.zeros((2, 2, 1, 2, 4), dtype=torch.int16, device=device)
ranks[(1,)](src, dst, 4)
assert torch.equal(dst, src[1:3, :, 1:2, 1:3, :])
print("done")
