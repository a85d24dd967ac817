# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomics of every kind, type, order and scope. What real Triton prints is in atomics.txt:

    TRITON_INTERPRET=1 python atomics.py > atomics.txt
"""
import torch
import triton
import triton.language as tl

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def change(dst, old, n, KIND: tl.constexpr, SEM: tl.constexpr, SCOPE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    p = dst + i % 5
    value = (i * 7) % 13 - 4
    mask = i < n
    if KIND == "add":
        before = tl.atomic_add(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif KIND == "max":
        before = tl.atomic_max(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif KIND == "min":
        before = tl.atomic_min(p, value, mask, SEM, SCOPE)
    elif KIND == "and":
        before = p.atomic_and(value, mask=mask, sem=SEM, scope=SCOPE)
    elif KIND == "or":
        before = tl.atomic_or(p, value, mask=mask, sem=SEM, scope=SCOPE)
    elif KIND == "xor":
        before = tl.atomic_xor(p, value, mask=mask, sem=SEM, scope=SCOPE)
    else:
        before = tl.atomic_xchg(dst + i, value, mask=mask, sem=SEM, scope=SCOPE)
    tl.static_assert(before.dtype == dst.dtype.element_ty)
    tl.store(old + i, before, mask=mask)


orders = ("relaxed", "acquire", "release", "acq_rel", None)
scopes = ("gpu", "cta", "sys", None)
integers = (torch.int32, torch.int64)
kinds = {"add": integers + (torch.float16, torch.float32, torch.float64),
         "max": integers + (torch.float32, torch.float64), "min": integers + (torch.float32, torch.float64),
         "and": integers, "or": integers, "xor": integers, "xchg": integers}
turn = 0
for kind, types in kinds.items():
    for dtype in types:
        dst = (torch.arange(16, dtype=torch.float32) * 3 - 7).to(dtype).to(device)
        old = torch.zeros(16, dtype=dtype, device=device)
        change[(1,)](dst, old, 13, kind, orders[turn % 5], scopes[turn % 4], 16)
        turn += 1
        print(kind, dtype, dst.tolist(), old.tolist() if dtype in integers else "")


@triton.jit
def swap(dst, old, B: tl.constexpr):
    i = tl.arange(0, B)
    expected = tl.where(i % 2 == 0, i, 100)
    before = tl.atomic_cas(dst + i, expected, i * 10, sem="acquire", scope="sys")
    tl.store(old + i, before)
    tl.atomic_cas(dst, 0, 77)


dst = torch.arange(8, dtype=torch.int32, device=device)
old = torch.zeros(8, dtype=torch.int32, device=device)
swap[(1,)](dst, old, 8)
print("cas", dst.tolist(), old.tolist())


@triton.jit
def scalar(counter, order):
    place = tl.atomic_add(counter, 1)
    tl.store(order + place, tl.program_id(0))
    tl.debug_barrier()
    tl.atomic_max(counter + 1, place * 10, sem="relaxed")


counter = torch.zeros(2, dtype=torch.int32, device=device)
order = torch.full((6,), -1, dtype=torch.int32, device=device)
scalar[(6,)](counter, order)
print("scalar", counter.tolist(), sorted(order.tolist()))


@triton.jit
def accesses(x, flags, table, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i, mask=i < n, other=-1.5, cache_modifier=".cg", eviction_policy="evict_last")
    b = tl.load(x + i, mask=i < n, other=2, cache_modifier=".ca")
    c = tl.load(x + i, mask=i != 2, other=0, volatile=True)
    d = tl.load(flags + i, mask=i < n, other=False)
    e = tl.load(x + i[:, None] * 0 + i[None, :], mask=(i < n)[None, :], other=i[:, None].to(tl.float32))
    tl.store(out + i, a, cache_modifier=".wt")
    tl.store(out + B + i, b, eviction_policy="evict_first")
    tl.store(out + 2 * B + i, c)
    tl.store(out + 3 * B + i, d, cache_modifier=".cs")
    tl.store(out + 4 * B + i, tl.sum(e, 0), cache_modifier=".wb")
    tl.store(out + 5 * B + i, 3)
    tl.store(out + 6 * B + i, i > 2, mask=i != 1)
    tl.store(out + 7 * B, tl.load(x + 1))
    tl.store(flags + i, a)
    pointer = tl.load(table).to(tl.pointer_type(tl.float32))
    tl.store(pointer + i, a + 1, mask=i >= 6)


x = torch.arange(8, dtype=torch.float32, device=device) - 2
flags = torch.tensor([True, False, True, True, False, False, True, True], device=device)
other = torch.zeros(8, device=device)
table = torch.tensor([other.data_ptr()], dtype=torch.int64, device=device)
out = torch.full((64,), -9.0, dtype=torch.float32, device=device)
accesses[(1,)](x, flags, table, out, 5, 8)
print("accesses", out.tolist())
print("flags", flags.tolist(), other.tolist())
