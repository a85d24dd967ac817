# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor descriptors, made in kernels and on the host. What real Triton prints is in descriptors.txt:

    TRITON_INTERPRET=1 python descriptors.py > descriptors.txt
"""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def copy(src, dst, M, N, y, x, ROWS: tl.constexpr, COLUMNS: tl.constexpr, PADDING: tl.constexpr):
    source = tl.make_tensor_descriptor(src, [M, N], [N, 1], [ROWS, COLUMNS], padding_option=PADDING)
    target = tl.make_tensor_descriptor(dst, shape=[ROWS, COLUMNS], strides=[COLUMNS, 1], block_shape=[ROWS, COLUMNS])
    target.store([0, 0], source.load([y, x]))


def numbers(*shape, dtype=torch.float32):
    count = 1
    for size in shape:
        count *= size
    return torch.arange(count, dtype=torch.float32).reshape(shape).to(dtype).to(device)


for padding in ("zero", "nan"):
    for y, x in ((0, 0), (3, 4), (-2, -4), (2, 8), (100, 0), (0, -100)):
        out = torch.full((4, 8), -1.0, device=device)
        copy[(1,)](numbers(5, 12), out, 5, 12, y, x, 4, 8, padding)
        print(padding, y, x, out.tolist())


@triton.jit
def shift(src, dst, N, dy, dx, BLOCK: tl.constexpr):
    """Writes a block that sticks out of the tensor."""
    source = tl.make_tensor_descriptor(src, [N, N], [N, 1], [BLOCK, BLOCK])
    target = tl.make_tensor_descriptor(dst, [N, N], [N, 1], [BLOCK, BLOCK])
    for i in range(0, N, BLOCK):
        for j in range(0, N, BLOCK):
            block = tl.load_tensor_descriptor(source, [i, j])
            tl.store_tensor_descriptor(target, [i + dy, j + dx], block)


for dy, dx in ((0, 0), (1, 8), (-3, 0), (-1, -8)):
    out = torch.full((16, 16), -1.0, dtype=torch.float16, device=device)
    shift[(1,)](numbers(16, 16, dtype=torch.float16), out, 16, dy, dx, 8)
    print("shift", dy, dx, out.tolist())


@triton.jit
def three(src, dst, K, M, N, k, B: tl.constexpr):
    source = tl.make_tensor_descriptor(src, [K, M, N], [M * N, N, 1], [2, 2, B])
    tl.static_assert(len(source.block_shape) == 3)
    tl.static_assert(source.block_shape[2] == B)
    tl.static_assert(source.dtype == tl.int32)
    block = source.load([k, k, 4])
    o = tl.arange(0, 2)[:, None, None] * 2 * B + tl.arange(0, 2)[None, :, None] * B + tl.arange(0, B)[None, None, :]
    tl.store(dst + o, block + source.shape[0] * 1000 + source.strides[0].to(tl.int32) * 10000)


for k in (-1, 0, 1, 2):
    out = torch.zeros((2, 2, 4), dtype=torch.int32, device=device)
    three[(1,)](numbers(3, 3, 8, dtype=torch.int32), out, 3, 3, 8, k, 4)
    print("three", k, out.tolist())


@triton.jit
def rows(src, dst, index, M, N, column, B: tl.constexpr):
    source = tl.make_tensor_descriptor(src, [M, N], [N, 1], [1, B])
    target = tl.make_tensor_descriptor(dst, [M, N], [N, 1], [1, B])
    chosen = tl.load(index + tl.arange(0, 8))
    got = source.gather(chosen, column)
    target.scatter(got + 100, chosen, column - 4)


for column in (0, 4, 8, -4):
    index = torch.tensor([3, 0, 9, -1, 2, 5, 4, 8], dtype=torch.int32, device=device)
    out = torch.zeros((9, 12), device=device)
    rows[(1,)](numbers(9, 12), out, index, 9, 12, column, 8)
    print("rows", column, out.tolist())


@triton.jit
def host_side(source, target, ROWS: tl.constexpr):
    i = tl.program_id(0) * ROWS
    block = source.load([i, 0])
    target.store([i, 4], block * 2)
    tl.static_assert(source.block_shape[1] == 8)


source = TensorDescriptor(numbers(6, 8), [5, 7], [8, 1], [2, 8], padding="nan")
out = torch.full((6, 12), -1.0, device=device)
target = TensorDescriptor.from_tensor(out, block_shape=[2, 8])
host_side[(3,)](source, target, 2)
print("host", out.tolist(), source.shape, source.block_shape, source.padding)
