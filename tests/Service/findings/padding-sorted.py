import torch
import triton
import triton.language as tl


@triton.jit
def ascending(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * n + tl.arange(0, BLOCK)
    mask = tl.arange(0, BLOCK) < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + offsets, tl.sort(x), mask=mask)  # expect[padding-sorted] ascending; (0, 0, 0); 2; 0; 0; 5 | at tl.store(out_ptr + offsets, tl.sort(x), mask=mask) | note padded-here | fix float("inf")


@triton.jit
def descending(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    r = tl.arange(0, 2)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=0)
    y = tl.sort(x, descending=True)
    tl.store(out_ptr + r * n + c, y, mask=c < n)  # expect[padding-sorted] 0, 0; 0; -5 | fix -2147483648


# Among the greatest four of five numbers are zeros that nobody loaded.
@triton.jit
def greatest(x_ptr, out_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + tl.arange(0, K), tl.topk(x, K))  # expect[padding-sorted] greatest; 2; 0; -2 | fix float("-inf")


x = torch.tensor([3.0, 1.0, 5.0, 2.0, 4.0, 8.0, 6.0, 9.0, 7.0, 10.0], device="cuda")
out = torch.zeros(16, device="cuda")
ascending[(2,)](x, out, 5, BLOCK=8)
descending[(1,)](-x.to(torch.int32), torch.zeros(16, dtype=torch.int32, device="cuda"), 5, BLOCK=8)
greatest[(1,)](-x, out, 5, K=4, BLOCK=8)
