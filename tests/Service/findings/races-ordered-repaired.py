import torch
import triton
import triton.language as tl


# Tiles of atomics: the last program to arrive at every element sees what all wrote.
@triton.jit
def tickets(done_ptr, parts_ptr, out_ptr, programs, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    tl.store(parts_ptr + pid * BLOCK + lanes, pid)
    seen = tl.atomic_add(done_ptr + lanes, 1)
    if tl.min(seen) == programs - 1:
        first = tl.load(parts_ptr + lanes)
        tl.store(out_ptr + lanes, first)


@triton.jit
def locked(lock_ptr, sum_ptr):
    while tl.atomic_xchg(lock_ptr, 1, sem="acquire") == 1:
        pass
    s = tl.load(sum_ptr)
    tl.store(sum_ptr, s + 1.0)
    tl.atomic_xchg(lock_ptr, 0, sem="release")


# Every program locks the rows that it adds to.
@triton.jit
def many_locks(lock_ptr, sum_ptr, rows, COLUMNS: tl.constexpr):
    row = tl.program_id(0) % rows
    columns = tl.arange(0, COLUMNS)
    while tl.atomic_cas(lock_ptr + row, 0, 1, sem="acquire") == 1:
        pass
    s = tl.load(sum_ptr + row * COLUMNS + columns)
    tl.store(sum_ptr + row * COLUMNS + columns, s + 1.0)
    tl.atomic_xchg(lock_ptr + row, 0, sem="release")


# A program waits for the one before it, which says that it is done by an ordinary atomic.
@triton.jit
def chained(flag_ptr, sum_ptr):
    pid = tl.program_id(0)
    while tl.atomic_add(flag_ptr, 0, sem="acquire") < pid:
        pass
    tl.store(sum_ptr, tl.load(sum_ptr) + 1.0)
    tl.atomic_add(flag_ptr, 1, sem="release")


# The same, with a maximum, backwards, and reading by an `or` of nothing.
@triton.jit
def chained_backwards(flag_ptr, sum_ptr):
    rank = tl.num_programs(0) - 1 - tl.program_id(0)
    while tl.atomic_or(flag_ptr, 0) < rank:
        pass
    tl.store(sum_ptr, tl.load(sum_ptr) + 1.0)
    tl.atomic_max(flag_ptr, rank + 1)


@triton.jit
def assembled(flag_ptr, sum_ptr):
    pid = tl.program_id(0)
    seen = pid - 1
    while seen < pid:
        seen = tl.inline_asm_elementwise("ld.global.acquire.gpu.b32 $0, [$1];", "=r,l", [flag_ptr], dtype=tl.int32,
                                         is_pure=False, pack=1)
    tl.store(sum_ptr, tl.load(sum_ptr) + 1.0)
    tl.inline_asm_elementwise("st.global.release.gpu.b32 [$1], $2; mov.u32 $0, 0;", "=r,l,r", [flag_ptr, pid + 1],
                              dtype=tl.int32, is_pure=False, pack=1)


# Loads and stores that are atomic and nothing else.
@triton.jit
def handed_on(flag_ptr, sum_ptr):
    pid = tl.program_id(0)
    while tl.atomic_load(flag_ptr, sem="acquire") < pid:
        pass
    tl.store(sum_ptr, tl.load(sum_ptr) + 1.0)
    tl.atomic_store(flag_ptr, pid + 1, sem="release")


# Results that nobody uses order nobody, which is no harm where nothing needs order.
@triton.jit
def counted(x_ptr, bins_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.atomic_add(bins_ptr + x % 16, 1, sem="relaxed")


def zeros(count, dtype=torch.int32):
    return torch.zeros(count, dtype=dtype, device="cuda")


total = zeros(1, torch.float32)
tickets[(4,)](zeros(16), zeros(64), zeros(16), 4, BLOCK=16)
locked[(20,)](zeros(1), total)
sums = zeros(64, torch.float32)
many_locks[(20,)](zeros(4), sums, 4, COLUMNS=16)
chained[(5,)](zeros(1), total)
chained_backwards[(5,)](zeros(1), total)
assembled[(5,)](zeros(1), total)
handed_on[(5,)](zeros(1), total)
counted[(4,)](torch.arange(64, dtype=torch.int32, device="cuda"), zeros(16), BLOCK=16)
assert total.item() == 40.0 and sums.sum().item() == 320.0
