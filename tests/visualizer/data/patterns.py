# Six ways to lay the lanes of a warp over memory, one kernel each.
import torch
import triton
import triton.language as tl


@triton.jit
def strided(x_ptr, y_ptr, n, STRIDE: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs * STRIDE, mask=offs < n)
    tl.store(y_ptr + offs, x, mask=offs < n)


@triton.jit
def misaligned(x_ptr, y_ptr, shift, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + shift
    x = tl.load(x_ptr + offs)
    tl.store(y_ptr + offs, x)


@triton.jit
def masked(x_ptr, y_ptr, shift, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + shift
    x = tl.load(x_ptr + offs, mask=offs % 3 == 0, other=0.0)
    tl.store(y_ptr + offs, x)


@triton.jit
def gathered(x_ptr, index_ptr, y_ptr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    index = tl.load(index_ptr + offs)
    x = tl.load(x_ptr + index)
    tl.store(y_ptr + offs, x)


@triton.jit
def shared_row(x_ptr, y_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.arange(0, COLUMNS)
    scale = tl.load(x_ptr + rows[:, None] + columns[None, :] * 0)
    tl.store(y_ptr + rows[:, None] * COLUMNS + columns[None, :], scale)


@triton.jit
def copy_square(x_ptr, y_ptr, WIDTH: tl.constexpr, SIDE: tl.constexpr):
    rows = tl.program_id(0) * SIDE + tl.arange(0, SIDE)
    columns = tl.program_id(1) * SIDE + tl.arange(0, SIDE)
    x = tl.load(x_ptr + rows[:, None] * WIDTH + columns[None, :])
    tl.store(y_ptr + columns[None, :] * WIDTH + rows[:, None], x)


torch.manual_seed(0)
n = 4096
x = torch.randn(8 * n + 64, device="cuda")
y = torch.empty(n, device="cuda")
strided[(n // 256,)](x, y, n, STRIDE=8, BLOCK=256)
# No multiple of 16, so that nothing is known of where a tile begins: an element a lane.
misaligned[(n // 512 - 1,)](x, y, 3, BLOCK=512)
masked[(n // 512 - 1,)](x, y, 8, BLOCK=512)
index = torch.randint(0, n, (n,), device="cuda", dtype=torch.int32)
gathered[(n // 256,)](x, index, y, BLOCK=256)
shared_row[(16,)](x, y, ROWS=8, COLUMNS=32)
square = torch.randn(512, 512, device="cuda")
turned = torch.empty_like(square)
copy_square[(4, 4)](square, turned, WIDTH=512, SIDE=128)
