# Limits and properties of element types.
import torch

for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2):
    limits = torch.finfo(dtype)
    print(limits.bits, limits.max, limits.min, limits.eps, limits.tiny, limits.smallest_normal, limits.dtype)
for dtype in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64):
    limits = torch.iinfo(dtype)
    print(limits.bits, limits.max, limits.min, limits.dtype)
print(torch.float16.itemsize, torch.int64.itemsize, torch.bfloat16.is_floating_point, torch.uint8.is_signed)
x = torch.ones(2, dtype=torch.float16)
print(x.dtype.itemsize * x.numel(), torch.is_tensor(x), torch.is_tensor([1]))

bits = torch.tensor([1.0, -2.0]).view(torch.int32)
print(bits.tolist(), bits.view(dtype=torch.float32).tolist())
print(torch.arange(4, dtype=torch.int32).view(torch.int64).tolist())
print(tuple(torch.zeros(2, 3).view(torch.uint8).shape), tuple(torch.zeros(2, 8, dtype=torch.int8).view(torch.float16).shape))
