import torch
import triton
import triton.language as tl


@triton.jit
def side_by_side(out_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(out_ptr + pid * BLOCK + tl.arange(0, BLOCK), pid)


@triton.jit
def summed(x_ptr, sum_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(sum_ptr, tl.sum(tl.load(x_ptr + offsets)))


@triton.jit
def in_place(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, tl.load(x_ptr + offsets) + 1.0)


@triton.jit
def locked(lock_ptr, sum_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    s = tl.load(sum_ptr + offsets)
    tl.store(sum_ptr + offsets, s + 1.0)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


# Each program leaves its part; the last one to arrive adds them up.
@triton.jit
def last_adds_up(x_ptr, parts_ptr, count_ptr, out_ptr, programs, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(parts_ptr + pid, tl.sum(tl.load(x_ptr + pid * BLOCK + tl.arange(0, BLOCK))))
    if tl.atomic_add(count_ptr, 1) == programs - 1:
        parts = tl.load(parts_ptr + tl.arange(0, 4))
        tl.store(out_ptr, tl.sum(parts))


x = torch.ones(64, device="cuda")
out = torch.zeros(64, dtype=torch.int32, device="cuda")
total = torch.zeros(1, device="cuda")
guarded = torch.zeros(16, device="cuda")
lock = torch.zeros(1, dtype=torch.int32, device="cuda")
count = torch.zeros(1, dtype=torch.int32, device="cuda")
side_by_side[(4,)](out, BLOCK=16)
summed[(4,)](x, total, BLOCK=16)
in_place[(4,)](x, BLOCK=16)
locked[(50,)](lock, guarded, BLOCK=16)
last_adds_up[(4,)](x, torch.empty(4, device="cuda"), count, total, 4, BLOCK=16)
assert guarded[0].item() == 50.0 and total.item() == 128.0
