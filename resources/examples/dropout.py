"""Dropout that stores no mask.

Each element is dropped with probability p, and those that stay are scaled by 1 / (1 - p). Which ones stay is decided
by a random number that depends on nothing but the seed and the element's place (tl.rand, Philox). So the backward
pass makes the same decisions again from the seed, and no mask is ever written to memory or read back.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p  # uniform in [0, 1)
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def dropout(x, p, seed):
    out = torch.empty_like(x)
    n = x.numel()
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    dropout_kernel[grid](x, out, n, p, seed, BLOCK=1024)
    return out


def dropout_backward(dout, p, seed):
    return dropout(dout, p, seed)  # the same elements, the same factor


torch.manual_seed(0)
p = 0.25
x = torch.rand(50_000, device="cuda") + 1  # nowhere 0, so that a 0 in the output was dropped
out = dropout(x, p, seed=123)

kept = out != 0
torch.testing.assert_close(out, torch.where(kept, x / (1 - p), 0.0))
share = kept.float().mean().item()
print(f"{x.numel()} elements, {share:.2f} of them kept")

dx = dropout_backward(torch.ones_like(x), p, seed=123)
print("backward keeps the same ones:", torch.equal(dx != 0, kept))
other = dropout(x, p, seed=321)
print("another seed keeps others:", not torch.equal(other != 0, kept))
