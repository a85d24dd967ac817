# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton what the functions of the prelude give, and records it.

    TRITON_INTERPRET=1 python prelude.py > prelude.json

needs `pip install triton torch`; runs on the CPU. A case has an expression over x (a tile read from memory) and
`seed`; elements are recorded by their bits, in hexadecimal. The test builds the same kernel from the same parts.
"""
import importlib.util
import itertools
import json
import tempfile

import numpy as np
import torch

types = {"i1": torch.bool, "i8": torch.int8, "u8": torch.uint8, "i16": torch.int16, "u16": torch.uint16, "i32": torch.int32,
         "u32": torch.uint32, "i64": torch.int64, "u64": torch.uint64, "fp16": torch.float16, "bf16": torch.bfloat16,
         "fp32": torch.float32, "fp64": torch.float64}
bits = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
random = np.random.default_rng(20261130)


def offsets(shape):
    if not shape:
        return "0"
    terms, stride = [], 1
    for axis in reversed(range(len(shape))):
        index = ", ".join(":" if i == axis else "None" for i in range(len(shape)))
        terms.append(f"tl.arange(0, {shape[axis]})[{index}] * {stride}")
        stride *= shape[axis]
    return " + ".join(terms)


helpers = """@triton.jit
def plus(a, b):
    return a + b

@triton.jit
def linear(a, b, c, d):
    return a * c, b * c + d

@triton.jit
def lesser(a, i, b, j):
    first = (a < b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)

"""


def source(expression, shape):
    return helpers + f"""@triton.jit
def k(x_ptr, r_ptr, seed):
    x = tl.load(x_ptr + {offsets(shape)})
    y = {expression}
    if len(y.shape) == 0:
        tl.store(r_ptr, y)
    else:
        tl.store(r_ptr + tl.arange(0, y.numel), tl.reshape(y, y.numel))
"""


def hexadecimal(tensor):
    raw = tensor.contiguous().view(torch.uint8).numpy().tobytes()
    width = tensor.element_size()
    return " ".join(f"{value:x}" for value in np.frombuffer(raw, bits[width]))


def run(expression, x_type, shape, x, result_type, count, seed=0, seed_type="i32", tolerance=0, asked=None):
    """`asked`: another expression of the same value, where Triton's interpreter is wrong."""
    path = tempfile.mktemp(suffix=".py")
    with open(path, "w") as file:
        file.write("import triton\nimport triton.language as tl\n" + source(asked or expression, shape))
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = torch.zeros(count, dtype=types[result_type])
    module.k[(1,)](x, result, seed)
    case = {"expression": expression, "type": x_type, "shape": shape, "x": hexadecimal(x), "resultType": result_type,
            "result": hexadecimal(result)}
    if seed or seed_type != "i32":
        case |= {"seed": str(seed), "seedType": seed_type}
    if tolerance:
        case["tolerance"] = tolerance
    print((",\n" if run.any else "") + json.dumps(case), end="")
    run.any = True


run.any = False


