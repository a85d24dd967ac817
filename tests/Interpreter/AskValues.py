# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one-line kernels under real Triton on a GPU and records the bits that come out.

    python AskValues.py > data/values.txt

needs torch, triton and a CUDA device. The tests read the recorded file and need none of them. The file has, for every element
type, a line `input TYPE BITS` with 256 elements, and for every case a line `TYPES | COUNT | EXPRESSION | TYPE BITS`: with
x, y and z loaded from inputs of these types, COUNT elements of the expression were stored as that type. Bits are in memory's order, as
base64. Of two operands or more x goes through the first 16 inputs for each of y's, so that all pairs occur; z is y moved on by one
of them. A case that Triton refuses has `refused` in place of bits.
"""
import base64
import importlib.util
import itertools
import multiprocessing
import os
import sys
import tempfile

import numpy
import torch
import triton

N = 256
FLOATS = ["fp16", "bf16", "fp32", "fp64"]
EIGHTS = ["fp8e5", "fp8e4nv"]
INTS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
TORCH = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64,
         "fp8e5": torch.float8_e5m2, "fp8e4nv": torch.float8_e4m3fn, "i1": torch.bool, "i8": torch.int8,
         "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "u16": torch.uint16,
         "u32": torch.uint32, "u64": torch.uint64}
LANGUAGE = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e5": "float8e5",
            "fp8e4nv": "float8e4nv", "i1": "int1", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
            "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}
WIDTH = {"fp16": 2, "bf16": 2, "fp32": 4, "fp64": 8, "fp8e5": 1, "fp8e4nv": 1, "i1": 1, "i8": 1, "i16": 2, "i32": 4,
         "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8}
RAW = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}


def float_bits(kind, values):
    tensor = torch.tensor(values, dtype=torch.float64).to(TORCH[kind])
    return [int(b) for b in tensor.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[WIDTH[kind]])
            .numpy().astype(RAW[WIDTH[kind]])]


def chosen(kind):
    """Sixteen values that an operation on the type may stumble over."""
    inf, nan = float("inf"), float("nan")
    least = {"fp16": 2.0**-24, "bf16": 2.0**-133, "fp32": 2.0**-149, "fp64": 5e-324, "fp8e5": 2.0**-16,
             "fp8e4nv": 2.0**-9}
    normal = {"fp16": 2.0**-14, "bf16": 2.0**-126, "fp32": 2.0**-126, "fp64": 2.0**-1022, "fp8e5": 2.0**-14,
              "fp8e4nv": 2.0**-6}
    most = {"fp16": 65504.0, "bf16": 3.3895313892515355e38, "fp32": 3.4028234663852886e38,
            "fp64": 1.7976931348623157e308, "fp8e5": 57344.0, "fp8e4nv": 448.0}
    if kind in most:
        values = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.75, -100.0, least[kind], -least[kind], normal[kind],
                  most[kind], -most[kind], inf, nan]
        if kind == "fp8e4nv":
            values[14] = 2.0
        return float_bits(kind, values)
    bits = 8 * WIDTH[kind]
    if kind == "i1":
        return [i & 1 for i in range(16)]
    top = 1 << (bits - 1)
    numbers = [0, 1, 2, 3, 5, 7, 10, 31, 63, 100, top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 2 * top - 7]
    return [n % (1 << bits) for n in numbers]


def spread(kind):
    """256 elements: the chosen ones, then numbers of every size, the same in each run."""
    state, bits, out = 12345, 8 * WIDTH[kind], chosen(kind)
    while len(out) < N:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        raw = state >> 11
        if kind in FLOATS:
            exponent = (raw >> 40) % 24 - 12
            value = (1 + (raw % 2**30) / 2**30) * 2.0**exponent * (-1 if raw >> 38 & 1 else 1)
            out += float_bits(kind, [value])
        elif kind == "i1":
            out.append(raw & 1)
        else:
            size = (raw >> 20) % bits + 1
            number = raw % (1 << size) if size < 50 else (raw * 2654435761) % (1 << size)
            out.append((number if raw >> 18 & 1 else -number) % (1 << bits))
    return out


PAIRS = [i % 16 for i in range(N)], [i // 16 for i in range(N)]


def operand(kind, place, count):
    """The bits of x, y or z."""
    if count == 1:
        return spread(kind)
    values = chosen(kind)
    if place == 2:
        return [values[(j + 1) % 16] for j in PAIRS[1]]
    return [values[j] for j in PAIRS[place]]


def tensor_of(kind, bits):
    array = numpy.array(bits, dtype=RAW[WIDTH[kind]])
    raw = torch.from_numpy(array.view({1: numpy.uint8, 2: numpy.int16, 4: numpy.int32, 8: numpy.int64}[WIDTH[kind]]).copy())
    return raw.view(TORCH[kind])


def cases():
    def unary(kinds, *expressions):
        for kind in kinds:
            for expression in expressions:
                yield [kind], N, expression

    def binary(pairs, *expressions):
        for pair in pairs:
            for expression in expressions:
                yield list(pair), N, expression

    same = [(k, k) for k in FLOATS + INTS]
    mixed = [("i8", "i32"), ("i32", "i64"), ("u8", "i32"), ("u32", "i64"), ("fp16", "fp32"), ("bf16", "fp32"),
             ("fp16", "bf16"), ("fp32", "fp64"), ("i32", "fp16"), ("i64", "fp32"), ("i1", "i32"), ("i8", "i16"),
             ("u16", "u32"), ("bf16", "i32")]
    yield from unary(FLOATS + INTS, "-x", "tl.abs(x)", "x + 1", "x * 3", "2 - x")
    yield from unary(INTS, "~x", "x << 1", "x >> 1", "x // 3", "x % 3", "x & 5", "x | 8", "x ^ 21", "x / 2")
    yield from unary(FLOATS, "x * 0.1", "x / 3", "x + 0.5", "tl.sigmoid(x.to(tl.float32))")
    yield from unary(["fp32", "fp64"], "tl.exp(x)", "tl.exp2(x)", "tl.log(x)", "tl.log2(x)", "tl.sin(x)", "tl.cos(x)",
                     "tl.sqrt(x)", "tl.rsqrt(x)", "tl.erf(x)", "tl.floor(x)", "tl.ceil(x)", "tl.sigmoid(x)")
    yield from unary(["fp32"], "tl.sqrt_rn(x)")
    yield from binary(same + mixed, "x + y", "x - y", "x * y", "x / y", "x < y", "x == y", "x >= y", "x != y",
                      "tl.maximum(x, y)", "tl.minimum(x, y)", "tl.where(x > y, x, y)")
    yield from binary([(k, k) for k in FLOATS], "tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)",
                      "tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)", "x % y")
    yield from binary([(k, k) for k in INTS] + [("i8", "i32"), ("i32", "i64")], "x & y", "x | y", "x ^ y", "x // y", "x % y",
                      "x << (y & 7)", "x >> (y & 7)")
    yield from binary([("fp32", "fp32")], "tl.div_rn(x, y)", "tl.fdiv(x, y)", "x * y + 1.5", "x * y - x", "x + y * y")
    yield from binary([("i32", "i32"), ("i64", "i64"), ("u32", "u32"), ("u64", "u64")], "tl.umulhi(x, y)", "tl.cdiv(x, y)")
    for kind in ["fp16", "bf16", "fp32", "fp64"]:
        yield [kind] * 3, N, "tl.fma(x, y, z)"
        yield [kind] * 3, N, "tl.clamp(x, tl.minimum(y, z), tl.maximum(y, z))"
        yield [kind] * 3, N, "tl.clamp(x, tl.minimum(y, z), tl.maximum(y, z), propagate_nan=tl.PropagateNan.ALL)"
    for source, target in itertools.product(FLOATS + EIGHTS + INTS + ["i1"], repeat=2):
        if source != target:
            yield [source], N, f"x.to(tl.{LANGUAGE[target]})"
        if source != target and WIDTH[source] == WIDTH[target] and "i1" not in (source, target):
            yield [source], N, f"x.to(tl.{LANGUAGE[target]}, bitcast=True)"
    for target in ["fp16", "bf16"]:
        yield ["fp32"], N, f"x.to(tl.{LANGUAGE[target]}, fp_downcast_rounding='rtz')"
    for kind in FLOATS + ["i8", "i16", "i32", "i64", "u8", "u32"]:
        square = "tl.reshape(x, (16, 16))"
        for axis in (0, 1):
            for name in ("max", "min"):
                yield [kind], 16, f"tl.{name}({square}, {axis})"
            for name in ("argmax", "argmin"):
                yield [kind], 16, f"tl.{name}({square}, {axis})"
        finite = "tl.where(tl.abs(x) < 50, x, 0)" if kind in FLOATS else "x"
        yield [kind], 16, f"tl.sum(tl.reshape({finite}, (16, 16)), 1)"
        yield [kind], 16, f"tl.sum(tl.reshape({finite}, (16, 16)), 0)"
        yield [kind], N, f"tl.cumsum({finite}, 0)"
        yield [kind], N, f"tl.cumsum(tl.reshape({finite}, (16, 16)), 1, reverse=True).reshape(256)"
        yield [kind], N, f"tl.cumprod(tl.reshape(tl.where(tl.abs(x) < 2, x, 1), (16, 16)), 1).reshape(256)"
        yield [kind], N, "tl.sort(x)"
        yield [kind], N, f"tl.sort({square}, 1, descending=True).reshape(256)"
        yield [kind], N, f"tl.flip({square}, 0).reshape(256)"
        yield [kind], N, f"tl.trans({square}).reshape(256)"
        if kind in ("fp16", "fp32", "i64"):
            yield [kind, kind], 2 * N, "tl.interleave(x, y)"
            yield [kind, kind], 2 * N, "tl.join(x, y).permute(1, 0).reshape(512)"
    for kind in ["i8", "i16", "i32", "i64"]:
        yield [kind], 16, "tl.xor_sum(tl.reshape(x, (16, 16)), 1)"
    yield ["fp32", "i32"], N, "tl.gather(x, i ^ 37, 0)"
    yield ["i32"], 16, "tl.histogram(x & 15, 16)"
    yield ["fp32"], 64, "tl.topk(tl.reshape(x, (16, 16)), 4).reshape(64)"
    yield ["i32"], N, "tl.softmax((x & 15).to(tl.float32).reshape(16, 16)).reshape(256)"
    near = "tl.where(tl.abs({0}) < 50, {0}, 1).reshape(16, 16)"
    product = "tl.dot(" + near.format("x") + ", " + near.format("y") + "{0}).reshape(256)"
    for kind in ["fp16", "bf16", "fp32"]:
        yield [kind, kind], N, product.format("")
    for precision in ("ieee", "tf32x3"):
        yield ["fp32", "fp32"], N, product.format(f", input_precision='{precision}'")
    yield ["fp16", "fp16"], N, product.format(", out_dtype=tl.float16")
    yield ["i8", "i8"], N, "tl.dot(tl.join(x, x).reshape(16, 32), tl.join(y, y).reshape(32, 16)).reshape(256)"
    for eight in EIGHTS:
        wide = "tl.join({0}, {0}).reshape({1})"
        yield [eight, eight], N, "tl.dot(" + wide.format("x", "16, 32") + ", " + wide.format("y", "32, 16") + ").reshape(256)"
    for name in ("rand", "randn", "randint"):
        for seed in ("42", "1234567890123"):
            yield ["i32"], N, f"tl.{name}({seed}, i)"
            yield ["i32"], N, f"tl.{name}({seed}, x)"
    yield ["i64"], N, "tl.rand(7, x)"
    yield ["u32"], N, "tl.uint_to_uniform_float(x)"
    yield ["i32"], N, "tl.rand(3, i, n_rounds=4)"
    yield ["i32"], N, "tl.randint4x(9, i)[2]"


SCRIPT = """
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, out_ptr):
    i = tl.arange(0, 256)
    x = tl.load(x_ptr + i){x}
    y = tl.load(y_ptr + i){y}
    z = tl.load(z_ptr + i){z}
    value = {expression}
    tl.static_print(value.dtype)
    if value.dtype == tl.int1:
        tl.store(out_ptr + tl.arange(0, {count}), value.to(tl.int8))
    else:
        tl.store(out_ptr.to(tl.pointer_type(value.dtype), bitcast=True) + tl.arange(0, {count}), value)
