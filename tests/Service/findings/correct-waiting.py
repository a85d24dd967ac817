import torch
import triton
import triton.language as tl


# Programs that wait for each other in order; and what is masked off again after any operation.
@triton.jit
def grid_barrier(x_ptr, count_ptr, out_ptr, STEPS: tl.constexpr, P: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    o = pid * BLOCK + tl.arange(0, BLOCK)
    n = P * BLOCK
    for step in range(STEPS):
        src = x_ptr + (step % 2) * n
        dst = x_ptr + ((step + 1) % 2) * n
        left = tl.load(src + (o + n - 1) % n)
        tl.store(dst + o, left + 1)
        tl.atomic_add(count_ptr, 1)
        while tl.atomic_add(count_ptr, 0) < (step + 1) * P:
            pass
    tl.store(out_ptr + o, tl.load(x_ptr + (STEPS % 2) * n + o))


@triton.jit
def barrier_load(x_ptr, count_ptr, out_ptr, P: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    o = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + o, pid)
    tl.atomic_add(count_ptr, 1, sem="release")
    while tl.load(count_ptr, volatile=True) < P:
        pass
    tl.store(out_ptr + o, tl.load(x_ptr + (o + BLOCK) % (P * BLOCK)))


@triton.jit
def work_queue(next_ptr, x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    tile = tl.atomic_add(next_ptr, 1)
    while tile * BLOCK < n:
        o = tile * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + o, mask=o < n)
        tl.store(out_ptr + o, x * x, mask=o < n)
        tile = tl.atomic_add(next_ptr, 1)


@triton.jit
def semaphore_reduce(x_ptr, part_ptr, count_ptr, out_ptr, P: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(part_ptr + pid, tl.sum(tl.load(x_ptr + pid * BLOCK + tl.arange(0, BLOCK))))
    tl.debug_barrier()
    if tl.atomic_add(count_ptr, 1, sem="acq_rel") == P - 1:
        tl.store(out_ptr, tl.sum(tl.load(part_ptr + tl.arange(0, P))))
        tl.store(count_ptr, 0)


@triton.jit
def cas_float_max(x_ptr, best_ptr, BLOCK: tl.constexpr):
    v = tl.max(tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)))
    tl.atomic_max(best_ptr, v)


@triton.jit
def desc_copy(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BM, BN])
    b = tl.make_tensor_descriptor(out_ptr, [M, N], [N, 1], [BM, BN])
    m = tl.program_id(0) * BM
    for n in range(0, N, BN):
        b.store([m, n], a.load([m, n]) * 2)


@triton.jit
def desc_add(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BM, BN])
    b = tl.make_tensor_descriptor(out_ptr, [BM, N], [N, 1], [BM, BN])
    m = tl.program_id(0) * BM
    for n in range(0, N, BN):
        b.atomic_add([0, n], a.load([m, n]))


@triton.jit
def clip(x):
    if x > 1.0:
        y = 1.0
    else:
        y = x
    return y


@triton.jit
def mapped(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    tl.store(out_ptr + o, tl.map_elementwise(clip, x), mask=o < n)


@triton.jit
def fast_exp(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    y = tl.inline_asm_elementwise("ex2.approx.f32 $0, $1;", "=f,f", [x * 1.44269504], dtype=tl.float32,
                                  is_pure=True, pack=1)
    tl.store(out_ptr + o, y, mask=o < n)


@triton.jit
def looked_up(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    codes = tl.load(x_ptr + o, mask=o < n)
    table = tl.exp(tl.arange(0, 16).to(tl.float32))
    tl.store(out_ptr + o, tl.gather(table, codes & 15, 0), mask=o < n)


@triton.jit
def counts(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n, other=0)
    h = tl.histogram(x, 16, mask=o < n)
    tl.atomic_add(out_ptr + tl.arange(0, 16), h, sem="relaxed")


@triton.jit
def masked_gather_chain(head_ptr, next_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    node = tl.load(head_ptr + o, mask=o < n, other=-1)
    length = tl.zeros((BLOCK,), tl.int32)
    while tl.max(node) >= 0:
        length += (node >= 0).to(tl.int32)
        node = tl.load(next_ptr + node, mask=node >= 0, other=-1)
    tl.store(out_ptr + o, length, mask=o < n)


@triton.jit
def int_mean(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = o < n
    x = tl.load(x_ptr + o, mask=mask, other=0)
    c = tl.sum(mask.to(tl.int32))
    m = tl.sum(x) // tl.maximum(c, 1)
    tl.store(out_ptr + tl.program_id(0), m)


dev = "cuda"


def f(*shape):
    return torch.randn(*shape, device=dev)


def i32(count):
    return torch.zeros(count, dtype=torch.int32, device=dev)


x = i32(128)
out = i32(64)
grid_barrier[(4,)](x, i32(1), out, STEPS=3, P=4, BLOCK=16)
assert out.tolist() == [3] * 64
barrier_load[(4,)](x, i32(1), out, P=4, BLOCK=16)
work_queue[(3,)](i32(1), f(53), torch.empty(53, device=dev), 53, BLOCK=16)
semaphore_reduce[(4,)](f(64), torch.empty(4, device=dev), i32(1), torch.empty(1, device=dev), P=4, BLOCK=16)
cas_float_max[(4,)](f(64), torch.zeros(1, device=dev), BLOCK=16)
m = f(12, 20)
o = torch.empty((12, 20), device=dev)
desc_copy[(2,)](m, o, 12, 20, BM=8, BN=16)
s = torch.zeros((8, 20), device=dev)
desc_add[(2,)](m, s, 12, 20, BM=8, BN=16)
y = torch.empty(37, device=dev)
mapped[(3,)](f(37), y, 37, BLOCK=16)
fast_exp[(3,)](f(37), y, 37, BLOCK=16)
codes = torch.randint(0, 16, (37,), dtype=torch.int32, device=dev)
looked_up[(1,)](codes, y, 11, BLOCK=16)
h = i32(16)
counts[(3,)](codes, h, 37, BLOCK=16)
assert h.sum().item() == 37
nxt = torch.tensor([1, 2, -1, 4, -1], dtype=torch.int32, device=dev)
masked_gather_chain[(1,)](torch.tensor([0, 3, 2], dtype=torch.int32, device=dev), nxt, out, 3, BLOCK=4)
assert out[:3].tolist() == [3, 2, 1]
int_mean[(4,)](codes, out, 37, BLOCK=16)
