import torch
import triton
import triton.language as tl


@triton.jit
def ascending(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * n + tl.arange(0, BLOCK)
    mask = tl.arange(0, BLOCK) < n
    x = tl.load(x_ptr + offsets, mask=mask, other=float("inf"))
    tl.store(out_ptr + offsets, tl.sort(x), mask=mask)


@triton.jit
def descending(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    r = tl.arange(0, 2)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=-2147483648)
    y = tl.sort(x, descending=True)
    tl.store(out_ptr + r * n + c, y, mask=c < n)


@triton.jit
def greatest(x_ptr, out_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=-float("inf"))
    tl.store(out_ptr + tl.arange(0, K), tl.topk(x, K))


# Zeros go in front of what is greater, and are left there.
@triton.jit
def last_ones(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    behind = offsets - (BLOCK - n)
    tl.store(out_ptr + behind, tl.sort(x), mask=behind >= 0)


# Padding that is preferred at first, and loses to others.
@triton.jit
def greatest_of_positive(x_ptr, out_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + tl.arange(0, K), tl.topk(x, K))


# Fewer than were asked for: the rest is meant to be padding. So it is where all is stored.
@triton.jit
def few(x_ptr, out_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=-float("inf"))
    tl.store(out_ptr + tl.arange(0, K), tl.topk(x, K))
    tl.store(out_ptr + 8 + offsets, tl.sort(tl.where(x > 0.0, x, 0.0)))


# Elements that were masked off are turned round with the others, and masked off again.
@triton.jit
def flipped(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = tl.flip(x * 2.0)
    tl.store(out_ptr + offsets, y, mask=BLOCK - 1 - offsets < n)


@triton.jit
def flipped_rows(x_ptr, out_ptr, rows, BLOCK: tl.constexpr):
    r = tl.arange(0, 4)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + r * BLOCK + c, mask=(r < rows) & (c < 3))
    tl.store(out_ptr + r * BLOCK + c, tl.flip(x, 0), mask=(3 - r < rows) & (c < 3))


x = torch.tensor([3.0, 1.0, 5.0, 2.0, 4.0, 8.0, 6.0, 9.0, 7.0, 10.0], device="cuda")
out = torch.zeros(16, device="cuda")
ascending[(2,)](x, out, 5, BLOCK=8)
assert out[:5].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
descending[(1,)](-x.to(torch.int32), torch.zeros(16, dtype=torch.int32, device="cuda"), 5, BLOCK=8)
greatest[(1,)](-x, out, 5, K=4, BLOCK=8)
assert out[:4].tolist() == [-1.0, -2.0, -3.0, -4.0]
last_ones[(1,)](x, out, 5, BLOCK=8)
assert out[:5].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
mixed = torch.tensor([-3.0, 1.0, -5.0, -2.0, 4.0, 0.5, 0.25, -1.0, -9.0, 2.0], device="cuda")
greatest_of_positive[(1,)](mixed, out, 10, K=4, BLOCK=16)
assert out[:4].tolist() == [4.0, 2.0, 1.0, 0.5]
few[(1,)](x, out, 3, K=4, BLOCK=8)
flipped[(1,)](x, out, 5, BLOCK=8)
assert out[3:8].tolist() == [8.0, 4.0, 10.0, 2.0, 6.0]
flipped_rows[(1,)](torch.arange(16, device="cuda", dtype=torch.float16), torch.zeros(16, dtype=torch.float16, device="cuda"), 3, BLOCK=4)
