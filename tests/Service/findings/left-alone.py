import torch
import triton
import triton.language as tl


# What is meant is left alone.
@triton.jit
def flags(x_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(flag_ptr, tl.program_id(0))  # tilescope: ignore[write-race]
    tl.store(flag_ptr + 1, tl.sum(x))  # tilescope: ignore[undefined-reduction, write-race]
    tl.store(flag_ptr + 2, tl.max(x))  # expect[write-race] (1, 0, 0); 2


x = torch.zeros(40, device="cuda")
flags[(3,)](x, torch.zeros(3, device="cuda"), 40, BLOCK=16)
