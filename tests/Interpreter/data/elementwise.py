# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks numpy and PyTorch (CPU) what elementwise operations and casts give for edge values, and records the bits.

Run by hand: python elementwise.py > elementwise.json. The tests read the record and need no Python.
"""
import json
import random

import numpy as np
import torch

np.seterr(all="ignore")
COUNT = 64
RANDOM = random.Random(1)
INTS = {"si8": np.int8, "ui8": np.uint8, "si16": np.int16, "ui16": np.uint16, "si32": np.int32, "ui32": np.uint32,
        "si64": np.int64, "ui64": np.uint64}
FLOATS = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def bits(tensor):
    width = tensor.element_size()
    return [int(v) & (1 << 8 * width) - 1 for v in tensor.contiguous().view(BITS[width])]


def int_values(kind):
    info = np.iinfo(kind)
    edges = [info.min, info.max, 0, 1, 2, 7, info.max - 1, info.min + 1, info.max // 2]
    edges += [-1, -2, -7] if info.min < 0 else [3, 5, 200]
    values = edges * 3 + [RANDOM.randint(int(info.min), int(info.max)) for _ in range(COUNT)]
    RANDOM.shuffle(values)
    return np.array(values[:COUNT], dtype=kind)


def float_values(kind):
    info = torch.finfo(kind)
    edges = [0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan"), info.max, info.min, info.tiny,
             info.tiny / 4, -info.tiny / 2, info.eps, 1 + info.eps, 3.0, -2.5, 0.1, 1e-3, 65504.0, 100.5]
    values = edges * 2 + [RANDOM.uniform(-8, 8) for _ in range(COUNT)]
    RANDOM.shuffle(values)
    return torch.tensor(values[:COUNT], dtype=torch.float64).to(kind)


def int_bits(array):
    return [int(v) & (1 << 8 * array.dtype.itemsize) - 1 for v in array]


def truncated(op, a, b):
    """Division as in C; b is not 0."""
    out = []
    for x, y in zip(a.tolist(), b.tolist()):
        q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        out.append(q if op == "div" else x - q * y)
    width = 8 * a.dtype.itemsize
    return [v & (1 << width) - 1 for v in out]


def int_cases():
    for name, kind in INTS.items():
        a, b = int_values(kind), int_values(kind)
        nonzero = np.where(b == 0, np.array(3, dtype=kind), b)
        results = {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b, "xor": a ^ b,
                   "min": np.minimum(a, b), "max": np.maximum(a, b)}
        results = {op: int_bits(value.astype(kind)) for op, value in results.items()}
        for op, value in {"cmp eq": a == b, "cmp lt": a < b, "cmp ge": a >= b}.items():
            results[op] = [int(v) for v in value]
        yield {"type": name, "a": int_bits(a), "b": int_bits(b), "results": results}
        yield {"type": name, "a": int_bits(a), "b": int_bits(nonzero),
               "results": {op: truncated(op, a, nonzero) for op in ("div", "rem")}}


def by_numpy(function, kind, *tensors):
    """In fp32 (fp64 for itself), rounded: PyTorch's own vectorised sqrt is not exact."""
    wide = torch.float64 if kind == torch.float64 else torch.float32
    return torch.from_numpy(function(*(tensor.to(wide).numpy() for tensor in tensors))).to(kind)


def float_cases():
    for name, kind in FLOATS.items():
        a, b = float_values(kind), float_values(kind)
        results = {"add": a + b, "sub": a - b, "mul": a * b, "div": a / b}
        results |= {"min": torch.fmin(a, b), "max": torch.fmax(a, b)}
        results = {op: bits(value) for op, value in results.items()}
        for op, value in {"cmp eq": a == b, "cmp ne": a != b, "cmp lt": a < b, "cmp le": a <= b}.items():
            results[op] = [int(v) for v in value]
        yield {"type": name, "a": bits(a), "b": bits(b), "results": results}


def unary_cases():
    for name, kind in FLOATS.items():
        a = float_values(kind)
        results = {"neg": -a, "abs": a.abs(), "floor": a.floor(), "ceil": a.ceil(), "trunc": a.trunc(),
                   "round": a.round(), "sqrt": by_numpy(np.sqrt, kind, a)}
        yield {"type": name, "a": bits(a), "results": {op: bits(value) for op, value in results.items()}}


def cast_cases():
    for name, kind in FLOATS.items():
        a = float_values(kind)
        yield {"type": name, "a": bits(a),
               "casts": {to: bits(a.to(target)) for to, target in FLOATS.items() if to != name}}
    # Within the range of 8-bit floats the hardware and PyTorch agree; beyond it PTX saturates.
    small = torch.tensor([RANDOM.uniform(-400, 400) for _ in range(32)] + [RANDOM.uniform(-0.02, 0.02) for _ in range(20)]
                         + [0.0, -0.0, 1.0, -1.0, 2.0 ** -9, 2.0 ** -10, 2.0 ** -16, 3 * 2.0 ** -17, 448.0, -448.0, 17.0,
                            19.0], dtype=torch.float32)
    yield {"type": "f32", "a": bits(small), "casts": {"f8E4M3FN": bits(small.to(torch.float8_e4m3fn)),
                                                      "f8E5M2": bits(small.to(torch.float8_e5m2))}}
    for name, kind in INTS.items():
        a = int_values(kind)
        # fp64 of 64-bit integers rounds once in numpy; the narrower ones here only from exact fp64.
        casts = {"f64": bits(torch.from_numpy(a.astype(np.float64))), "f32": bits(torch.from_numpy(a.astype(np.float32)))}
        casts |= {to: int_bits(a.astype(other)) for to, other in INTS.items() if to != name}
        if np.iinfo(kind).bits <= 32:
            casts["bf16"] = bits(torch.from_numpy(a.astype(np.float64)).to(torch.float64).apply_(nearest_brain).to(torch.bfloat16))
        yield {"type": name, "a": int_bits(a), "casts": casts}


def nearest_brain(value):
    """An integer of at most 32 bits rounded once to 8 digits, ties to even."""
    if value == 0:
        return 0.0
    import math
    unit = 2.0 ** (math.frexp(value)[1] - 8)
    return round(value / unit) * unit


def main():
    cases = [*int_cases(), *float_cases(), *unary_cases(), *cast_cases()]
    print("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]")


main()