def numbers(name, count, special=True):
    dtype = types[name]
    if name == "i1":
        return torch.from_numpy(random.integers(0, 2, count).astype(bool))
    if not dtype.is_floating_point:
        info = torch.iinfo(dtype)
        values = random.integers(info.min, info.max, count, dtype=np.int64 if info.min < 0 else np.uint64, endpoint=True)
        values[::5] = values[0]
        return torch.from_numpy(values.astype(bits[info.bits // 8])).view(dtype)
    values = random.normal(size=count) * 10
    values[::6] = values[0]
    if special:
        values[1::17] = np.inf
        values[2::19] = -np.inf
        values[3::13] = 0.0
        values[4::13] = -0.0
    if special == "nan":
        values[5::9] = np.nan
    return torch.from_numpy(values).to(dtype)


wide = {"fp16": "fp32", "bf16": "fp32", "i8": "i32", "u8": "i32", "i16": "i32", "u16": "i32"}
print("[")
for name, shape in itertools.product(["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "fp16", "bf16", "fp32", "fp64"], [[32], [4, 8]]):
    count = int(np.prod(shape))
    axis = len(shape) - 1
    x = numbers(name, count)

    def ask(call, result_type, count):
        # Triton's interpreter compares bf16 by their bits.
        exact = call.replace("(x", "(x.to(tl.float32)", 1) if name == "bf16" else call
        run(call, name, shape, x, result_type, count, asked=exact)

    ask("tl.sort(x)", name, count)
    ask(f"tl.sort(x, dim={axis}, descending=True)", name, count)
    for k in (1, 4):
        ask(f"tl.topk(x, {k})", wide.get(name, name), count // shape[-1] * k)
    ask(f"tl.topk(x, 2, {axis}, descending=False)", wide.get(name, name), count // shape[-1] * 2)
    run("tl.flip(x)", name, shape, x, name, count)
for name in ("fp16", "fp32"):
    x = numbers(name, 64, "nan")
    for call in ("tl.sort(x)", "tl.sort(x, descending=True)", "tl.flip(x, 0)", "x.flip(-1)"):
        run(call, name, [4, 16], x, name, 64)
x = numbers("i32", 64)
run("tl.sort(x)", "i32", [2, 4, 8], x, "i32", 64)
run("tl.flip(x, 1)", "i32", [2, 4, 8], x, "i32", 64)
run("tl.topk(x, 8)", "i32", [2, 4, 8], x, "i32", 64)
run("tl.bitonic_merge(tl.cat(tl.sort(x), tl.sort(x, descending=True)))", "i32", [64], x, "i32", 128)
run("tl.bitonic_merge(tl.cat(tl.sort(x), tl.sort(x, descending=True)), descending=True)", "i32", [64], x, "i32", 128)

for name, shape in itertools.product(["i8", "u8", "i32", "u64", "fp16", "fp32"], [[16], [4, 8], [2, 4, 4]]):
    x = numbers(name, int(np.prod(shape)))
    axis = len(shape) - 1
    rest = int(np.prod(shape[:-1]))
    sums = {"i8": "i32", "u8": "u32"}.get(name, name)
    if not name.startswith("fp"):
        run(f"tl.sum(x, {axis})", name, shape, x, sums, rest)
        run("tl.sum(x)", name, shape, x, sums, 1)
        run(f"tl.cumsum(x, {axis}, reverse=True)", name, shape, x, sums, rest * shape[-1])
        run("tl.cumprod(x, 0)", name, shape, x, sums, rest * shape[-1])
        run(f"tl.xor_sum(x, {axis}, keep_dims=True)", name, shape, x, name, rest)
        run(f"tl.reduce_or(x, {axis})", name, shape, x, name, rest)
        run(f"tl.sum(x, {axis}, dtype=tl.float32)", name, shape, x, "fp32", rest, tolerance=1e-6)
    run(f"tl.max(x, {axis}, keep_dims=True)", name, shape, x, wide.get(name, name), rest)
    run("tl.min(x)", name, shape, x, wide.get(name, name), 1)
    for call in ("argmax", "argmin"):
        run(f"tl.{call}(x, {axis})", name, shape, x, "i32", rest)
        run(f"x.{call}(0, keep_dims=True)", name, shape, x, "i32", rest * shape[-1] // shape[0])
    run("tl.max(x, 0, return_indices=True)[1]", name, shape, x, "i32", rest * shape[-1] // shape[0])
    run("tl.min(x, 0, return_indices=True, keep_dims=True)[0]", name, shape, x, name, rest * shape[-1] // shape[0])

# A scan's combine function need not be commutative; its order must be kept.
x = numbers("i32", 64)
for shape in ([64], [8, 8], [2, 8, 4]):
    axis = len(shape) - 1
    for i, way in itertools.product(range(2), ("", ", reverse=True")):
        run(f"tl.associative_scan((x, x + 1), {axis}, linear{way})[{i}]", "i32", shape, x, "i32", 64)
    run("tl.associative_scan(x, 0, plus, True)", "i32", shape, x, "i32", 64)
    run(f"x.associative_scan({axis}, combine_fn=plus)", "i32", shape, x, "i32", 64)
    run("tl.reduce(x, None, plus)", "i32", shape, x, "i32", 1)
    run(f"x.reduce(axis={axis}, combine_fn=plus, keep_dims=True)", "i32", shape, x, "i32", 64 // shape[-1])
    run("tl.reduce((x, x * 3), 0, lesser)[1]", "i32", shape, x, "i32", 64 // shape[0])
    run("tl.reduce((x, x * 3), 0, lesser, keep_dims=True)[0]", "i32", shape, x, "i32", 64 // shape[0])

x = numbers("fp32", 32, special=False)
run("tl.softmax(x)", "fp32", [8, 4], x, "fp32", 32, tolerance=1e-6)
run("x.softmax(1, ieee_rounding=True)", "fp32", [8, 4], x, "fp32", 32, tolerance=1e-6)
run("x.sigmoid()", "fp32", [32], x, "fp32", 32, tolerance=1e-6)
run("tl.interleave(x, -x)", "fp32", [8, 4], x, "fp32", 64)
run("tl.squeeze(tl.unsqueeze(x, -1), 2)", "fp32", [8, 4], x, "fp32", 32)
run("tl.ravel(x)", "fp32", [8, 4], x, "fp32", 32)
run("tl.zeros_like(x)", "fp32", [8, 4], x, "fp32", 32)
run("tl.cat(x, x + 1, dim=1)", "fp32", [8, 4], x, "fp32", 64)
n = torch.arange(16, dtype=torch.int32)
run("tl.swizzle2d(x // 4, x % 4, 4, 4, 2)[0]", "i32", [16], n, "i32", 16)
run("tl.swizzle2d(x // 4, x % 4, 4, 4, 3)[1]", "i32", [16], n, "i32", 16)
run("tl.cdiv(x, 3)", "i32", [16], n, "i32", 16)

small = torch.tensor([0, 1, 2, 77, 2**31 - 1, -1, -(2**31), 123456], dtype=torch.int32)
large = torch.tensor([0, 1, 2**31, 2**32, 2**32 + 77, -1, -(2**63), 2**63 - 1], dtype=torch.int64)
unsigned = torch.tensor([0, 1, 2**31, 2**32 - 1], dtype=torch.uint32)
seeds = [(0, "i32"), (54321, "i32"), (-7, "i32"), (0x1234567890ABCDE, "i64"), (-(2**40) - 3, "i64"), (2**63 + 5, "u64")]
for (seed, seed_type), (offset, name) in itertools.product(seeds, [(small, "i32"), (large, "i64"), (unsigned, "u32")]):
    count = len(offset)
    arguments = dict(seed=seed, seed_type=seed_type)
    run("tl.randint(seed, x)", name, [count], offset, "u32", count, **arguments)
    run("tl.rand(seed, x)", name, [count], offset, "fp32", count, **arguments)
    run("tl.randint4x(seed, x, n_rounds=7)[3]", name, [count], offset, "u32", count, **arguments)
    run("tl.randn(seed, x)", name, [count], offset, "fp32", count, tolerance=2e-6, **arguments)
for i in range(4):
    run(f"tl.randint4x(seed, x)[{i}]", "i32", [2, 4], small, "u32", 8, seed=99)
    run(f"tl.rand4x(seed, x)[{i}]", "i32", [2, 4], small, "fp32", 8, seed=99)
    run(f"tl.randn4x(seed, x)[{i}]", "i32", [2, 4], small, "fp32", 8, seed=99, tolerance=2e-6)
    run(f"tl.philox(seed, x, x + 1, x, x * 3)[{i}]", "i32", [8], small, "u32", 8, seed=5)
    run(f"tl.philox(seed, x, x + 1, x, x * 3, n_rounds=6)[{i}]", "i64", [8], large, "u64", 8, seed=5)
    run(f"tl.philox_impl(x, x, x ^ 1, x, x, x)[{i}]", "u32", [4], unsigned, "u32", 4)
run("tl.rand(42, x, 4)", "i32", [8], small, "fp32", 8)
run("tl.rand(seed, x)", "i32", [], small[3:4], "fp32", 1, seed=17)
run("tl.uint_to_uniform_float(x)", "u32", [4], unsigned, "fp32", 4)
run("tl.uint_to_uniform_float(x)", "i64", [8], large, "fp32", 8)
u = torch.tensor([0.0, 1e-9, 0.25, 0.5, 0.75, 0.875, 0.99999994, 0.1], dtype=torch.float32)
for i in range(2):
    run(f"tl.pair_uniform_to_normal(x, 1 - x)[{i}]", "fp32", [8], u, "fp32", 8, tolerance=2e-6)
print("\n]")
