#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Asks PyTorch how it prints tensors and writes tensor-printing.json beside this file: shape, type, the numbers themselves (or a
# rule for them) and the text.
import json
import math
import pathlib

import torch

cases = []


def case(numbers, shape=None, dtype=torch.float32):
    shape = [len(numbers)] if shape is None else list(shape)
    tensor = torch.tensor(numbers, dtype=dtype).reshape(shape)
    encoded = [n if isinstance(n, (bool, int)) or math.isfinite(n) else str(n) for n in numbers]
    cases.append({"shape": shape, "dtype": str(dtype), "numbers": encoded, "text": str(tensor)})


def ramp(shape, scale, dtype=torch.float32):
    """Element i is ((i * 37) % 1001 - 500) * scale."""
    count = math.prod(shape)
    tensor = torch.tensor([((i * 37) % 1001 - 500) * scale for i in range(count)], dtype=torch.float64)
    tensor = tensor.to(dtype).reshape(shape)
    cases.append({"shape": list(shape), "dtype": str(dtype), "scale": scale, "text": str(tensor)})


inf, nan = math.inf, math.nan
case([1.0, 2.0, 3.0])
case([1.5, -2.25, 3.125])
case([0.0, 0.0])
case([-0.0, 1.0])
case([inf, nan, -inf])
case([1.0, inf, nan])
case([1.5, inf, -inf, nan])
case([1e-5, 1.0])
case([1e-4, 0.05])
case([1e5, 1.0])
case([1000.0, 1.0])
case([1001.0, 1.0])
case([1e9, 2e9])
case([123456.0])
case([99999999.0])
case([0.1, 100.1])
case([1e-40, 1.0])
case([3.4e38, 1e-38])
case([1e300, 1e-300], dtype=torch.float64)
case([1.23456789], [], torch.float64)
case([3.0], [])
case([1e-7], [])
case([7], [], torch.int64)
case([True], [], torch.bool)
case([1, 20, -300], dtype=torch.int64)
case([1, 20, -300], dtype=torch.int32)
case([0, 255], dtype=torch.uint8)
case([True, False, True], dtype=torch.bool)
case([0.1, 0.2], dtype=torch.float16)
case([0.1, 0.2], dtype=torch.bfloat16)
case([65504.0, 1.0], dtype=torch.float16)
case([0.5, 448.0], dtype=torch.float8_e4m3fn)
case([], [0])
case([], [0, 3])
case([], [2, 0, 3], torch.int64)
case([], [0], torch.int64)
case([1.0] * 16, [1, 1, 4, 4])
case([0.5] * 12, [2, 3, 2])
for shape in [(3,), (11,), (40,), (3, 4), (5, 20), (2, 3, 4), (1000,), (1001,), (7, 150), (200, 3), (40, 40), (3, 20, 20),
              (8, 8, 20), (2, 2, 2, 200), (1, 1)]:
    for scale in [1.0, 0.01, 0.37, 1e-6, 1e4]:
        ramp(shape, scale)
    ramp(shape, 1.0, torch.int64)
    ramp(shape, 0.01, torch.float16)
    ramp(shape, 0.01, torch.float64)
    ramp(shape, 1.0, torch.int32)
    ramp(shape, 1.0, torch.bool)
path = pathlib.Path(__file__).with_name("tensor-printing.json")
lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
path.write_text(f'{{"torch":"{torch.__version__}","cases":[\n{lines}\n]}}\n')
print(len(cases), "cases")
