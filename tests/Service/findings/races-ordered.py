import torch
import triton
import triton.language as tl


# Atomics order programs only where they are told to, and only where their result is used.
@triton.jit
def tickets(done_ptr, parts_ptr, out_ptr, programs, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    tl.store(parts_ptr + pid * BLOCK + lanes, pid)
    seen = tl.atomic_add(done_ptr + lanes, 1, sem="relaxed")
    if tl.min(seen) == programs - 1:
        first = tl.load(parts_ptr + lanes)  # expect[read-race] (3, 0, 0); (0, 0, 0); parts; 0
        tl.store(out_ptr + lanes, first)


@triton.jit
def unread(lock_ptr, sum_ptr):
    tl.atomic_xchg(lock_ptr, 1, sem="acquire")
    s = tl.load(sum_ptr)  # expect[read-race] total; 0
    tl.store(sum_ptr, s + 1.0)  # expect[write-race] total; 0
    tl.atomic_xchg(lock_ptr, 0, sem="release")


@triton.jit
def within_one_program(lock_ptr, sum_ptr):
    while tl.atomic_cas(lock_ptr, 0, 1, sem="acquire", scope="cta") == 1:
        pass
    s = tl.load(sum_ptr)  # expect[read-race] total; 0
    tl.store(sum_ptr, s + 1.0)  # expect[write-race] total; 0
    tl.atomic_xchg(lock_ptr, 0, sem="release", scope="cta")


# The lock is freed, but what was done under it is not released.
@triton.jit
def not_released(lock_ptr, sum_ptr):
    while tl.atomic_cas(lock_ptr, 0, 1, sem="acquire") == 1:
        pass
    s = tl.load(sum_ptr)  # expect[read-race] total; 0
    tl.store(sum_ptr, s + 1.0)  # expect[write-race] total; 0
    tl.atomic_xchg(lock_ptr, 0, sem="relaxed")


# Each program has a lock of its own: nobody waits for anybody.
@triton.jit
def wrong_lock(lock_ptr, sum_ptr):
    lock = lock_ptr + tl.program_id(0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    s = tl.load(sum_ptr)  # expect[read-race] total; 0
    tl.store(sum_ptr, s + 1.0)  # expect[write-race] total; 0
    tl.atomic_xchg(lock, 0)


# A barrier of all programs that orders nothing.
@triton.jit
def barrier(x_ptr, count_ptr, out_ptr, P: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, pid)
    tl.atomic_add(count_ptr, 1, sem="relaxed")
    while tl.atomic_add(count_ptr, 0) < P:
        pass
    tl.store(out_ptr + offsets, tl.load(x_ptr + (offsets + BLOCK) % (P * BLOCK)))  # expect[read-race] parts


# The flag is seen, but by a load that acquires nothing; and it is set by a store that releases nothing.
@triton.jit
def handed_on_unseen(flag_ptr, sum_ptr):
    pid = tl.program_id(0)
    while tl.atomic_load(flag_ptr, sem="relaxed") < pid:
        pass
    s = tl.load(sum_ptr)  # expect[read-race] total; 0
    tl.store(sum_ptr, s + 1.0)  # expect[write-race] total; 0
    tl.atomic_store(flag_ptr, pid + 1, sem="release")


@triton.jit
def handed_on_unreleased(flag_ptr, sum_ptr):
    pid = tl.program_id(0)
    while tl.atomic_load(flag_ptr, sem="acquire") < pid:
        pass
    s = tl.load(sum_ptr)  # expect[read-race] total; 0
    tl.store(sum_ptr, s + 1.0)  # expect[write-race] total; 0
    tl.atomic_store(flag_ptr, pid + 1, sem="relaxed")


@triton.jit
def assembled(x_ptr, out_ptr):
    pid = tl.program_id(0)
    tl.inline_asm_elementwise(  # expect[write-race] (1, 0, 0); (0, 0, 0); total; 0
        "st.global.f32 [$1], $2; mov.u32 $0, 0;", "=r,l,f", [x_ptr, pid.to(tl.float32)], dtype=tl.int32,
        is_pure=False, pack=1)


total = torch.zeros(1, device="cuda")
parts = torch.zeros(64, dtype=torch.int32, device="cuda")
out = torch.zeros(16, dtype=torch.int32, device="cuda")
tickets[(4,)](torch.zeros(16, dtype=torch.int32, device="cuda"), parts, out, 4, BLOCK=16)
lock = torch.zeros(4, dtype=torch.int32, device="cuda")
unread[(3,)](lock, total)
within_one_program[(3,)](lock, total)
not_released[(3,)](lock, total)
wrong_lock[(3,)](lock, total)
barrier[(4,)](parts, torch.zeros(1, dtype=torch.int32, device="cuda"), torch.zeros_like(parts), P=4, BLOCK=16)
handed_on_unseen[(3,)](torch.zeros(1, dtype=torch.int32, device="cuda"), total)
handed_on_unreleased[(3,)](torch.zeros(1, dtype=torch.int32, device="cuda"), total)
assembled[(3,)](total, out)
