"""Convolution as a matrix product (implicit GEMM).

An output pixel is the product of a filter with the patch of the image under it. With a row for each patch and a
column for each filter the whole convolution is one matrix product. The matrix of patches would repeat every element
of the image R * S times, so it is never built: the kernel works out where each element of a tile lies in the image.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(
    image_ptr, filter_ptr, out_ptr,
    batch, channels, height, width,
    n_filters, out_height, out_width,
    stride, padding,
    R: tl.constexpr, S: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    pixels = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)  # of the output, counted through the batch
    filters = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    n = pixels // (out_height * out_width)
    top = pixels // out_width % out_height * stride - padding
    left = pixels % out_width * stride - padding
    patch = channels * R * S  # elements of a patch, and of a filter

    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, patch, BLOCK_K):
        ks = start + tl.arange(0, BLOCK_K)  # an element of the patch: channel c, row r, column s
        c = ks // (R * S)
        y = top[:, None] + (ks // S % R)[None, :]
        x = left[:, None] + (ks % S)[None, :]
        # Outside the image is the padding: nothing is read there and 0 taken instead.
        inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        used = (n[:, None] < batch) & (ks[None, :] < patch)
        patches = tl.load(
            image_ptr + ((n[:, None] * channels + c[None, :]) * height + y) * width + x,
            mask=inside & used, other=0.0,
        )
        weights = tl.load(
            filter_ptr + filters[None, :] * patch + ks[:, None],
            mask=(filters[None, :] < n_filters) & (ks[:, None] < patch), other=0.0,
        )
        acc = tl.dot(patches, weights, acc)

    area = out_height * out_width
    out = out_ptr + (n[:, None] * n_filters + filters[None, :]) * area + (pixels % area)[:, None]
    tl.store(out, acc.to(tl.float16), mask=(n[:, None] < batch) & (filters[None, :] < n_filters))


def conv2d(image, filters, stride=1, padding=0):
    batch, channels, height, width = image.shape
    n_filters, _, R, S = filters.shape
    out_height = (height + 2 * padding - R) // stride + 1
    out_width = (width + 2 * padding - S) // stride + 1
    out = torch.empty((batch, n_filters, out_height, out_width), device=image.device, dtype=image.dtype)
    pixels = batch * out_height * out_width
    grid = lambda meta: (triton.cdiv(pixels, meta["BLOCK_M"]), triton.cdiv(n_filters, meta["BLOCK_N"]))
    conv2d_kernel[grid](
        image, filters, out,
        batch, channels, height, width,
        n_filters, out_height, out_width,
        stride, padding,
        R=R, S=S, BLOCK_M=64, BLOCK_N=32, BLOCK_K=32,
    )
    return out


torch.manual_seed(0)
image = torch.randn((2, 12, 30, 34), device="cuda", dtype=torch.float16)
filters = torch.randn((40, 12, 3, 3), device="cuda", dtype=torch.float16) / 8
for stride, padding in [(1, 1), (2, 0)]:
    out = conv2d(image, filters, stride, padding)
    expected = torch.nn.functional.conv2d(image, filters, stride=stride, padding=padding)
    torch.testing.assert_close(out, expected, rtol=1e-2, atol=1e-2)
    print(f"stride {stride}, padding {padding}:", tuple(out.shape), "ok")
