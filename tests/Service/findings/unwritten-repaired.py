import torch
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x * 2.0, mask=offsets < n)


@triton.jit
def evens(out_ptr, n, first, BLOCK: tl.constexpr):
    offsets = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)) * 2 + first
    tl.store(out_ptr + offsets, 1.0, mask=offsets < n)


# Only what was written is looked at.
@triton.jit
def rows(out_ptr, columns, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    tl.store(out_ptr + row * columns + offsets, row, mask=offsets < columns - 1)


x = torch.ones(1000, device="cuda")
doubled = torch.empty(1000, device="cuda")
double[(triton.cdiv(1000, 256),)](x, doubled, 1000, BLOCK=256)
assert torch.allclose(doubled, x * 2.0)
every = torch.empty(64, device="cuda")
evens[(2,)](every, 64, 0, BLOCK=16)
evens[(2,)](every, 64, 1, BLOCK=16)
assert every.sum().item() == 64.0
table = torch.empty((4, 10), dtype=torch.int32, device="cuda")
rows[(4,)](table, 10, BLOCK=16)
print(table[:, :9].float().mean().item())
# Copied before anybody wrote it, which nobody looks at.
blank = torch.empty(1000, device="cuda")
copy = blank.clone()
double[(4,)](x, blank, 1000, BLOCK=256)
double[(4,)](blank, copy, 1000, BLOCK=256)
assert torch.equal(copy, x * 4.0)
