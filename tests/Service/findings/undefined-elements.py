import torch
import triton
import triton.language as tl


# Through operations that pick single elements, or work on groups of them.
@triton.jit
def gathered(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = tl.gather(x, BLOCK - 1 - offsets, axis=0)
    tl.store(out_ptr + offsets, y)  # expect[undefined-store] 3; [0:3]


@triton.jit
def gathered_rows(x_ptr, out_ptr, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.arange(0, ROWS)[:, None]
    columns = tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + rows * BLOCK + columns, mask=(rows < n) & (columns >= 0))
    y = tl.gather(x, tl.zeros((2, BLOCK), tl.int32) + 3 * tl.arange(0, 2)[:, None], axis=0)
    out = tl.arange(0, 2)[:, None]
    tl.store(out_ptr + out * BLOCK + columns, y)  # expect[undefined-store] 8; [1, 0:8]


@triton.jit
def gathered_by(index_ptr, x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    index = tl.load(index_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, tl.gather(x, index, axis=0))  # expect[undefined-store] 2; [6:8]


@triton.jit
def counted(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    bins = tl.histogram(x, 16)  # expect[undefined-reduction] 3; [5:8]
    tl.store(out_ptr + tl.arange(0, 16), bins)


@triton.jit
def counted_partly(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    bins = tl.histogram(x, 16, mask=x < 3)  # expect[undefined-mask] 3; [5:8]
    tl.store(out_ptr + tl.arange(0, 16), bins)


@triton.jit
def increment(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = tl.inline_asm_elementwise("add.s32 $0, $1, 1;", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out_ptr + offsets, y)  # expect[undefined-store] 3; [5:8]


# Four bytes share a register: with one of them all are undefined.
@triton.jit
def packed(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = tl.load(y_ptr + offsets)
    z, w = tl.inline_asm_elementwise(
        "and.b32 $0, $2, $3; not.b32 $1, $3;", "=r,=r,r,r", [x, y], dtype=(tl.int8, tl.int8), is_pure=True,
        pack=4)
    tl.store(out_ptr + BLOCK + offsets, w)
    tl.store(out_ptr + offsets, z)  # expect[undefined-store] 4; [4:8]


@triton.jit
def clipped(x):
    if x > 2:
        y = x - 1
    else:
        y = 0
    return y


@triton.jit
def mapped(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, tl.map_elementwise(clipped, x))  # expect[undefined-store] 3; [5:8]


@triton.jit
def scaled(a_ptr, b_ptr, s_ptr, out_ptr, n, M: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    k = tl.arange(0, K)
    groups = tl.arange(0, K // 32)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=k[None, :] < n)
    b = tl.load(b_ptr + k[:, None] * M + m[None, :])
    s = tl.load(s_ptr + m[:, None] * (K // 32) + groups[None, :])
    c = tl.dot_scaled(a, s, "e5m2", b, s, "e5m2")  # expect[undefined-product] 768; [0:32, 40:64]
    tl.store(out_ptr + m[:, None] * M + m[None, :], c)


@triton.jit
def scaled_by(a_ptr, b_ptr, s_ptr, out_ptr, n, M: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    k = tl.arange(0, K)
    groups = tl.arange(0, K // 32)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * M + m[None, :])
    s = tl.load(s_ptr + m[:, None] * (K // 32) + groups[None, :], mask=groups[None, :] < n)
    c = tl.dot_scaled(a, s, "e5m2", b, None, "e5m2")  # expect[undefined-product] 1024; [0:32, 32:64]
    tl.store(out_ptr + m[:, None] * M + m[None, :], c)


x = torch.arange(1, 65, device="cuda", dtype=torch.int32)
out = torch.zeros(64, dtype=torch.int32, device="cuda")
gathered[(1,)](x, out, 5, BLOCK=8)
gathered_rows[(1,)](x, out, 3, ROWS=4, BLOCK=8)
gathered_by[(1,)](torch.ones(6, dtype=torch.int32, device="cuda"), x, out, 6, BLOCK=8)
counted[(1,)](x, out, 5, BLOCK=8)
counted_partly[(1,)](x, out, 5, BLOCK=8)
increment[(1,)](x, out, 5, BLOCK=8)
packed[(1,)](x.to(torch.int8), x.to(torch.int8), out.to(torch.int8), 5, BLOCK=8)
mapped[(1,)](x, out, 5, BLOCK=8)
bytes = torch.zeros((32, 64), dtype=torch.uint8, device="cuda")
scales = torch.full((32, 2), 127, dtype=torch.uint8, device="cuda")
product = torch.zeros((32, 32), device="cuda")
scaled[(1,)](bytes, bytes, scales, product, 40, M=32, K=64)
scaled_by[(1,)](bytes, bytes, scales, product, 1, M=32, K=64)
