import torch
import triton
import triton.language as tl


@triton.jit
def overlapping(out_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * (BLOCK - 1) + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, pid)  # expect[write-race] (1, 0, 0); (0, 0, 0); out; 15


@triton.jit
def summed(x_ptr, sum_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = tl.sum(tl.load(x_ptr + offsets))
    old = tl.load(sum_ptr)  # expect[read-race] total; 0
    tl.store(sum_ptr, old + s)  # expect[write-race] (1, 0, 0); (0, 0, 0); total; 0


@triton.jit
def shifted(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets + 1)  # expect[read-race] (1, 0, 0); (0, 0, 0); x; 16
    tl.store(x_ptr + offsets, x)


# Every program writes the first block.
@triton.jit
def offset_forgotten(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + tl.arange(0, BLOCK), x, mask=offsets < n)  # expect[write-race] (1, 0, 0); (0, 0, 0); first; 0


# The flag is set by an ordinary store, behind which nothing need be seen.
@triton.jit
def flagged(flag_ptr, data_ptr, out_ptr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(data_ptr, 5.0)
        tl.store(flag_ptr, 1)
    else:
        while tl.load(flag_ptr, volatile=True) == 0:  # expect[read-race] (1, 0, 0); (0, 0, 0); flag; 0
            pass
        tl.store(out_ptr + pid, tl.load(data_ptr))  # expect[read-race] (1, 0, 0); (0, 0, 0); data; 0


@triton.jit
def unlocked(lock_ptr, sum_ptr):
    while tl.atomic_cas(lock_ptr, 0, 1, sem="relaxed") == 1:
        pass
    s = tl.load(sum_ptr)  # expect[read-race] guarded; 0
    tl.store(sum_ptr, s + 1.0)  # expect[write-race] guarded; 0
    tl.atomic_xchg(lock_ptr, 0, sem="relaxed")


x = torch.ones(65, device="cuda")
out = torch.zeros(61, dtype=torch.int32, device="cuda")
total = torch.zeros(1, device="cuda")
guarded = torch.zeros(1, device="cuda")
lock = torch.zeros(1, dtype=torch.int32, device="cuda")
overlapping[(4,)](out, BLOCK=16)
summed[(4,)](x, total, BLOCK=16)
shifted[(4,)](x, BLOCK=16)
unlocked[(4,)](lock, guarded)
first = torch.zeros(16, device="cuda")
offset_forgotten[(4,)](torch.arange(64, device="cuda", dtype=torch.float32), first, 60, BLOCK=16)
flag = torch.zeros(1, dtype=torch.int32, device="cuda")
data = torch.zeros(1, device="cuda")
flagged[(3,)](flag, data, torch.zeros(4, device="cuda"))
