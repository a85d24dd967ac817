"""Tuples and named tuples as arguments of a kernel: pointers, numbers, constants and tuples inside."""
from typing import NamedTuple

import torch
import triton
import triton.language as tl


class Vector(NamedTuple):
    pointer: torch.Tensor
    size: int


@triton.jit
def scaled_sum(vectors, out, factors, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(vectors[0].pointer + i, mask=i < vectors[0].size, other=0.0)
    b = tl.load(vectors[1].pointer + i, mask=i < vectors[1].size, other=0.0)
    tl.store(out.pointer + i, a * factors[0] + b * factors[1], mask=i < out.size)


x = torch.arange(10, dtype=torch.float32, device="cuda")
y = torch.ones(7, device="cuda")
out = torch.empty(10, device="cuda")
scaled_sum[(1,)]((Vector(x, 10), Vector(y, 7)), Vector(out, 10), (2, 0.5), BLOCK=16)
print(out.tolist())
