import torch
import triton
import triton.language as tl


# Kernels of the usual kinds that do nothing wrong: nothing may be said of them.
@triton.jit
def persistent_matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                      P: tl.constexpr):
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    for tile in range(tl.program_id(0), tiles_m * tiles_n, P):
        pm = tile // tiles_n
        pn = tile % tiles_n
        rm = (pm * BM + tl.arange(0, BM)) % M
        rn = (pn * BN + tl.arange(0, BN)) % N
        rk = tl.arange(0, BK)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            a = tl.load(a_ptr + rm[:, None] * K + (k * BK + rk)[None, :], mask=rk[None, :] < K - k * BK, other=0.0)
            b = tl.load(b_ptr + (k * BK + rk)[:, None] * N + rn[None, :], mask=rk[:, None] < K - k * BK, other=0.0)
            acc += tl.dot(a, b)
        cm = pm * BM + tl.arange(0, BM)
        cn = pn * BN + tl.arange(0, BN)
        tl.store(c_ptr + cm[:, None] * N + cn[None, :], acc, mask=(cm[:, None] < M) & (cn[None, :] < N))


@triton.jit
def argmax_rows(x_ptr, out_ptr, val_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + o, mask=o < n, other=-float("inf"))
    v, i = tl.max(x, axis=0, return_indices=True)
    tl.store(out_ptr + row, i)
    tl.store(val_ptr + row, v)


@triton.jit
def argmax_zero_pad(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # values are all positive, padding of zero never wins
    row = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + o, mask=o < n, other=0.0)
    tl.store(out_ptr + row, tl.argmax(x, axis=0))


@triton.jit
def sort_rows(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + o, mask=o < n, other=float("inf"))
    s = tl.sort(x)
    tl.store(out_ptr + row * n + o, s, mask=o < n)


@triton.jit
def cumsum_rows(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for start in range(0, n, BLOCK):
        o = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + o, mask=o < n, other=0.0)
        s = tl.cumsum(x, axis=0) + carry
        tl.store(out_ptr + row * n + o, s, mask=o < n)
        carry += tl.sum(x, axis=0)


@triton.jit
def layer_norm(x_ptr, w_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, n, BLOCK):
        o = off + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * n + o, mask=o < n, other=0.).to(tl.float32)
    mean = tl.sum(total, axis=0) / n
    var = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, n, BLOCK):
        o = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + o, mask=o < n, other=0.).to(tl.float32)
        x = tl.where(o < n, x - mean, 0.)
        var += x * x
    rstd = 1 / tl.sqrt(tl.sum(var, axis=0) / n + eps)
    for off in range(0, n, BLOCK):
        o = off + tl.arange(0, BLOCK)
        mask = o < n
        w = tl.load(w_ptr + o, mask=mask)
        x = tl.load(x_ptr + row * n + o, mask=mask, other=0.).to(tl.float32)
        tl.store(y_ptr + row * n + o, (x - mean) * rstd * w, mask=mask)


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, o_ptr, T, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + m[:, None] * D + d[None, :], mask=m[:, None] < T, other=0.0)
    mi = tl.full((BM,), -float("inf"), tl.float32)
    li = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, tl.minimum((tl.program_id(0) + 1) * BM, T), BN):
        n = start + tl.arange(0, BN)
        k = tl.load(k_ptr + n[None, :] * D + d[:, None], mask=n[None, :] < T, other=0.0)
        s = tl.dot(q, k) * scale
        s = tl.where((m[:, None] >= n[None, :]) & (n[None, :] < T), s, -float("inf"))
        new = tl.maximum(mi, tl.max(s, 1))
        alpha = tl.exp(mi - new)
        p = tl.exp(s - new[:, None])
        li = li * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + n[:, None] * D + d[None, :], mask=n[:, None] < T, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        mi = new
    acc = acc / li[:, None]
    tl.store(o_ptr + m[:, None] * D + d[None, :], acc, mask=m[:, None] < T)


@triton.jit
def welford_combine(c1, m1, s1, c2, m2, s2):
    d = m2 - m1
    c = c1 + c2
    ratio = tl.where(c == 0.0, 0.0, c2 / c)
    return c, m1 + d * ratio, s1 + s2 + d * d * c1 * ratio


