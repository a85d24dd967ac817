#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Asks PyTorch (CPU) for random numbers and writes tensor-random.json beside this file. Each program is a list of calls made one
# after the other; the numbers of each are written down (of long ones the first and the last 24).
import json
import pathlib

import torch

F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
PROGRAMS = [
    [("manual_seed", (0,), None), ("rand", (5,), F32), ("rand", (3,), F64), ("rand", (6,), F16), ("rand", (6,), BF16)],
    [("manual_seed", (0,), None), ("randn", (5,), F32), ("randn", (4,), F32), ("randn", (3,), F16), ("randn", (3,), F64)],
    [("manual_seed", (42,), None), ("randn", (16,), F32), ("randn", (17,), F32), ("randn", (40,), F64)],
    [("manual_seed", (42,), None), ("randn", (20,), F16), ("randn", (33,), BF16), ("randn", (2, 3), F32)],
    [("manual_seed", (7,), None), ("randint", (0, 10, (20,)), None), ("randint", (-5, 2**31, (5,)), None),
     ("randint", (0, 2**28 - 1, (5,)), None), ("randint", (0, 2**28, (5,)), None), ("randint", (3, (4,)), None)],
    [("manual_seed", (7,), None), ("randperm", (50,), None), ("rand", (3,), F32)],
    [("manual_seed", (2**40 + 3,), None), ("randn", (100, 37), F32), ("rand", (1000,), F32)],
    [("manual_seed", (-1,), None), ("rand", (3,), F32)],
    [("manual_seed", (1,), None), ("randn", (3,), F32), ("manual_seed", (1,), None), ("randn", (3,), F32)],
    [("rand", (4,), F32)],
]


def values(tensor):
    flat = tensor.reshape(-1)
    flat = flat.double() if tensor.is_floating_point() else flat
    flat = flat.tolist()
    return flat if len(flat) <= 48 else flat[:24] + flat[-24:]


programs = []
for program in PROGRAMS:
    torch.manual_seed(67280421310721)
    calls = []
    for name, args, dtype in program:
        result = getattr(torch, name)(*args, **({"dtype": dtype} if dtype else {}))
        calls.append({"name": name, "args": args, "dtype": str(dtype) if dtype else None,
                      "values": values(result) if isinstance(result, torch.Tensor) else None})
    programs.append(calls)
path = pathlib.Path(__file__).with_name("tensor-random.json")
lines = ",\n".join(json.dumps(p, separators=(",", ":")) for p in programs)
path.write_text(f'{{"torch":"{torch.__version__}","programs":[\n{lines}\n]}}\n')