"""


def ask(kinds, count, expression, device):
    """The type and the bits of the expression."""
    # A bool tensor is loaded as int8 by Triton: made a truth again, as our own load gives it.
    truths = {name: (".to(tl.int1)" if place < len(kinds) and kinds[place] == "i1" else "")
              for place, name in enumerate("xyz")}
    path = tempfile.mktemp(suffix=".py")
    with open(path, "w") as file:
        file.write(SCRIPT.format(expression=expression, count=count, **truths))
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    given = [tensor_of(k, operand(k, place, len(kinds))).to(device) for place, k in enumerate(kinds)]
    given += [given[0]] * (3 - len(given))
    out = torch.zeros(8 * count, dtype=torch.int8, device=device)
    printed = capture(lambda: module.kernel[(1,)](*given, out)).split()[-1]
    names = {v: k for k, v in LANGUAGE.items()} | {k: k for k in LANGUAGE}
    names |= {f"int{b}": f"i{b}" for b in (1, 8, 16, 32, 64)} | {f"uint{b}": f"u{b}" for b in (8, 16, 32, 64)}
    os.unlink(path)
    result = names[printed]
    return result, base64.b64encode(out.cpu().numpy().tobytes()[:count * WIDTH[result]]).decode()


def capture(action):
    sys.stdout.flush()
    saved = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            action()
            sys.stdout.flush()
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        return file.read().decode()


def answer(case):
    kinds, count, expression = case
    try:
        said = " ".join(ask(kinds, count, expression, "cpu" if os.environ.get("TRITON_INTERPRET") else "cuda"))
    except Exception as problem:
        said = "refused"
        print(kinds, expression, type(problem).__name__, str(problem)[-300:], file=sys.stderr)
    return f"{' '.join(kinds)} | {count} | {expression} | {said}"


def main():
    where = "Triton's interpreter" if os.environ.get("TRITON_INTERPRET") else torch.cuda.get_device_name()
    print(f"# Triton {triton.__version__}, {where}; made by AskValues.py")
    for kind in FLOATS + EIGHTS + INTS + ["i1"]:
        raw = numpy.array(spread(kind), dtype=RAW[WIDTH[kind]])
        print("input", kind, base64.b64encode(raw.tobytes()).decode())
    with multiprocessing.get_context("spawn").Pool(min(12, os.cpu_count())) as pool:
        for line in pool.imap(answer, list(cases()), chunksize=8):
            print(line, flush=True)


if __name__ == "__main__":
    main()