@triton.jit
def welford(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    mask = o < n
    x = tl.load(x_ptr + row * n + o, mask=mask, other=0.0)
    c = tl.where(mask, 1.0, 0.0)
    c, m, s = tl.reduce((c, x, tl.zeros_like(x)), 0, welford_combine)
    tl.store(out_ptr + row, s / n)


@triton.jit
def while_collatz(x_ptr, out_ptr, n):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid, mask=pid < n, other=1)
    steps = 0
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    tl.store(out_ptr + pid, steps, mask=pid < n)


@triton.jit
def dropout_rand(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = o < n
    x = tl.load(x_ptr + o, mask=mask)
    r = tl.rand(seed, o)
    keep = r > p
    tl.store(out_ptr + o, tl.where(keep, x / (1 - p), 0.0), mask=mask)


@triton.jit
def gelu_tail(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    y = 0.5 * x * (1.0 + tl.erf(x * 0.70710678))
    tl.store(out_ptr + o, y, mask=o < n)


@triton.jit
def embedding(ids_ptr, table_ptr, out_ptr, n, D: tl.constexpr, BLOCK: tl.constexpr):
    t = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    ids = tl.load(ids_ptr + t, mask=t < n, other=0)
    rows = tl.load(table_ptr + ids[:, None] * D + d[None, :], mask=t[:, None] < n, other=0.0)
    tl.store(out_ptr + t[:, None] * D + d[None, :], rows, mask=t[:, None] < n)


@triton.jit
def embedding_backward(ids_ptr, grad_ptr, table_ptr, n, D: tl.constexpr, BLOCK: tl.constexpr):
    t = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    mask = (t < n)[:, None] & (d < D)[None, :]
    ids = tl.load(ids_ptr + t, mask=t < n, other=0)
    g = tl.load(grad_ptr + t[:, None] * D + d[None, :], mask=mask, other=0.0)
    tl.atomic_add(table_ptr + ids[:, None] * D + d[None, :], g, mask=mask)


@triton.jit
def split_k(a_ptr, b_ptr, c_ptr, K, M: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, M)
    k = tl.program_id(0) * BK + tl.arange(0, BK)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
    b = tl.load(b_ptr + k[:, None] * M + m[None, :], mask=k[:, None] < K, other=0.0)
    tl.atomic_add(c_ptr + m[:, None] * M + m[None, :], tl.dot(a, b))


@triton.jit
def layer_norm_backward(dy_ptr, dw_ptr, lock_ptr, n, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    mask = o < n
    part = tl.load(dy_ptr + row * n + o, mask=mask, other=0).to(tl.float32)
    lock_id = row % GROUP
    lock = lock_ptr + lock_id
    count = lock_ptr + GROUP + lock_id
    dw = dw_ptr + lock_id * n + o
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    c = tl.load(count)
    if c == 0:
        tl.atomic_xchg(count, 1)
    else:
        part += tl.load(dw, mask=mask)
    tl.store(dw, part, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def cross_entropy(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(y_ptr + row)
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + o, mask=o < n, other=-float("inf")).to(tl.float32)
    m = tl.max(x, 0)
    lse = tl.log(tl.sum(tl.exp(x - m), 0)) + m
    loss = 0.0
    if label >= 0:
        loss = lse - tl.load(x_ptr + row * n + label)
    tl.store(out_ptr + row, loss)


@triton.jit
def compact(x_ptr, out_ptr, count_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n, other=0)
    keep = (x > 3) & (o < n)
    place = tl.cumsum(keep.to(tl.int32), 0) - 1
    base = tl.atomic_add(count_ptr, tl.sum(keep.to(tl.int32)))
    tl.store(out_ptr + base + place, x, mask=keep)


@triton.jit
def stencil(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    l = tl.load(x_ptr + o - 1, mask=(o >= 1) & (o < n), other=0.0)
    c = tl.load(x_ptr + o, mask=o < n, other=0.0)
    r = tl.load(x_ptr + o + 1, mask=o + 1 < n, other=0.0)
    tl.store(out_ptr + o, l - 2 * c + r, mask=o < n)


@triton.jit
def maxpool(x_ptr, out_ptr, n, W: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    for w in tl.static_range(W):
        i = o + w
        best = tl.maximum(best, tl.load(x_ptr + i, mask=i < n, other=-float("inf")))
    tl.store(out_ptr + o, best, mask=o < n)


@triton.jit
def relu_mask(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n, other=0.0)
    m = tl.max(tl.maximum(x, 0.0), axis=0)
    tl.store(out_ptr + tl.program_id(0), m)


@triton.jit
def amax_abs(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n, other=0.0)
    s = tl.max(tl.abs(x), axis=0) / 127.0
    q = tl.where(s > 0, x / s, 0.0)
    tl.store(out_ptr + o, q.to(tl.int8), mask=o < n)


dev = "cuda"


def f(*shape):
    return torch.randn(*shape, device=dev)


a, b = f(50, 70), f(70, 45)
c = torch.empty((50, 45), device=dev)
persistent_matmul[(3,)](a, b, c, 50, 45, 70, BM=16, BN=16, BK=32, P=3)
assert torch.allclose(c, a @ b, atol=1e-1)
x = torch.tensor([[1., 5., 5., 2., 5.], [-3., -1., -1., -2., -9.]], device=dev)
oi = torch.empty(2, dtype=torch.int32, device=dev)
ov = torch.empty(2, device=dev)
argmax_rows[(2,)](x, oi, ov, 5, BLOCK=8)
assert oi.tolist() == [1, 1] and ov.tolist() == [5.0, -1.0]
argmax_zero_pad[(2,)](torch.abs(x), oi, 5, BLOCK=8)
y = torch.empty((2, 5), device=dev)
sort_rows[(2,)](x, y, 5, BLOCK=8)
assert y[1].tolist() == [-9.0, -3.0, -2.0, -1.0, -1.0]
x = f(3, 37)
y = torch.empty((3, 37), device=dev)
cumsum_rows[(3,)](x, y, 37, BLOCK=16)
assert torch.allclose(y, torch.cumsum(x, 1), atol=1e-4)
layer_norm[(3,)](x, f(37), y, 37, 1e-5, BLOCK=16)
assert y.sum().item() < 1e9
q, k, v = f(20, 16), f(20, 16), f(20, 16)
o = torch.empty((20, 16), device=dev)
attention[(2,)](q, k, v, o, 20, 0.25, BM=16, BN=16, D=16)
assert torch.isfinite(o).all().item()
w = torch.empty(3, device=dev)
welford[(3,)](x, w, 37, BLOCK=64)
assert torch.allclose(w, x.var(1, unbiased=False), atol=1e-4)
steps = torch.empty(5, dtype=torch.int32, device=dev)
while_collatz[(8,)](torch.tensor([1, 2, 3, 7, 27], dtype=torch.int32, device=dev), steps, 5)
assert steps.tolist() == [0, 1, 7, 16, 111]
x = f(37)
y = torch.empty(37, device=dev)
dropout_rand[(3,)](x, y, 37, 0.5, 123, BLOCK=16)
assert y.sum().item() < 1e9
gelu_tail[(3,)](x, y, 37, BLOCK=16)
table = f(10, 16)
ids = torch.randint(0, 10, (21,), device=dev)
rows = torch.empty((21, 16), device=dev)
embedding[(2,)](ids, table, rows, 21, D=16, BLOCK=16)
assert torch.equal(rows, table[ids])
embedding_backward[(2,)](ids, rows, table, 21, D=16, BLOCK=16)
c = torch.zeros((16, 16), device=dev)
split_k[(3,)](f(16, 70), f(70, 16), c, 70, M=16, BK=32)
dw = torch.empty((4, 37), device=dev)
lock = torch.zeros(8, dtype=torch.int32, device=dev)
layer_norm_backward[(12,)](f(12, 37), dw, lock, 37, GROUP=4, BLOCK=64)
assert dw.sum().item() < 1e9
loss = torch.empty(6, device=dev)
cross_entropy[(6,)](f(6, 11), torch.tensor([0, 3, -100, 10, 5, 1], device=dev), loss, 11, BLOCK=16)
assert loss[2].item() == 0.0
x = torch.randint(0, 8, (53,), dtype=torch.int32, device=dev)
out = torch.empty(64, dtype=torch.int32, device=dev)
count = torch.zeros(1, dtype=torch.int32, device=dev)
compact[(4,)](x, out, count, 53, BLOCK=16)
assert out[:count.item()].sum().item() == x[x > 3].sum().item()
x = f(37)
stencil[(3,)](x, y, 37, BLOCK=16)
maxpool[(3,)](x, y, 37, W=3, BLOCK=16)
m = torch.empty(3, device=dev)
relu_mask[(3,)](x, m, 37, BLOCK=16)
q8 = torch.empty(37, dtype=torch.int8, device=dev)
amax_abs[(3,)](x, q8, 37, BLOCK=16)
e = torch.empty(0, device=dev)
gelu_tail[(1,)](e, e, 0, BLOCK=16)
relu_mask[(1,)](e, m, 0, BLOCK=16)
