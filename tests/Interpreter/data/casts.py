# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks Triton on a GPU what casts of floats give at and past the ends of ranges, and records the bits.

Run by hand on a GPU machine: python casts.py > casts.json. Recorded with Triton 3.6.0, PyTorch 2.11 on an H200.
"""
import json

import torch
import triton
import triton.language as tl

VALUES = [3.9, -3.9, 300.0, -300.0, 40000.0, 70000.0, 3e9, -3e9, 1e20, -1e20, float("inf"), float("-inf"),
          float("nan"), -1.0, 255.9, 65535.9]
INTS = {"si8": (tl.int8, torch.int8), "ui8": (tl.uint8, torch.uint8), "si16": (tl.int16, torch.int16),
        "ui16": (tl.uint16, torch.uint16), "si32": (tl.int32, torch.int32), "ui32": (tl.uint32, torch.uint32),
        "si64": (tl.int64, torch.int64), "ui64": (tl.uint64, torch.uint64)}
FLOATS = {"f8E4M3FN": (tl.float8e4nv, torch.float8_e4m3fn), "f8E5M2": (tl.float8e5, torch.float8_e5m2),
          "f16": (tl.float16, torch.float16), "bf16": (tl.bfloat16, torch.bfloat16)}
SOURCES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16}


@triton.jit
def cast(x, out, N: tl.constexpr, T: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i).to(T))


def bits(tensor):
    width = tensor.element_size()
    view = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[width]
    return [int(v) & (1 << 8 * width) - 1 for v in tensor.view(view)]


def main():
    cases = []
    for source, kind in SOURCES.items():
        x = torch.tensor(VALUES, dtype=kind, device="cuda")
        targets = INTS | FLOATS if source == "f32" else INTS
        casts = {}
        for name, (target, stored) in targets.items():
            out = torch.zeros(len(VALUES), dtype=stored, device="cuda")
            cast[(1,)](x, out, len(VALUES), target)
            casts[name] = bits(out)
        cases.append({"type": source, "a": bits(x), "casts": casts})
    print("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]")


main()
