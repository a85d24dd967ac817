import torch
import triton
import triton.language as tl


# Correct in ways that are easily taken for mistakes.
@triton.jit
def hashed(x_ptr, out_ptr, seed, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    h = (o + seed) * 1664525 + 1013904223
    slot = (h >> 7) & (SIZE - 1)
    x = tl.load(x_ptr + slot)
    tl.store(out_ptr + o, x)


@triton.jit
def hashed_mod(x_ptr, out_ptr, seed, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    h = ((o + seed) * 1664525 + 1013904223) % SIZE
    h = tl.where(h < 0, h + SIZE, h)
    x = tl.load(x_ptr + h)
    tl.store(out_ptr + o, x)


@triton.jit
def interleaved(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    y = tl.load(y_ptr + o, mask=o < n)
    z = tl.interleave(x, y)
    p = tl.arange(0, 2 * BLOCK)
    tl.store(out_ptr + p, z, mask=p < 2 * n)


@triton.jit
def rotary(x_ptr, out_ptr, n, D: tl.constexpr, BLOCK: tl.constexpr):
    t = tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    x = tl.load(x_ptr + t[:, None] * D + d[None, :], mask=t[:, None] < n)
    a, b = tl.split(tl.reshape(x, (BLOCK, D // 2, 2)))
    z = tl.join(-b, a)
    tl.store(out_ptr + t[:, None] * D + d[None, :], tl.reshape(z, (BLOCK, D)), mask=t[:, None] < n)


@triton.jit
def linear(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def scanned(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    a, h = tl.associative_scan((x * 0.5, x), 0, linear)
    tl.store(out_ptr + o, h, mask=o < n)


@triton.jit
def row_argmax(x_ptr, out_ptr, rows, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r[:, None] * BLOCK + c[None, :], mask=r[:, None] < rows)
    tl.store(out_ptr + r, tl.argmax(x, axis=1), mask=r < rows)


@triton.jit
def top(x_ptr, out_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n, other=-float("inf"))
    tl.store(out_ptr + tl.arange(0, K), tl.topk(x, K))


@triton.jit
def lookback(x_ptr, flag_ptr, agg_ptr, out_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    o = pid * BLOCK + tl.arange(0, BLOCK)
    s = tl.cumsum(tl.load(x_ptr + o), 0)
    total = tl.sum(tl.load(x_ptr + o), 0)
    prefix = 0.0
    if pid > 0:
        while tl.atomic_add(flag_ptr + pid - 1, 0, sem="acquire") == 0:
            pass
        prefix = tl.load(agg_ptr + pid - 1)
    tl.store(agg_ptr + pid, prefix + total)
    tl.atomic_xchg(flag_ptr + pid, 1, sem="release")
    tl.store(out_ptr + o, s + prefix)


@triton.jit
def lookback_volatile(x_ptr, flag_ptr, agg_ptr, out_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    o = pid * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + o), 0)
    prefix = 0.0
    if pid > 0:
        ready = tl.load(flag_ptr + pid - 1, volatile=True)
        while ready == 0:
            ready = tl.load(flag_ptr + pid - 1, volatile=True)
        prefix = tl.load(agg_ptr + pid - 1)
    tl.store(agg_ptr + pid, prefix + total)
    tl.atomic_xchg(flag_ptr + pid, 1)
    tl.store(out_ptr + o, total + prefix)


@triton.jit
def varlen(x_ptr, starts_ptr, out_ptr, BLOCK: tl.constexpr):
    s = tl.program_id(0)
    begin = tl.load(starts_ptr + s)
    end = tl.load(starts_ptr + s + 1)
    acc = 0.0
    for i in range(begin, end, BLOCK):
        o = i + tl.arange(0, BLOCK)
        acc += tl.sum(tl.load(x_ptr + o, mask=o < end, other=0.0))
    tl.store(out_ptr + s, acc / tl.maximum(end - begin, 1))


@triton.jit
def softmax_zero_other(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    mask = o < n
    x = tl.load(x_ptr + o, mask=mask, other=0.0)
    x = tl.where(mask, x, -float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + o, e / tl.sum(e, 0), mask=mask)


@triton.jit
def block_ptrs(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    q = tl.make_block_ptr(out_ptr, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    for _ in range(0, N, BN):
        x = tl.load(p, boundary_check=(0, 1))
        tl.store(q, x * 2, boundary_check=(0, 1))
        p = tl.advance(p, (0, BN))
        q = tl.advance(q, (0, BN))


@triton.jit
def block_ptr_sum(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    acc = tl.zeros((BM,), tl.float32)
    for _ in range(0, N, BN):
        x = tl.load(p, boundary_check=(0, 1), padding_option="zero")
        acc += tl.sum(x, 1)
        p = tl.advance(p, (0, BN))
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(out_ptr + r, acc, mask=r < M)


@triton.jit
def big_stride(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + o, mask=row < 1, other=0.0)
    tl.store(out_ptr + row * BLOCK + o, x)


@triton.jit
def found_at(x_ptr, out_ptr, value, n, BLOCK: tl.constexpr):
    # binary search
    lo = 0
    hi = n
    while lo < hi:
        mid = (lo + hi) // 2
        if tl.load(x_ptr + mid) < value:
            lo = mid + 1
        else:
            hi = mid
    tl.store(out_ptr, lo)


@triton.jit
def searched(x_ptr, q_ptr, out_ptr, n, m, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    q = tl.load(q_ptr + o, mask=o < m)
    lo = tl.zeros((BLOCK,), tl.int32)
    hi = tl.full((BLOCK,), 0, tl.int32) + n
    for _ in range(6):
        mid = (lo + hi) // 2
        x = tl.load(x_ptr + mid, mask=(lo < hi) & (o < m))
        less = x < q
        lo = tl.where((lo < hi) & less, mid + 1, lo)
        hi = tl.where((lo < hi) & ~less, mid, hi)
    tl.store(out_ptr + o, lo, mask=o < m)


@triton.jit
def logsumexp_all_masked(x_ptr, out_ptr, n, rows, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r[:, None] * n + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < n), other=-float("inf"))
    m = tl.max(x, 1)
    s = tl.sum(tl.exp(x - m[:, None]), 1)
    tl.store(out_ptr + r, m + tl.log(s), mask=r < rows)


dev = "cuda"


def f(*shape):
    return torch.randn(*shape, device=dev)


def i32(count):
    return torch.zeros(count, dtype=torch.int32, device=dev)


x = f(64)
out = torch.empty(256, device=dev)
hashed[(1,)](x, out, 12345678, SIZE=64, BLOCK=16)
hashed_mod[(1,)](x, out, 12345678, SIZE=64, BLOCK=16)
interleaved[(1,)](x, x, out, 5, BLOCK=8)
rotary[(1,)](x, out, 3, D=8, BLOCK=4)
scanned[(1,)](x, out, 11, BLOCK=16)
row_argmax[(2,)](x, i32(8), 7, ROWS=4, BLOCK=8)
top[(1,)](x, out, 11, K=4, BLOCK=16)
lookback[(4,)](x, i32(4), torch.empty(4, device=dev), out, BLOCK=16)
lookback_volatile[(4,)](x, i32(4), torch.empty(4, device=dev), out, BLOCK=16)
varlen[(3,)](x, torch.tensor([0, 0, 37, 64], dtype=torch.int32, device=dev), out, BLOCK=16)
softmax_zero_other[(1,)](-torch.abs(x), out, 5, BLOCK=8)
block_ptrs[(2,)](x, out, 5, 11, BM=4, BN=8)
block_ptr_sum[(2,)](x, out, 5, 11, BM=4, BN=8)
big_stride[(3,)](x, out, 2000000000, BLOCK=16)
found_at[(1,)](torch.sort(x)[0], i32(1), 0.3, 64, BLOCK=16)
searched[(1,)](torch.sort(x)[0], x, i32(16), 64, 11, BLOCK=16)
logsumexp_all_masked[(2,)](x, out, 11, 5, ROWS=4, BLOCK=16)
